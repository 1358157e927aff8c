import FxEngine
import FxFrames

/// Changes of parameters that were made live, made again before the same blocks.
struct Replay {
  /// In the order of their frames.
  private let changes: [AppliedChange]
  private var next = 0
  /// Set when there is no room for them.
  private(set) var error: IOError?

  init(_ changes: [AppliedChange]) { self.changes = changes }

  /// True when something takes effect at the block that begins so many frames after the first one.
  func isDue(before frame: Int, startFrame: Int) -> Bool {
    next < changes.count && changes[next].frame <= startFrame + frame
  }

  /// Sends what takes effect at the block that begins so many frames after the first one, or has
  /// been due since the block before. On the thread that renders. False after an error.
  mutating func send(to program: RenderProgram, before frame: Int) -> Bool {
    let start = program.configuration.startFrame + frame
    while next < changes.count, changes[next].frame <= start {
      let change = changes[next]
      guard
        program.set(
          node: change.node, parameter: change.parameter, to: change.value, over: change.seconds)
      else {
        error = IOError(
          .outOfRange, "",
          "more changes are to be made again at frame \(change.frame) than a block can take")
        return false
      }
      next += 1
    }
    return true
  }
}
