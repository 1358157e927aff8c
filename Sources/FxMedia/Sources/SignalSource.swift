package import FxAudio
package import FxUnits

/// A test signal, generated while it is read.
package final class SignalSource: AudioSource {
  package let name: String
  package let format: StreamFormat
  /// nil for an endless signal.
  package let frameCount: Int?
  private var generator: SignalGenerator

  /// - Parameter frameCount: its length; nil for an endless signal, which a sweep cannot be.
  package init(_ signal: TestSignal, sampleRate: Double, channels: Int, frameCount: Int?) {
    name = "the signal '\(signal.kind.rawValue)'"
    format = StreamFormat(sampleRate: sampleRate, channelCount: channels)
    self.frameCount = frameCount
    generator = SignalGenerator(
      signal, sampleRate: sampleRate, channels: channels, frameCount: frameCount ?? 1 << 52)
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    generator.read(into: channels, frameCount: frameCount)
  }

  package func seek(toFrame frame: Int) throws(Failure) { generator.seek(toFrame: frame) }
}
