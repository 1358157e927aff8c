import FxAudio
import FxChain
import FxKit

extension CaseVerdict {
  /// Reads a `record`; nil for other data.
  package init?(record bytes: [UInt8]) {
    var found = Diagnostics()
    guard
      let document = JSONDocument.read(
        SourceText(path: "verdict", bytes: bytes), into: &found), !found.hasErrors
    else { return nil }
    do throws(Failure) {
      try self.init(ManifestValue(document.root, "the verdict"))
    } catch {
      return nil
    }
  }

  private init(_ value: ManifestValue) throws(Failure) {
    let outcome: Outcome
    switch try value["outcome"].text {
    case "passed": outcome = .passed
    case "new": outcome = .new
    case "differs": outcome = .differs
    case "failed": outcome = .failed(try ChainFailure(value["failure"]))
    case let word: throw Failure(.badRecord, "no outcome is called \(word)")
    }
    self.init(name: try value["name"].text, outcome: outcome)
    seconds = try value["seconds"].number
    environment = try value.optional("environment")?.list(EnvironmentChange.init) ?? []
    outputs = try value.optional("outputs")?.list(Output.init) ?? []
    divergences = try value.optional("divergences")?.list(Divergence.init) ?? []
    slowdowns = try value.optional("slowdowns")?.list(Slowdown.init) ?? []
    warnings =
      try value.optional("warnings")?.list { value throws(Failure) in try value.text } ?? []
    notes =
      try value.optional("notes")?.list { value throws(Failure) in try value.text } ?? []
  }
}

extension CaseVerdict.EnvironmentChange {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      try value["kind"].word(Kind.self), node: try value.optional("node")?.text,
      try value["message"].text)
  }
}

extension CaseVerdict.Output {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      name: try value["name"].text, isSame: try value["isSame"].flag,
      isWithinTolerance: try value["isWithinTolerance"].flag,
      comparison: try value.optional("comparison").map(Comparison.init))
  }
}

extension CaseVerdict.Divergence {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      try value["place"].word(Place.self), node: try value["node"].text,
      unit: try value["unit"].text, frame: try value["frame"].integer,
      levelThen: try value.optional("levelThen")?.level,
      levelNow: try value.optional("levelNow")?.level)
  }
}

extension CaseVerdict.Slowdown {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      node: try value.optional("node")?.text, then: try value["then"].number,
      now: try value["now"].number)
  }
}
