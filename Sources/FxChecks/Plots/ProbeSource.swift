import FxAudio
import FxMedia

/// A signal on some channels of an input, and silence on the others.
final class ProbeSource: AudioSource {
  let name: String
  let format: StreamFormat
  let frameCount: Int?
  private let samples: [Float]
  /// One gain for each channel.
  private let gains: [Float]
  private var position = 0

  init(_ name: String, _ samples: [Float], gains: [Float], sampleRate: Double) {
    self.name = "the probe of '\(name)'"
    self.samples = samples
    self.gains = gains
    format = StreamFormat(sampleRate: sampleRate, channelCount: gains.count)
    frameCount = samples.count
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = max(min(frameCount, samples.count - position), 0)
    for (channel, gain) in gains.enumerated() {
      for frame in 0..<count { channels[channel][frame] = samples[position + frame] * gain }
    }
    position += count
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) {
    position = min(max(frame, 0), samples.count)
  }
}
