import FxAudio

/// The sound in a copy of a pipe or a stream, with a warning about the copy. If the copy ends early,
/// reading fails at its end.
final class SpooledSource: ChangedSource {
  let source: any AudioSource
  private let warning: String?
  private let failure: Failure?

  init(_ source: any AudioSource, warning: String?, failure: Failure?) {
    self.source = source
    self.warning = warning
    self.failure = failure
  }

  var warnings: [String] { (warning.map { [$0] } ?? []) + source.warnings }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = try source.read(into: channels, frameCount: frameCount)
    if count == 0, frameCount > 0, let failure { throw failure }
    return count
  }
}
