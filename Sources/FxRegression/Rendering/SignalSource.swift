package import FxAnalysis
package import FxAudio
package import FxIO

/// A test signal as a chain reads it, made as it is read.
package final class SignalSource: AudioSource {
  package let name: String
  package let format: StreamFormat
  package let frameCount: Int?
  private let signal: TestSignal
  private var generator: SignalGenerator
  private var position = 0

  package init(_ signal: TestSignal, sampleRate: Double, channels: Int, frameCount: Int) {
    self.signal = signal
    name = "the signal '\(signal.kind.rawValue)'"
    format = StreamFormat(sampleRate: sampleRate, channelCount: channels)
    self.frameCount = frameCount
    generator = SignalGenerator(
      signal, sampleRate: sampleRate, channels: channels, frameCount: frameCount)
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int {
    let count = min(frameCount, max((self.frameCount ?? 0) - position, 0))
    guard count > 0 else { return 0 }
    let made = generator.read(into: channels, frameCount: count)
    position += made
    return made
  }

  /// Goes back by making it anew.
  package func seek(toFrame frame: Int) throws(IOError) {
    let target = min(max(frame, 0), frameCount ?? 0)
    generator = SignalGenerator(
      signal, sampleRate: format.sampleRate, channels: format.channelCount,
      frameCount: frameCount ?? 0)
    position = 0
    while position < target { try skip(min(4096, target - position)) }
  }

  private func skip(_ count: Int) throws(IOError) {
    let rows = (0..<format.channelCount).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: count)
    }
    defer { for row in rows { row.deallocate() } }
    _ = try rows.withUnsafeBufferPointer { rows throws(IOError) in
      try rows.baseAddress.map { base throws(IOError) in try read(into: base, frameCount: count) }
    }
  }
}
