import FxGraph

/// A term of a sum that changes while one chain becomes another. On the render thread.
struct FadingTerm: BitwiseCopyable {
  let input: UnsafePointer<Float>
  /// Before the fade and behind it; what is not there is 0.
  let before: Float
  let after: Float
  let isThereBefore: Bool
  let isThereAfter: Bool
  let ringsOut: Bool

  init(_ term: RenderPlan.Term, input: UnsafePointer<Float>) {
    self.input = input
    var (before, after) = (term.gain, term.gain)
    switch term.fade {
    case .enters: before = 0
    case .leaves: after = 0
    case .moves(let gain): before = gain
    case .none, .ringsOut: break
    }
    (self.before, self.after) = (before, after)
    isThereBefore = term.fade != .enters
    isThereAfter = term.fade != .leaves
    ringsOut = term.fade == .ringsOut
  }
}

/// A sum some of whose terms come, go or change: as the old chain has it before the fade, as the new
/// one has it behind it, each to the bit. On the render thread.
struct FadingSumCall: BitwiseCopyable {
  let terms: UnsafePointer<FadingTerm>
  let count: Int
  let output: UnsafeMutablePointer<Float>
  let passage: PassageClock

  // MARK: - Realtime

  /// -90 dB.
  private static var threshold: Float {
    @_noLocks get { 3.162_277_7e-5 }
  }

  @_noLocks
  func render(frame: Int, offset: Int, frameCount: Int) {
    let state = passage.state.pointee
    let end = frame &+ frameCount
    var now = frame
    while now < end {
      var next = end
      if now < state.fadeStart {
        next = min(next, state.fadeStart)
      } else if now < state.fadeEnd {
        next = min(next, state.fadeEnd)
      }
      if now < state.ringingEnd {
        next = min(next, state.ringingEnd)
      } else if now < state.end {
        next = min(next, state.end)
      }
      render(state, from: now, offset: offset &+ now &- frame, frameCount: next &- now)
      now = next
    }
  }

  /// Frames in which no fade begins or ends.
  @_noLocks
  private func render(
    _ state: PassageClock.State, from frame: Int, offset: Int, frameCount: Int
  ) {
    let output = output + offset
    var isFirst = true
    for index in 0..<count {
      let term = terms[index]
      let input = term.input + offset
      if term.ringsOut {
        guard frame < state.end else { continue }
        note(input, term.before, from: frame, frameCount)
        if frame < state.ringingEnd {
          add(input, term.before, to: output, frameCount, isFirst)
        } else {
          let length = state.end &- state.ringingEnd
          fade(
            input, from: term.before, to: 0, to: output, frameCount, isFirst,
            at: frame &- state.ringingEnd, of: length)
        }
      } else if frame < state.fadeStart {
        guard term.isThereBefore else { continue }
        add(input, term.before, to: output, frameCount, isFirst)
      } else if frame >= state.fadeEnd {
        guard term.isThereAfter else { continue }
        add(input, term.after, to: output, frameCount, isFirst)
      } else if term.before == term.after {
        add(input, term.after, to: output, frameCount, isFirst)
      } else {
        fade(
          input, from: term.before, to: term.after, to: output, frameCount, isFirst,
          at: frame &- state.fadeStart, of: state.timing.fade)
      }
      isFirst = false
    }
    guard isFirst else { return }
    for frame in 0..<frameCount { output[frame] = 0 }
  }

  @_noLocks
  private func add(
    _ input: UnsafePointer<Float>, _ gain: Float, to output: UnsafeMutablePointer<Float>,
    _ frameCount: Int, _ isFirst: Bool
  ) {
    if isFirst {
      for frame in 0..<frameCount { output[frame] = input[frame] * gain }
    } else {
      for frame in 0..<frameCount { output[frame] += input[frame] * gain }
    }
  }

  @_noLocks
  private func fade(
    _ input: UnsafePointer<Float>, from start: Float, to end: Float,
    to output: UnsafeMutablePointer<Float>, _ frameCount: Int, _ isFirst: Bool,
    at index: Int, of length: Int
  ) {
    let way = end - start
    for frame in 0..<frameCount {
      let gain = start + way * PassageClock.share(at: index &+ frame, of: length)
      let sample = input[frame] * gain
      output[frame] = isFirst ? sample : output[frame] + sample
    }
  }

  /// Looks how long what sounds on is heard.
  @_noLocks
  private func note(_ input: UnsafePointer<Float>, _ gain: Float, from frame: Int, _ count: Int) {
    var index = count
    while index > 0 {
      let sample = input[index &- 1] * gain
      if sample > FadingSumCall.threshold || sample < -FadingSumCall.threshold { break }
      index = index &- 1
    }
    if index > 0 { passage.hear(until: frame &+ index) }
  }
}
