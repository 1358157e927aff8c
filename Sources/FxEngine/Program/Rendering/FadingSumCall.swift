import FxAudio

/// A term of a sum that changes during a crossfade. On the render thread.
struct FadingTerm: BitwiseCopyable {
  let input: BlockBuffer
  /// The gains before and after the fade; 0 where the term is absent.
  let before: Float
  let after: Float
  let isThereBefore: Bool
  let isThereAfter: Bool
  let ringsOut: Bool
  let opens: Bool

  init(_ term: RenderPlan.Term, input: BlockBuffer) {
    self.input = input
    var (before, after) = (term.gain, term.gain)
    switch term.fade {
    case .enters, .opens: before = 0
    case .leaves: after = 0
    case .moves(let gain): before = gain
    case .none, .ringsOut: break
    }
    (self.before, self.after) = (before, after)
    isThereBefore = term.fade != .enters && term.fade != .opens
    isThereAfter = term.fade != .leaves
    ringsOut = term.fade == .ringsOut
    opens = term.fade == .opens
  }
}

/// A sum with terms that are added, removed or changed. Before the fade it equals the old chain's
/// sum and after the fade the new chain's, bit for bit. On the render thread.
struct FadingSumCall: BitwiseCopyable {
  let terms: UnsafePointer<FadingTerm>
  let count: Int
  let output: BlockBuffer
  let crossfade: CrossfadeClock
  /// Frames by which this fade is ahead of the fade at the chain's end.
  let lead: Int

  // MARK: - Realtime

  @_noLocks
  func render(_ place: BlockPlace) {
    let frame = place.frame
    var state = crossfade.state.pointee
    state.fadeStart = state.fadeStart &- lead
    state.fadeEnd = state.fadeEnd &- lead
    let opened = state.start &+ state.timing.opening
    let end = frame &+ place.frameCount
    var now = frame
    while now < end {
      var next = end
      if now < opened { next = min(next, opened) }
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
      var part = place
      part.frame = now
      part.offset = place.offset &+ now &- frame
      part.frameCount = next &- now
      render(state, part)
      now = next
    }
  }

  /// Renders frames in which no fade begins or ends.
  @_noLocks
  private func render(_ state: CrossfadeClock.State, _ place: BlockPlace) {
    let (frame, frameCount) = (place.frame, place.frameCount)
    let output = output.at(place)
    var isFirst = true
    for index in 0..<count {
      let term = terms[index]
      let input = UnsafePointer(term.input.at(place))
      // The current fade: its first frame and its length; a length of 0 means none.
      var (start, length) = (0, 0)
      var (before, after) = (term.before, term.after)
      if term.ringsOut {
        guard frame < state.end else { continue }
        note(input, term.before, from: frame, frameCount)
        after = frame < state.ringingEnd ? before : 0
        (start, length) = (state.ringingEnd, state.end &- state.ringingEnd)
      } else if term.opens {
        if frame < state.start &+ state.timing.opening {
          (start, length) = (state.start, state.timing.opening)
        } else {
          before = after
        }
      } else if frame < state.fadeStart {
        guard term.isThereBefore else { continue }
        after = before
      } else if frame >= state.fadeEnd {
        guard term.isThereAfter else { continue }
        before = after
      } else {
        (start, length) = (state.fadeStart, state.timing.fade)
      }
      if before == after {
        add(input, after, to: output, frameCount, isFirst)
      } else {
        fade(
          input, from: before, to: after, to: output, frameCount, isFirst, at: frame &- start,
          of: length)
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
      let gain = start + way * CrossfadeClock.share(at: index &+ frame, of: length)
      let sample = input[frame] * gain
      output[frame] = isFirst ? sample : output[frame] + sample
    }
  }

  /// Measures how long a removed node is audible.
  @_noLocks
  private func note(_ input: UnsafePointer<Float>, _ gain: Float, from frame: Int, _ count: Int) {
    var index = count
    while index > 0 {
      let sample = input[index &- 1] * gain
      if sample > Silence.level || sample < -Silence.level { break }
      index = index &- 1
    }
    if index > 0 { crossfade.hear(until: frame &+ index) }
  }
}
