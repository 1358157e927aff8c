import FxAudio
import FxFrames

/// A source with a warning about its opening.
final class WarnedSource: AudioSource {
  private let source: any AudioSource
  private let warning: String

  init(_ source: any AudioSource, warning: String) {
    self.source = source
    self.warning = warning
  }

  var name: String { source.name }
  var format: StreamFormat { source.format }
  var frameCount: Int? { source.frameCount }
  var warnings: [String] { [warning] + source.warnings }
  var isSeekable: Bool { source.isSeekable }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int {
    try source.read(into: channels, frameCount: frameCount)
  }

  func seek(toFrame frame: Int) throws(IOError) { try source.seek(toFrame: frame) }

  func interrupt() { source.interrupt() }
}
