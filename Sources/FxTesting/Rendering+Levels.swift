import FxAnalysis

extension Rendering {
  /// How loud samples are. Levels are in dB of full scale; minus infinity for silence.
  public struct Level: Sendable, Equatable {
    /// The highest magnitude: 0 dB is a sample of ±1.
    public let peak: Double
    /// The root mean square: a sine of full scale has -3.01 dB.
    public let rms: Double
    /// Peak over RMS, in dB: 3.01 of a sine; 0 for silence.
    public let crest: Double
    /// The mean, as an amplitude with its sign: what should be 0.
    public let dc: Double

    init(_ levels: Levels) {
      peak = levels.peak
      rms = levels.rms
      crest = levels.crest
      dc = levels.dc
    }
  }

  /// How loud a programme is to people, as EBU R 128 has it.
  ///
  /// Values are not a number, which is in no range, for more than 64 channels.
  public struct Loudness: Sendable, Equatable {
    /// LUFS, gated (ITU-R BS.1770-4); minus infinity for silence and for less than 400 ms.
    public let integrated: Double
    /// LU (EBU Tech 3342).
    public let range: Double
    /// The highest magnitude between the samples, in dBTP.
    public let truePeak: Double

    init(_ loudness: FxAnalysis.Loudness?) {
      integrated = loudness?.integrated ?? .nan
      range = loudness?.range ?? .nan
      truePeak = loudness?.truePeak ?? .nan
    }
  }

  /// How loud the samples are: the highest peak and the RMS of all channels, and the mean of the one
  /// that is furthest off.
  public var level: Level { Level(Levels(sound)) }

  /// How loud the samples of one channel are.
  ///
  /// - Parameter channel: from 0.
  /// - Throws: ``MeasurementFailure`` where there is no such channel.
  public func level(ofChannel channel: Int) throws(MeasurementFailure) -> Level {
    Level(Levels(try samples(ofChannel: channel)))
  }

  /// How loud it is to people. Channels are mono; left and right; with more, in the order of a WAV
  /// file.
  public var loudness: Loudness { Loudness(FxAnalysis.Loudness(sound)) }

  /// The level between the sounds, in dB of full scale: a tenth of the windows of 50 ms have no higher
  /// RMS. Minus infinity where that is digital silence.
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

/// Why something cannot be measured of a rendering: its input is not made for it.
public struct MeasurementFailure: Error, Sendable, CustomStringConvertible {
  /// What is missing, and what would do.
  public let message: String

  init(_ message: String) { self.message = message }

  /// What is missing, and what would do.
  public var description: String { message }
}
