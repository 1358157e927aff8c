import FxAudio
import FxChain
import FxKit

/// The task of a process that renders for a lint.
struct LintTask: Sendable {
  var testCase: TestCase
  var blockSize: Int?
  /// The number of renders, one after another; earlier instances are kept.
  var repeats = 1
  /// Measures each node, with denormals kept and with silence after the sound.
  var isMeasured = false
  /// Only looks for parts of the chain that the signals do not exercise.
  var triesParts = false
  /// The node to record, in one file for each render.
  var recordedNode: String?
  /// The folder for recordings.
  var folder: String

  init(_ testCase: TestCase, folder: String) {
    self.testCase = testCase
    self.folder = folder
  }

  /// Seconds to render after the end of the sound, to see what remains of it.
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

  init(_ value: ManifestValue) throws(Failure) {
    var testCase = TestCase(
      name: "lint", file: "", chain: try value["chain"].text, expectation: .manifest(""))
    for (name, text) in try value["variables"].members {
      testCase.variables[name] = try text.text
    }
    testCase.settings = try value["settings"].list { pair throws(Failure) in
      let words = try pair.list { word throws(Failure) in try word.text }
      guard words.count == 2 else { throw Failure(.badRecord, "a setting is a pair") }
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
    // Level findings need a signal with headroom.
    self.testCase.defaultSignals = triesParts ? .own : .shared
    recordedNode = try value.optional("recordedNode")?.text
  }
}
