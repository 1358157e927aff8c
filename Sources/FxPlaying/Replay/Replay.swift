import FxAudio
import FxEngine

/// Repeats the parameter changes and the pauses of a live playback, before the same blocks.
struct Replay {
  /// Sorted by frame.
  private let changes: [AppliedChange]
  private var next = 0
  /// Pauses and resumptions, with the frames of the playback.
  private let pauses: [AppliedTransportChange]
  private var nextPause = 0
  /// Set when a change could not be sent.
  private(set) var error: Failure?

  init(_ changes: [AppliedChange], _ transport: [AppliedTransportChange]) {
    self.changes = changes
    pauses = transport.filter { $0.change == .pause || $0.change == .resume }
  }

  /// True when a change is due at the block that begins `frame` frames after the first one.
  func isDue(before frame: Int, startFrame: Int) -> Bool {
    next < changes.count && changes[next].frame <= startFrame + frame || isPauseDue(before: frame)
  }

  /// Sends the changes that are due at the block that begins `frame` frames after the first one. On
  /// the rendering thread. False after an error.
  mutating func send(to program: RenderProgram, before frame: Int) -> Bool {
    guard roll(program, before: frame) else { return false }
    let start = program.configuration.startFrame + frame
    while next < changes.count, changes[next].frame <= start {
      let change = changes[next]
      guard
        program.set(
          node: change.node, parameter: change.parameter, to: change.value, over: change.seconds)
      else {
        error = .tooManyChanges(at: change.frame)
        return false
      }
      next += 1
    }
    return true
  }

  private func isPauseDue(before frame: Int) -> Bool {
    nextPause < pauses.count && pauses[nextPause].frame <= frame
  }

  /// Pauses or resumes the musical time with the files. If several changes are due, the last one
  /// counts.
  private mutating func roll(_ program: RenderProgram, before frame: Int) -> Bool {
    guard isPauseDue(before: frame) else { return true }
    while isPauseDue(before: frame) { nextPause += 1 }
    let last = pauses[nextPause - 1]
    if program.musicalClock.send(.rolling(last.change == .resume)) { return true }
    error = .tooManyChanges(at: program.configuration.startFrame + last.frame)
    return false
  }
}

extension Failure {
  fileprivate static func tooManyChanges(at frame: Int) -> Failure {
    Failure(
      .outOfRange, "",
      "more changes are to be made again at frame \(frame) than a block can take")
  }
}
