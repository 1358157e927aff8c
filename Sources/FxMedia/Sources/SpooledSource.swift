import FxAudio

/// The sound in a copy of a pipe or a stream, with a warning about the copy. If the copy ends early,
/// reading fails at its end.
final class SpooledSource: AudioSource {
  private let source: any AudioSource
  private let warning: String?
  private let failure: Failure?

  init(_ source: any AudioSource, warning: String?, failure: Failure?) {
    self.source = source
    self.warning = warning
    self.failure = failure
  }

  var name: String { source.name }
  var format: StreamFormat { source.format }
  var frameCount: Int? { source.frameCount }
  var warnings: [String] { (warning.map { [$0] } ?? []) + source.warnings }
  var isSeekable: Bool { source.isSeekable }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = try source.read(into: channels, frameCount: frameCount)
    if count == 0, frameCount > 0, let failure { throw failure }
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) { try source.seek(toFrame: frame) }

  func interrupt() { source.interrupt() }
}
