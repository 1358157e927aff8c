package import FxAudio
package import FxChain
package import FxKit

extension ChainFailure {
  package var json: JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "code": .string(code), "message": .string(message),
      "path": path.map { .string($0) },
      "hints": hints.isEmpty ? nil : .array(hints.map { .string($0) }),
    ])
  }

  package init(_ value: ManifestValue) throws(Failure) {
    let hints = try value.optional("hints")?.list { value throws(Failure) in
      try value.text
    }
    self.init(
      // A crash report has only these keys.
      try value["kind"].word(Kind.self), codeText: try value["code"].text,
      try value["message"].text, path: try value.optional("path")?.text, hints: hints ?? [])
  }
}
