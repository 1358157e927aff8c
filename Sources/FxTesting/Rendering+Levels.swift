import FxChecks

extension Rendering {
  /// The level of samples. Levels are in dB of full scale; minus infinity for silence.
  public struct Level: Sendable, Equatable {
    /// The highest magnitude: 0 dB is a sample of ±1.
    public let peak: Double
    /// The root mean square: a sine of full scale has -3.01 dB.
    public let rms: Double
    /// Peak divided by RMS, in dB: 3.01 for a sine; 0 for silence.
    public let crest: Double
    /// The mean as a signed amplitude; it should be 0.
    public let dc: Double

    init(_ levels: Levels) {
      peak = levels.peak
      rms = levels.rms
      crest = levels.crest
      dc = levels.dc
    }
  }

  /// The perceived loudness of a programme according to EBU R 128.
  ///
  /// With more than 64 channels, all values are NaN, which is in no range.
  public struct Loudness: Sendable, Equatable {
    /// In LUFS, gated (ITU-R BS.1770-4); minus infinity for silence and for less than 400 ms.
    public let integrated: Double
    /// In LU (EBU Tech 3342).
    public let range: Double
    /// The highest magnitude between the samples, in dBTP.
    public let truePeak: Double

    init(_ loudness: FxChecks.Loudness?) {
      integrated = loudness?.integrated ?? .nan
      range = loudness?.range ?? .nan
      truePeak = loudness?.truePeak ?? .nan
    }
  }

  /// The level of the samples: the highest peak and the RMS of all channels, and the mean of the
  /// channel with the largest offset.
  public var level: Level { Level(Levels(sound)) }

  /// The level of one channel.
  ///
  /// - Parameter channel: from 0.
  /// - Throws: ``MeasurementFailure`` if the channel does not exist.
  public func level(ofChannel channel: Int) throws(MeasurementFailure) -> Level {
    Level(Levels(try samples(ofChannel: channel)))
  }

  /// The perceived loudness. One channel is mono, two are left and right, more have the order of a
  /// WAV file.
  public var loudness: Loudness { Loudness(FxChecks.Loudness(sound)) }

  /// The level between the sounds, in dB of full scale: the RMS level that a tenth of the 50 ms
  /// windows do not exceed. Minus infinity for digital silence.
  public var noiseFloor: Double { NoiseFloor(sound).level }

  /// The samples of a channel, from 0.
  func samples(ofChannel channel: Int) throws(MeasurementFailure) -> [Float] {
    guard samples.indices.contains(channel) else {
      throw MeasurementFailure(
        "there is no channel \(channel): '\(output)' has \(channelCount), counted from 0")
    }
    return samples[channel]
  }
}

/// The reason why a rendering cannot be measured: its input is not suitable.
public struct MeasurementFailure: Error, Sendable, CustomStringConvertible {
  /// What is missing, and which input would be suitable.
  public let message: String

  init(_ message: String) { self.message = message }

  /// What is missing, and which input would be suitable.
  public var description: String { message }
}
