import FxAnalysis
import FxGoldens
import FxSignals

/// What goes into a chain: a test signal, or a sound file.
///
/// Test signals have the same bits on every machine, so what a chain of built-in units makes of them
/// is the same everywhere as well. Levels are those of the highest sample, in decibels of full scale.
///
///     try chain.rendering(.tone(440, level: -6), seconds: 1)
public struct Signal: Sendable, Equatable {
  let input: TestCase.Input
  /// For messages: `sweep`, `take.wav`.
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

  /// Nothing: what a chain makes of it is its own noise.
  public static let silence = Signal(.silence)

  /// One sample at full scale in the first frame, the same in all channels: the response of what is
  /// linear.
  public static let impulse = Signal(.impulse) { $0.level = 0 }

  /// One sample that is not 0, the same in all channels.
  ///
  /// - Parameters:
  ///   - level: in dB of full scale.
  ///   - start: seconds before it.
  public static func impulse(level: Double = 0, at start: Double = 0) -> Signal {
    Signal(.impulse) {
      $0.level = level
      $0.start = start
    }
  }

  /// A sine from phase 0, the same in all channels.
  ///
  /// - Parameters:
  ///   - frequency: hertz, below half of the sample rate.
  ///   - level: of the highest sample, in dB of full scale.
  public static func tone(_ frequency: Double = 1000, level: Double = -12) -> Signal {
    Signal(.tone) {
      $0.frequency = frequency
      $0.level = level
    }
  }

  /// A sine whose frequency rises over the whole duration by the same number of octaves a second, the
  /// same in all channels (Farina, AES 108, 2000): a response at all frequencies in one render.
  ///
  /// - Parameters:
  ///   - low: hertz at the start.
  ///   - high: hertz at the end, below half of the sample rate.
  ///   - level: of the highest sample, in dB of full scale.
  public static func sweep(
    from low: Double = 20, to high: Double = 20000, level: Double = -12
  ) -> Signal {
    Signal(.sweep) {
      $0.from = low
      $0.to = high
      $0.level = level
    }
  }

  /// White noise, evenly distributed between plus and minus the level; each channel its own.
  public static let noise = Signal(.noise)

  /// White noise, evenly distributed between plus and minus the level; each channel its own.
  ///
  /// - Parameters:
  ///   - seed: another one is other noise.
  ///   - level: of the highest sample, in dB of full scale.
  public static func noise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.noise, seed, level)
  }

  /// Noise with the same energy in every octave; each channel its own. Its RMS lies 12 dB below the
  /// level.
  public static let pinkNoise = Signal(.pinkNoise)

  /// Noise with the same energy in every octave; each channel its own. Its RMS lies 12 dB below the
  /// level.
  ///
  /// - Parameters:
  ///   - seed: another one is other noise.
  ///   - level: of the highest sample, in dB of full scale.
  public static func pinkNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.pinkNoise, seed, level)
  }

  /// Noise that falls by 6 dB an octave; its level is as that of pink noise.
  public static func brownNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.brownNoise, seed, level)
  }

  /// Noise that rises by 3 dB an octave; its level is as that of pink noise.
  public static func blueNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.blueNoise, seed, level)
  }

  /// Noise that rises by 6 dB an octave; its level is as that of pink noise.
  public static func violetNoise(seed: UInt64 = 1, level: Double = -12) -> Signal {
    noise(.violetNoise, seed, level)
  }

  private static func noise(_ kind: TestSignal.Kind, _ seed: UInt64, _ level: Double) -> Signal {
    Signal(kind) {
      $0.seed = seed
      $0.level = level
    }
  }

  /// A sine for the first 50 ms of every half second: attacks and releases.
  public static let bursts = Signal(.bursts)

  /// A sine for the first 50 ms of every half second: attacks and releases.
  ///
  /// - Parameters:
  ///   - frequency: hertz, below half of the sample rate.
  ///   - level: of the highest sample, in dB of full scale.
  public static func bursts(of frequency: Double = 1000, level: Double = -12) -> Signal {
    Signal(.bursts) {
      $0.frequency = frequency
      $0.level = level
    }
  }

  /// Something of everything in every second, channels that differ: syllables, hiss, pauses, clicks,
  /// bass, and levels from -50 dB to the peak. What goldens are made of where nothing is said.
  public static let programme = Signal(.programme)

  /// Something of everything in every second, channels that differ: syllables, hiss, pauses, clicks,
  /// bass, and levels from -50 dB to the peak.
  ///
  /// - Parameters:
  ///   - seed: another one is another programme.
  ///   - level: of the highest sample, in dB of full scale.
  public static func programme(seed: UInt64 = 1, level: Double = -12) -> Signal {
    Signal(.programme) {
      $0.seed = seed
      $0.level = level
    }
  }

  /// A sound file of any format that fxrun reads.
  ///
  /// WAV, AIFF and FLAC are the same to the bit everywhere; what MP3 decoders make differs between
  /// processors in the last bits, and wants a tolerance.
  ///
  /// - Parameters:
  ///   - path: relative to the folder of the test's source file.
  ///   - filePath: that source file.
  public static func file(_ path: String, filePath: String = #filePath) -> Signal {
    Signal(file: resolved(path, besideFile: filePath))
  }
}

/// A path as it can be opened: one that is not absolute is relative to the folder of a source file.
func resolved(_ path: String, besideFile file: String) -> String {
  guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
  return file[...slash] + path
}
