import FxDiagnostics
import FxGoldens
import FxKit

/// What a process of its own is to render for a lint, as it is handed over.
struct LintTask: Sendable {
  var testCase: TestCase
  var blockSize: Int?
  /// How often, one after the other, each while the instances of the ones before are still there.
  var repeats = 1
  /// What passes each node is measured, with denormals kept and silence behind the sound.
  var isMeasured = false
  /// Parts of the chain that the signals do not exercise are looked for, and nothing else.
  var triesParts = false
  /// A node whose output is to be written down, one file a render.
  var recordedNode: String?
  /// Where recordings go.
  var folder: String

  init(_ testCase: TestCase, folder: String) {
    self.testCase = testCase
    self.folder = folder
  }

  /// Seconds that are rendered behind the end of a sound to see what is left of it.
  static let extraSeconds = 4.0

  func recordingPath(_ index: Int) -> String { "\(folder)/node-\(index).f32" }
}

// MARK: JSON

extension LintTask {
  var json: JSONOutput {
    let files = testCase.files
    return .members([
      "chain": .string(testCase.chain),
      "variables": .object(
        testCase.variables.keys.sorted().map { .init($0, .string(testCase.variables[$0] ?? "")) }),
      "settings": .array(
        testCase.settings.map { .array([.string($0.parameter), .string($0.value)]) }),
      "scene": testCase.scene.map { .string($0) },
      "inputs": .object(files.keys.sorted().map { .init($0, .string(files[$0] ?? "")) }),
      "duration": testCase.duration.map { .number($0) },
      "sampleRate": .number(testCase.sampleRate),
      "channels": .integer(testCase.channels),
      "blockSize": blockSize.map { .integer($0) },
      "repeats": .integer(repeats),
      "isMeasured": .bool(isMeasured), "triesParts": .bool(triesParts),
      "recordedNode": recordedNode.map { .string($0) },
      "folder": .string(folder),
    ])
  }

  init(_ value: ManifestValue) throws(ManifestMistake) {
    var testCase = TestCase(
      name: "lint", file: "", chain: try value["chain"].text, expectation: .manifest(""))
    for (name, text) in try value["variables"].members {
      testCase.variables[name] = try text.text
    }
    testCase.settings = try value["settings"].list { pair throws(ManifestMistake) in
      let words = try pair.list { word throws(ManifestMistake) in try word.text }
      guard words.count == 2 else { throw ManifestMistake(message: "a setting is a pair") }
      return RenderRequest.Setting(words[0], words[1])
    }
    testCase.scene = try value.optional("scene")?.text
    for (name, path) in try value["inputs"].members {
      testCase.inputs[name] = .file(try path.text)
    }
    testCase.duration = try value.optional("duration")?.number
    testCase.sampleRate = try value["sampleRate"].number
    testCase.channels = try value["channels"].integer
    self.init(testCase, folder: try value["folder"].text)
    blockSize = try value.optional("blockSize")?.integer
    repeats = try value["repeats"].integer
    isMeasured = try value["isMeasured"].flag
    triesParts = try value["triesParts"].flag
    // What is said about levels is said of a signal that leaves room.
    self.testCase.defaultSignals = triesParts ? .own : .shared
    recordedNode = try value.optional("recordedNode")?.text
  }
}
