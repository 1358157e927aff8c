import FxChecks
import Synchronization

/// A sound that is known to be correct, stored with the tests.
///
/// A golden `voice` is two files in the folder `Goldens` beside the test. `voice.wav` is for
/// listening and comparing; `voice.golden.json` describes how it was made. Put both under version
/// control. `fxrun test` uses the same goldens.
///
///     expect(rendering, matches: .golden("voice"))
///     #expect(rendering ≈ .golden("noisy", within: .peak(-90)))
///
/// <doc:FirstGolden> shows how to record one.
public struct Golden: Sendable {
  /// How much a sound may differ from its golden. Length, channels and sample rate must always
  /// match.
  ///
  /// Built-in units make the same bits everywhere and need no tolerance. Plugins may need one.
  public struct Tolerance: Sendable, Equatable {
    /// The limit for the highest sample of the difference, in dB of full scale; nil for none.
    public var peak: Double?
    /// The limit for the root mean square of the difference, in dB of full scale; nil for none.
    public var rms: Double?
    /// The limit for the level change of a third-octave band, in dB; nil for none.
    public var spectral: Double?

    /// A tolerance with several limits, which must all be met. Without limits it is ``exact``.
    public init(peak: Double? = nil, rms: Double? = nil, spectral: Double? = nil) {
      self.peak = peak
      self.rms = rms
      self.spectral = spectral
    }

    /// The same bits.
    public static let exact = Tolerance()

    /// No sample of the difference is above this level. -90 dB is about one step of 16 bits.
    public static func peak(_ decibels: Double) -> Tolerance { Tolerance(peak: decibels) }

    /// The root mean square of the difference, over all frames, is not above this level.
    public static func rms(_ decibels: Double) -> Tolerance { Tolerance(rms: decibels) }

    /// No third-octave band is louder or quieter by more than this. For sounds that sound the same
    /// but have different samples, such as noise or modulation with a random start. Bands below -80
    /// dB in both sounds do not count.
    public static func spectral(_ decibels: Double) -> Tolerance { Tolerance(spectral: decibels) }

    var limits: FxChecks.Tolerance {
      FxChecks.Tolerance(peak: peak, rms: rms, spectral: spectral)
    }
  }

  /// `voice`.
  public let name: String
  /// The path of the sound file. The manifest is in the same folder.
  public let path: String
  /// How much a sound may differ from it.
  public let tolerance: Tolerance
  /// The result of the comparison, for printing the golden afterwards.
  private let result = Result()

  /// A golden by its name.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `-`, `_` and `.`; a `/` stands for a folder.
  ///   - tolerance: how much a sound may differ from it.
  ///   - folder: the folder of the golden, relative to the folder of the test's source file.
  ///   - filePath: the test's source file.
  public static func golden(
    _ name: String, within tolerance: Tolerance = .exact, in folder: String = "Goldens",
    filePath: String = #filePath
  ) -> Golden {
    let folder = resolved(folder, besideFile: filePath)
    return Golden(name: name, path: "\(folder)/\(name).wav", tolerance: tolerance)
  }

  private init(name: String, path: String, tolerance: Tolerance) {
    self.name = name
    self.path = path
    self.tolerance = tolerance
  }

  /// False for a name that is not a valid file name, or that leads out of the folder.
  var hasGoodName: Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.unicodeScalars.allSatisfy { $0.value > 31 && $0.value != 127 }
    }
  }

  /// The folder of the files, with a slash at its end.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
}

extension Golden: CustomStringConvertible {
  /// The golden's file and, after a comparison, its result.
  public var description: String {
    let words = result.words.withLock { $0 }
    return words.isEmpty ? path : words
  }

  /// Keeps the result of a comparison, which `#expect` prints with the golden.
  func note(_ words: String) { result.words.withLock { $0 = words } }

  private final class Result: Sendable {
    let words = Mutex("")
  }
}
