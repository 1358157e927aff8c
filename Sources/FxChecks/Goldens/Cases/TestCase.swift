package import FxChain
package import FxKit
package import FxUnits

/// One render with a known result: a chain, its inputs, and the golden that it is compared with.
package struct TestCase: Sendable {
  package enum Input: Sendable, Equatable {
    /// A sound file; the path is relative to the current folder.
    case file(String)
    case signal(TestSignal)

    /// For the list of cases.
    package var json: JSONOutput {
      switch self {
      case .file(let path): .string(path)
      case .signal(let signal): .members(["signal": .string(signal.kind.rawValue)])
      }
    }
  }

  /// The golden that the render is compared with.
  package enum Expectation: Sendable, Equatable {
    /// A sound file, with its manifest beside it (`voice.wav`, `voice.golden.json`).
    case sound(String)
    /// Only a manifest: its digests show whether the bits are the same.
    case manifest(String)
  }

  /// How much slower a chain may become.
  package struct Cost: Sendable, Equatable {
    /// 0.25 allows a quarter more.
    package var tolerance: Double

    package init(tolerance: Double) { self.tolerance = tolerance }
  }

  /// `voice`, or `voice/quiet` for one of several cases of a file.
  package var name: String
  /// The case file, as the caller gave it.
  package var file: String
  /// The chain file; the path is relative to the current folder.
  package var chain: String
  /// The chain, if it has been read already or is a text; `chain` is its name then.
  package var loadedChain: Chain?
  package var variables: [String: String] = [:]
  package var settings: [RenderRequest.Setting] = []
  package var scene: String?
  /// By the name of the chain's input.
  package var inputs: [String: Input] = [:]
  /// The signals for inputs that `inputs` does not name.
  var defaultSignals = DefaultSignals.current
  /// Seconds of input; nil for the whole file.
  package var duration: Double?
  /// The sample rate of signals in Hz. The chain also uses it if it names none.
  package var sampleRate = 48000.0
  /// The number of channels of signals.
  package var channels = 2
  package var blockSize: Int?
  /// The number of render threads; several cases already run at the same time.
  package var threads = 1
  package var expectation: Expectation
  /// True if another case of the file has the same golden.
  var sharesGolden = false
  /// The text of the case file without the other cases, for the process that renders the case.
  /// Empty for a case that does not come from a file.
  package var text: [UInt8] = []
  package var tolerance = Tolerance.exact
  package var isExact: Bool { tolerance.isExact }
  package var cost: Cost?

  package init(name: String, file: String, chain: String, expectation: Expectation) {
    self.name = name
    self.file = file
    self.chain = chain
    self.expectation = expectation
  }
}

extension TestCase {
  /// The path of the manifest: the sound's path with `.golden.json` in place of its ending.
  package var manifestPath: String {
    switch expectation {
    case .manifest(let path): return path
    case .sound(let path):
      let name = path.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: ".") else { return path + ".golden.json" }
      return String(path.dropLast(name[dot...].count)) + ".golden.json"
    }
  }

  /// The sound file of an output: the expected one for `main`, `voice.low.wav` for `low`. nil if
  /// the golden has no sounds.
  package func soundPath(ofOutput output: String) -> String? {
    guard case .sound(let path) = expectation else { return nil }
    guard output != "main" else { return path }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "\(path).\(output)" }
    return "\(path.dropLast(name[dot...].count)).\(output)\(name[dot...])"
  }
}
