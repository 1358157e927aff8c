import FxAnalysis
import Synchronization

/// A sound that is known to be right, kept with the tests.
///
/// A golden `voice` is two files in the folder `Goldens` beside the test: `voice.wav`, to listen to
/// and to compare with, and `voice.golden.json`, which says what it was made with. Both belong under
/// version control. They are the goldens of `fxrun test` too.
///
///     expect(rendering, matches: .golden("voice"))
///     #expect(rendering ≈ .golden("noisy", within: .peak(-90)))
///
/// <doc:FirstGolden> says how one is recorded.
public struct Golden: Sendable {
  /// How far a sound may be from its golden. Length, channels and rate are never free.
  ///
  /// Built-in units make the same bits everywhere, and want no tolerance. Plugins can need one.
  public struct Tolerance: Sendable, Equatable {
    /// The highest sample of the difference, in dB of full scale; nil for any.
    public var peak: Double?
    /// The root mean square of the difference, in dB of full scale; nil for any.
    public var rms: Double?
    /// The furthest that a third of an octave may be louder or quieter, in dB; nil for any.
    public var spectral: Double?

    /// A tolerance of several limits, all of which hold. Without any it is ``exact``.
    public init(peak: Double? = nil, rms: Double? = nil, spectral: Double? = nil) {
      self.peak = peak
      self.rms = rms
      self.spectral = spectral
    }

    /// The same bits.
    public static let exact = Tolerance()

    /// No sample of the difference above a level: -90 dB is what 16 bits cannot hold.
    public static func peak(_ decibels: Double) -> Tolerance { Tolerance(peak: decibels) }

    /// A difference whose root mean square, over all frames, is not above a level.
    public static func rms(_ decibels: Double) -> Tolerance { Tolerance(rms: decibels) }

    /// No third of an octave louder or quieter by more: for what sounds the same and is not, such as
    /// noise or modulation that begins anywhere. Thirds in which both are below -80 dB do not count.
    public static func spectral(_ decibels: Double) -> Tolerance { Tolerance(spectral: decibels) }

    var limits: FxAnalysis.Tolerance {
      FxAnalysis.Tolerance(peak: peak, rms: rms, spectral: spectral)
    }
  }

  /// `voice`.
  public let name: String
  /// The sound file. The manifest lies beside it.
  public let path: String
  /// How far a sound may be from it.
  public let tolerance: Tolerance
  /// What became of the comparison, for who prints the golden afterwards.
  private let result = Result()

  /// A golden by its name.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `-`, `_` and `.`; a `/` stands for a folder.
  ///   - tolerance: how far a sound may be from it.
  ///   - folder: where it lies, relative to the folder of the test's source file.
  ///   - filePath: that source file.
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

  /// False for what cannot be a file's name, or would lie outside of the folder.
  var hasGoodName: Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.unicodeScalars.allSatisfy { $0.value > 31 && $0.value != 127 }
    }
  }

  /// The folder that the files lie in, with a slash at its end.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
}

extension Golden: CustomStringConvertible {
  /// Its file, and once a rendering was held against it what came of that.
  public var description: String {
    let words = result.words.withLock { $0 }
    return words.isEmpty ? path : words
  }

  /// Keeps what a comparison came to, which `#expect` prints of the golden.
  func note(_ words: String) { result.words.withLock { $0 = words } }

  private final class Result: Sendable {
    let words = Mutex("")
  }
}
