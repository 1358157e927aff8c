@testable import FxChecks
import Testing

/// The nodes at which two renders begin to differ.
@Suite struct DivergenceTests {
  private let folder = CaseFolder()

  /// A voice with a dry and a wet path, and a loop around the wet one.
  private func graph(
    low: String = "100 Hz", depth: String = "-6 dB", send: String = "-3 dB",
    back: String = "-12 dB",
    unit: String = "highPass", mixes: String = "\"tone -> mix\", "
  ) -> String {
    """
    { "version": 1, "tail": "none",
      "nodes": {
        "in": { "source": "main" },
        "tone": { "unit": "\(unit)", "parameters": { "frequency": "\(low)" } },
        "depth": { "unit": "gain", "parameters": { "gain": "\(depth)" } },
        "dark": { "unit": "lowPass", "parameters": { "frequency": "2 kHz" } },
        "mix": { "unit": "mixer" },
        "out": { "sink": "main" }
      },
      "connections": [ "in -> tone", \(mixes)
        { "from": "tone", "to": "depth", "gain": "\(send)" }, "depth -> mix",
        { "from": "depth", "to": "dark", "gain": "\(back)", "feedback": true, "delay": "5 ms" },
        "dark -> depth", "mix -> out" ] }
    """
  }

  private func divergences(_ then: String, _ now: String) throws -> [CaseVerdict.Divergence] {
    try folder.rendering(now).fingerprints.divergences(from: folder.rendering(then).fingerprints)
  }

  @Test func `the same chain has no divergence at any block size`() throws {
    let then = try folder.rendering(graph()).fingerprints
    for blockSize in [1, 7, 64, 1024] {
      let now = try folder.rendering(graph(), blockSize: blockSize).fingerprints
      #expect(now.divergences(from: then).isEmpty, "\(blockSize)")
    }
  }

  @Test func `a change of a value begins at its node, before all nodes behind it`() throws {
    let found = try divergences(graph(), graph(low: "100.01 Hz"))
    #expect(found.map(\.node) == ["tone"])
    #expect(found.first?.place == .node)
    #expect(found.first?.frame == 0)
  }

  @Test func `a changed node within a loop is separated from the nodes behind it`() throws {
    let found = try divergences(graph(), graph(depth: "-6.01 dB"))
    #expect(found.map(\.node) == ["depth"])
    #expect(found.first?.place == .node)
  }

  @Test func `a change of a connection's gain begins at the node that it leads to`() throws {
    let found = try divergences(graph(), graph(send: "-3.1 dB"))
    #expect(found.map(\.node) == ["depth"])
    #expect(found.first?.place == .connection)
  }

  @Test func `a feedback connection is reported at the frame of its first effect`() throws {
    let found = try divergences(graph(), graph(back: "-12.1 dB"))
    #expect(found.map(\.node) == ["dark"])
    #expect(found.first?.place == .connection)
    #expect(found.first.map { $0.frame > 0 && $0.frame <= 240 } == true)
  }

  @Test func `a removed connection begins at the node that it led to`() throws {
    let found = try divergences(graph(), graph(mixes: ""))
    #expect(found.map(\.node) == ["mix"])
    #expect(found.first?.place == .connection)
  }

  @Test func `a different unit under the same name is a changed structure`() throws {
    let found = try divergences(graph(), graph(unit: "lowPass"))
    #expect(found.first?.node == "tone")
    #expect(found.first?.place == .structure)
  }

  @Test func `swapped nodes begin where the signal changes, within a loop too`() throws {
    func row(_ first: String, _ second: String, back: String) -> String {
      #"""
      { "version": 1, "tail": "none", "nodes": { "in": { "source": "main" },
        "sum": { "unit": "mixer" }, "a": { "unit": "lowPass" }, "b": { "unit": "highPass" },
        "out": { "sink": "main" } },
        "connections": ["in -> sum:dry", "sum -> \#(first) -> \#(second) -> out"\#(back)] }
      """#
    }
    for loops in [false, true] {
      func back(_ node: String) -> String {
        guard loops else { return "" }
        return #", { "from": "\#(node)", "to": "sum:back", "feedback": true, "delay": "1 ms" }"#
      }
      let found = try divergences(row("a", "b", back: back("b")), row("b", "a", back: back("a")))
      #expect(found.map(\.node) == ["b"], "\(loops)")
      #expect(found.first?.place == .connection)
    }
  }

  @Test func `two changes on separate branches are both reported`() throws {
    let then = #"""
      { "version": 1, "nodes": { "in": { "source": "main" }, "a": { "unit": "gain" },
        "b": { "unit": "gain" }, "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
        "connections": ["in -> a -> mix", "in -> b -> mix", "mix -> out"] }
      """#
    let now = then.replacing(
      "\"gain\" }", with: "\"gain\", \"parameters\": { \"gain\": \"-1 dB\" } }")
    #expect(try divergences(then, now).map(\.node) == ["a", "b"])
  }

  @Test func `a removed node is named, not the new connection in its place`() throws {
    let then = #"{ "version": 1, "chain": [ { "unit": "gain" }, { "unit": "lowPass" } ] }"#
    let now = #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#
    let found = try divergences(then, now)
    #expect(found.map(\.node) == ["lowPass"])
    #expect(found.first?.place == .structure)
  }

  @Test func `a node is not suspected if only its input does not repeat itself`() throws {
    var then = try folder.rendering(graph()).fingerprints
    let now = try folder.rendering(graph(low: "101 Hz")).fingerprints
    for index in then.nodes.indices where then.nodes[index].id == "tone" {
      then.nodes[index].repeats = false
    }
    let found = now.divergences(from: then)
    #expect(found.map(\.node) == ["tone"])
    #expect(found.first?.place == .unsteady)
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
