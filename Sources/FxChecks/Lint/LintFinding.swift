package import FxChain

/// One finding of a lint.
package struct LintFinding: Sendable, Equatable {
  package struct Figure: Sendable, Equatable {
    /// The name in JSON, such as `difference` for a level in dB of full scale.
    package var name: String
    package var value: Double
  }

  package var diagnostic: Diagnostic
  /// The node's id; nil for a finding about the text of the chain.
  package var node: String?
  package var figures: [Figure]

  package init(_ diagnostic: Diagnostic, node: String? = nil, figures: [Figure] = []) {
    self.diagnostic = diagnostic
    self.node = node
    self.figures = figures
  }
}

/// All findings about one chain, in the order of its text.
package struct LintReport: Sendable {
  package var findings: [LintFinding]

  package init(_ findings: [LintFinding]) {
    let sorted = Diagnostics(findings.map(\.diagnostic)).sorted().all
    var left = findings
    self.findings = sorted.compactMap { diagnostic in
      left.firstIndex { $0.diagnostic == diagnostic }.map { left.remove(at: $0) }
    }
  }

  package var diagnostics: Diagnostics { Diagnostics(findings.map(\.diagnostic)) }

  package var json: JSONOutput {
    .members([
      "findings": .array(findings.map(\.json)),
      "warnings": .integer(findings.count { $0.diagnostic.severity == .warning }),
      "notes": .integer(findings.count { $0.diagnostic.severity == .note }),
    ])
  }
}

extension LintFinding {
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = []
    if let node { members.append(.init("node", .string(node))) }
    members += figures.map { .init($0.name, .number(($0.value * 1000).rounded() / 1000)) }
    return diagnostic.json.with(members)
  }
}
