import FxAudio
import FxChain
import FxKit

/// The request to the process of a case: its task, and the case with its test file.
struct CaseRequest: Sendable {
  let task: CaseHost.Task
  let testCase: TestCase

  var json: JSONOutput {
    .members([
      "task": task.json, "case": .string(testCase.name), "file": .string(testCase.file),
      "text": .string(String(decoding: testCase.text, as: UTF8.self)),
      // The caller may use another block size than the file.
      "blockSize": testCase.blockSize.map { .integer($0) }, "threads": .integer(testCase.threads),
      "sharesGolden": .bool(testCase.sharesGolden),
    ])
  }

  init(_ task: CaseHost.Task, _ testCase: TestCase) {
    self.task = task
    self.testCase = testCase
  }

  init(_ value: ManifestValue) throws(Failure) {
    task = try CaseHost.Task(value["task"])
    let name = try value["case"].text
    let file = CaseFile(bytes: Array(try value["text"].text.utf8), path: try value["file"].text)
    guard var testCase = file.cases.first(where: { $0.name == name }) else {
      throw Failure(.badRecord, "the file has no case '\(name)'")
    }
    testCase.blockSize = try value.optional("blockSize")?.integer
    testCase.threads = try value["threads"].integer
    testCase.sharesGolden = try value["sharesGolden"].flag
    self.testCase = testCase
  }
}

extension CaseHost.Task {
  fileprivate var json: JSONOutput {
    switch self {
    case .check(let artifacts):
      .members([
        "kind": .string("check"), "folder": artifacts.map { .string($0.folder) },
        "name": artifacts.map { .string($0.name) },
      ])
    case .record(let folder, let fill, let signals):
      .members([
        "kind": .string("record"), "folder": .string(folder), "fill": .integer(fill),
        "signals": .integer(signals.rawValue),
      ])
    case .replace(let folder):
      .members(["kind": .string("replace"), "folder": .string(folder)])
    case .cost: .members(["kind": .string("cost")])
    case .exercise: .members(["kind": .string("exercise")])
    }
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    switch try value["kind"].text {
    case "check":
      let folder = try value.optional("folder")?.text
      let name = try value.optional("name")?.text
      self = .check(
        artifacts: folder.map { CaseHost.Artifacts(folder: $0, name: name ?? "") })
    case "record":
      guard let signals = DefaultSignals(rawValue: try value["signals"].integer) else {
        throw Failure(.badRecord, "the signals are unknown")
      }
      self = .record(
        folder: try value["folder"].text, fill: try value["fill"].integer, signals: signals)
    case "replace": self = .replace(folder: try value["folder"].text)
    case "cost": self = .cost
    case "exercise": self = .exercise
    case let kind: throw Failure(.badRecord, "there is no task '\(kind)'")
    }
  }
}
