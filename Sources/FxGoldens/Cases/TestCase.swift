package import FxAnalysis
package import FxDiagnostics
package import FxKit
package import FxSignals

/// One render whose sound is known: a chain, what goes in, and the golden that it is held against.
package struct TestCase: Sendable {
  package enum Input: Sendable, Equatable {
    /// A sound file, as it can be opened from here.
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

  /// What the sound is held against.
  package enum Expectation: Sendable, Equatable {
    /// A sound file, with its manifest beside it (`voice.wav`, `voice.golden.json`).
    case sound(String)
    /// A manifest alone: its digests say whether the bits are the same.
    case manifest(String)
  }

  /// How much slower a chain may have become.
  package struct Cost: Sendable, Equatable {
    /// 0.25 is a quarter more.
    package var tolerance: Double

    package init(tolerance: Double) { self.tolerance = tolerance }
  }

  /// `voice`, or `voice/quiet` for one of several cases of a file.
  package var name: String
  /// The case file, as it was given.
  package var file: String
  /// The chain file, as it can be opened from here.
  package var chain: String
  /// The chain itself where it has been read already, or is a text; `chain` is its name then.
  package var loadedChain: Chain?
  package var variables: [String: String] = [:]
  package var settings: [RenderRequest.Setting] = []
  package var scene: String?
  /// By the name of the chain's input.
  package var inputs: [String: Input] = [:]
  /// What inputs hear that `inputs` does not name.
  package var defaultSignals = DefaultSignals.current
  /// Seconds of input; nil for all of a file's.
  package var duration: Double?
  /// Of signals, and so of the chain where it names none; frames a second.
  package var sampleRate = 48000.0
  /// Of signals.
  package var channels = 2
  package var blockSize: Int?
  /// Threads that render it; cases are rendered beside one another already.
  package var threads = 1
  package var expectation: Expectation
  /// Another case of its file has the same golden.
  package var sharesGolden = false
  /// Its case file as it was read, without the other cases: its process reads no more than that. Empty
  /// for a case that is from no file.
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
  /// The manifest: beside the sound, with `.golden.json` in place of its ending.
  package var manifestPath: String {
    switch expectation {
    case .manifest(let path): return path
    case .sound(let path):
      let name = path.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: ".") else { return path + ".golden.json" }
      return String(path.dropLast(name[dot...].count)) + ".golden.json"
    }
  }

  /// The file with the sound of an output: the expected one for `main`, `voice.low.wav` for `low`.
  /// nil where the golden has no sounds.
  package func soundPath(ofOutput output: String) -> String? {
    guard case .sound(let path) = expectation else { return nil }
    guard output != "main" else { return path }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "\(path).\(output)" }
    return "\(path.dropLast(name[dot...].count)).\(output)\(name[dot...])"
  }
}
