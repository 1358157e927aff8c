import FxAudio
import FxMedia

extension PCMBuffer {
  /// Decodes a whole sound file into memory: for a jingle, a sample of an instrument, a test.
  ///
  /// - Parameters:
  ///   - path: a file of any format that fxrun reads.
  ///   - sampleRate: converts the sound to this rate in Hz; nil keeps the rate of the file.
  ///   - warn: receives a sentence for each loss, such as a file that is cut off.
  /// - Throws: `ChainFailure` of kind `input` for a file that cannot be read, has no sound, or has samples
  ///   that are not numbers.
  public init(
    contentsOfFile path: String, sampleRate: Double? = nil, warn: (String) -> Void = { _ in }
  ) throws(ChainFailure) {
    var rate = sampleRate
    if rate == nil { rate = try SoundInfo(path: path).properties.sampleRate }
    guard let rate else {
      throw ChainFailure(
        .input, code: .unsupportedFormat, "'\(path)' does not say its sample rate", path: path)
    }
    try SampleFormat(sampleRate: rate, channels: 1).check()
    do throws(Failure) {
      let (sound, warnings) = try SoundReader.read(path, sampleRate: rate, frameLimit: 1 << 31)
      let format = SampleFormat(sampleRate: rate, channels: sound.channelCount)
      warnings.forEach(warn)
      self.init(format, frameCount: sound.frameCount) { channels, frameCount in
        sound.samples.withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          for (index, channel) in channels.enumerated() {
            channel.update(from: start + index * frameCount, count: frameCount)
          }
        }
      }
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}
