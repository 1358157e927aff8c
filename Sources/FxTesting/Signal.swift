import FxChecks
import FxUnits

/// The input of a chain: a test signal or a sound file.
///
/// Test signals have the same bits on every machine, so a chain of built-in units also gives the
/// same output everywhere. Levels are those of the highest sample, in decibels of full scale.
///
///     try chain.rendering(.tone(440, level: -6), seconds: 1)
public struct Signal: Sendable, Equatable {
  let input: TestCase.Input
  /// The name in messages: `sweep`, `take.wav`.
  let name: String

  private init(_ kind: TestSignal.Kind, _ change: (inout TestSignal) -> Void = { _ in }) {
    var signal = TestSignal(kind)
    change(&signal)
    input = .signal(signal)
    name = kind.rawValue
  }

  private init(file: String) {
    input = .file(file)
    name = file.split(separator: "/").last.map(String.init) ?? file
  }

  /// Silence: the output of the chain is its own noise.
  public static let silence = Signal(.silence)

  /// One sample at full scale in the first frame, the same in all channels. It gives the response
  /// of a linear chain.
  public static let impulse = Signal(.impulse) { $0.level = 0 }

  /// One sample that is not 0, the same in all channels.
  ///
  /// - Parameters:
  ///   - level: in dB of full scale.
  ///   - start: seconds of silence before it.
  public static func impulse(level: Double = 0, at start: Double = 0) -> Signal {
    Signal(.impulse) {
      $0.level = level
      $0.start = start
    }
  }

  /// A sine from phase 0, the same in all channels.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, below half of the sample rate.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func tone(_ frequency: Double = 1000, level: Double = -12) -> Signal {
    Signal(.tone) {
      $0.frequency = frequency
      $0.level = level
    }
  }

  /// A sine whose frequency rises exponentially over the whole duration, the same in all channels
  /// (Farina, AES 108, 2000). It gives the response at all frequencies in one render.
  ///
  /// - Parameters:
  ///   - low: the start frequency in Hz.
  ///   - high: the end frequency in Hz, below half of the sample rate.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func sweep(
    from low: Double = 20, to high: Double = 20000, level: Double = -12
  ) -> Signal {
    Signal(.sweep) {
      $0.from = low
      $0.to = high
      $0.level = level
    }
  }

  /// White noise, uniformly distributed between plus and minus the level; different in each
  /// channel.
  public static let noise = Signal(.noise)

  /// White noise, uniformly distributed between plus and minus the level; different in each
  /// channel.
  ///
  /// - Parameters:
  ///   - seed: another seed gives different noise.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func noise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.noise, seed, level)
  }

  /// Noise with the same energy in every octave; different in each channel. Its RMS is 12 dB below
  /// the level.
  public static let pinkNoise = Signal(.pinkNoise)

  /// Noise with the same energy in every octave; different in each channel. Its RMS is 12 dB below
  /// the level.
  ///
  /// - Parameters:
  ///   - seed: another seed gives different noise.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func pinkNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.pinkNoise, seed, level)
  }

  /// Noise that falls by 6 dB per octave; its level is defined like that of pink noise.
  public static func brownNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.brownNoise, seed, level)
  }

  /// Noise that rises by 3 dB per octave; its level is defined like that of pink noise.
  public static func blueNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.blueNoise, seed, level)
  }

  /// Noise that rises by 6 dB per octave; its level is defined like that of pink noise.
  public static func violetNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.violetNoise, seed, level)
  }

  private static func noise(_ kind: TestSignal.Kind, _ seed: UInt64, _ level: Double) -> Signal {
    Signal(kind) {
      $0.seed = seed
      $0.level = level
    }
  }

  /// A sine in the first 50 ms of every half second, for attack and release times.
  public static let bursts = Signal(.bursts)

  /// A sine in the first 50 ms of every half second, for attack and release times.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, below half of the sample rate.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func bursts(of frequency: Double = 1000, level: Double = -12) -> Signal {
    Signal(.bursts) {
      $0.frequency = frequency
      $0.level = level
    }
  }

  /// A varied signal with different channels: each second has syllables, hiss, pauses, clicks,
  /// bass, and levels from -50 dB to the peak. It is the default signal for goldens.
  public static let programme = Signal(.programme)

  /// A varied signal with different channels: each second has syllables, hiss, pauses, clicks,
  /// bass, and levels from -50 dB to the peak.
  ///
  /// - Parameters:
  ///   - seed: another seed gives a different programme.
  ///   - level: the level of the highest sample, in dB of full scale.
  public static func programme(seed: UInt64 = 1, level: Double = -12) -> Signal {
    Signal(.programme) {
      $0.seed = seed
      $0.level = level
    }
  }

  /// A sound file of any format that fxrun supports.
  ///
  /// WAV, AIFF and FLAC are the same to the bit everywhere. The output of MP3 decoders differs
  /// between processors in the last bits and needs a tolerance.
  ///
  /// - Parameters:
  ///   - path: relative to the folder of the test's source file.
  ///   - filePath: the test's source file.
  public static func file(_ path: String, filePath: String = #filePath) -> Signal {
    Signal(file: resolved(path, besideFile: filePath))
  }
}

/// A path that can be opened: a relative path is relative to the folder of a source file.
func resolved(_ path: String, besideFile file: String) -> String {
  guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
  return file[...slash] + path
}
