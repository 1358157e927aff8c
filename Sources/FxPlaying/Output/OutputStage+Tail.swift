import CRealtime
import FxAudio

/// Decides where the tail ends: at silence, or at the declared length. The declared tail depends on
/// the parameter values at the end of the sound, and on later changes.
///
/// The supervising thread computes the declared tail. The render thread asks for it and continues.
/// It holds back the frames beyond the known tail until it has the answer.
extension OutputStage {
  /// A question about the tail from `frame` on.
  struct TailQuestion {
    let frame: Int
    fileprivate let number: Int
  }

  /// The open question of the render thread; nil if there is none. This property, `answer`, `keep`
  /// and `tailMayChange` are for the supervising thread.
  var tailQuestion: TailQuestion? {
    let times = tail
    guard let number = times.pointee.openNumber else { return nil }
    return TailQuestion(frame: times.pointee.askedFrame, number: number)
  }

  /// Answers that the tail lasts at least until `frame`.
  func answer(_ question: TailQuestion, until frame: Int) {
    tail.pointee.keep(until: frame)
    tail.pointee.answer(question.number)
  }

  /// Makes a declared tail last at least until `frame`.
  func keep(until frame: Int) {
    if isDeclared { tail.pointee.keep(until: frame) }
  }

  /// Records that the tail may differ from the one at the start.
  func tailMayChange() { tail.pointee.mayChange() }

  /// Waits for an answer for at most `seconds`. For devices without a clock, where blocking is
  /// allowed.
  func waitForTail(seconds: Double) {
    let limit = fx_monotonic_seconds() + seconds
    while isTailAwaited {
      let left = limit - fx_monotonic_seconds()
      guard left > 0, tail.pointee.answered.wait(seconds: left) else { return }
    }
  }

  /// True when the sound was still above the threshold at the maximum length of its tail.
  var tailWasCut: Bool {
    guard let main = mainFrameCount, endsInSilence else { return false }
    return state.pointee.kept > main
      && state.pointee.kept + holdFrameCount > main + maximumFrameCount
  }

  // MARK: - Realtime

  /// Asks for the tail in the block where the sound ends, and in each later block with a parameter
  /// change. Returns true when it asked.
  ///
  /// - Parameter changeCount: changes of parameters so far.
  @_noLocks
  func askForTail(at frame: Int, frameCount: Int, changeCount: Int) -> Bool {
    let main = state.pointee.mainFrameCount
    guard asksForTail, main >= 0, main <= frame &+ frameCount,
      changeCount != state.pointee.askedChangeCount, tail.pointee.canChange
    else { return false }
    let later = state.pointee.hasAsked && frame > main
    state.pointee.askedChangeCount = changeCount
    state.pointee.hasAsked = true
    tail.pointee.ask(from: later ? frame : main)
    return true
  }

  /// True while a question has no answer yet.
  var isTailAwaited: Bool {
    @_noLocks get { tail.pointee.isAwaited }
  }

  /// Reads the answers; the tail can only become longer.
  @_noLocks
  func followTail() {
    guard !endsInSilence, state.pointee.mainFrameCount >= 0 else { return }
    let end = tail.pointee.end(
      behind: state.pointee.mainFrameCount, atLeast: tailFrameCount)
    if end > state.pointee.kept { state.pointee.kept = end }
  }

  /// True when the whole tail has been rendered and no question is open.
  var isComplete: Bool {
    @_noLocks get {
      let main = state.pointee.mainFrameCount
      guard main >= 0, !isTailAwaited else { return false }
      followTail()
      var enough = state.pointee.kept
      if endsInSilence {
        enough = enough &+ holdFrameCount
        let limit = main &+ maximumFrameCount
        enough = enough < limit ? enough : limit
      }
      for index in 0..<portCount where ports[index].end < enough { return false }
      return true
    }
  }

  @_noLocks
  func take(_ port: UnsafeMutablePointer<Port>, from offset: Int, frameCount: Int) {
    guard frameCount > 0 else { return }
    let start = port.pointee.end
    port.pointee.end = start &+ frameCount
    let main = state.pointee.mainFrameCount
    // Until the source ends, every frame belongs to the sound.
    guard main >= 0 else { return push(port, offset, frameCount) }
    // A later answer takes effect with the next block.
    let isAwaited = isTailAwaited
    followTail()
    if endsInSilence {
      let loud = loudEnd(port, offset, frameCount)
      let limit = main &+ maximumFrameCount
      let audible = start &+ loud < limit ? start &+ loud : limit
      if loud > 0, audible > state.pointee.kept { state.pointee.kept = audible }
    }
    guard let producer = port.pointee.producer else { return }
    // Frames that are certain to stay are delivered at once. The others wait for a later audible
    // frame, or for the answer about the tail.
    var certain = 0
    if port.pointee.held.readableCount == 0 {
      let left = state.pointee.kept &- start
      certain = left < 0 ? 0 : (left < frameCount ? left : frameCount)
    }
    if certain > 0 { push(port, offset, certain) }
    var uncertain = frameCount &- certain
    if !endsInSilence, !isAwaited {
      // The rest of the tail follows the held frames; frames after it are silent.
      let left = state.pointee.kept &- start &- certain
      uncertain = left < 0 ? 0 : (left < uncertain ? left : uncertain)
    }
    guard uncertain > 0 else { return }
    setCursors(port, offset &+ certain)
    let held = port.pointee.held.push(
      UnsafePointer(port.pointee.cursors), frameCount: uncertain)
    if held < uncertain { producer.lose(uncertain &- held) }
    // The answer is late. Keep these frames: a tail that is too long is better than one that is too
    // short.
    if isAwaited, port.pointee.held.readableCount > port.pointee.held.capacity / 2,
      state.pointee.kept < start &+ frameCount
    {
      state.pointee.kept = start &+ frameCount
    }
  }

  /// The index after the last frame above the threshold in any channel; 0 if there is none.
  @_noLocks
  private func loudEnd(_ port: UnsafeMutablePointer<Port>, _ offset: Int, _ frameCount: Int) -> Int
  {
    var end = 0
    for channel in 0..<port.pointee.width {
      let samples = port.pointee.buffers[channel] + offset
      var frame = frameCount
      while frame > end {
        let sample = samples[frame &- 1]
        if sample > threshold || sample < -threshold { break }
        frame = frame &- 1
      }
      end = frame
    }
    return end
  }
}
