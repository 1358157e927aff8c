import CRealtime
import FxEngine
import FxKit

/// Finds the parts of a chain that a case does not exercise: nodes and connections whose removal
/// does not change the sound. Each part is removed in turn and the case is rendered again; equal
/// digests mean no change. Connections with a silent signal need no render.
struct Exercise {
  /// A node or a connection.
  package struct Part: Sendable, Equatable {
    /// The node itself, or the node that receives the connection.
    package var node: Int
    /// `'limiter'`, `the connection 'music -> duck.sidechain'`.
    package var words: String

    package init(node: Int, words: String) {
      self.node = node
      self.words = words
    }
  }

  private let testCase: TestCase
  private let graph: Graph
  private let plain: CaseRendering
  /// Seconds after which no more parts are tried.
  private let limit: Double

  static let defaultLimit = 10.0

  /// - Throws: `ChainFailure` if the case cannot be rendered.
  package init(
    _ testCase: TestCase, limit: Double = Exercise.defaultLimit
  ) throws(ChainFailure) {
    self.testCase = testCase
    self.limit = limit
    var options = CaseRendering.Options()
    options.wantsFingerprints = true
    plain = try CaseRendering(testCase, options)
    graph = plain.resolved
  }

  /// Sentences, the most useful first, and a last one if the time was too short for all parts.
  package var warnings: [String] {
    let (parts, isWhole) = unheard
    var lines = parts.prefix(8).map {
      "this case does not exercise \($0.words): without it the sound is the same"
    }
    if parts.count > 8 { lines.append("and \(parts.count - 8) more parts of the chain") }
    if !isWhole {
      lines.append("the chain is too large to try whether this case exercises all of it")
    }
    return lines
  }

  /// The parts whose removal does not change the sound; `isWhole` is false if not all parts were
  /// tried.
  var unheard: (parts: [Part], isWhole: Bool) {
    let start = fx_monotonic_seconds()
    var found: [Part] = []
    for (part, change) in nodeChanges + connectionChanges {
      guard fx_monotonic_seconds() - start < limit else { return (found, false) }
      if let change {
        var options = CaseRendering.Options()
        options.change = change
        guard let other = try? CaseRendering(testCase, options),
          other.outputs.map(\.digest) == plain.outputs.map(\.digest)
        else { continue }
      }
      found.append(part)
    }
    return (found, true)
  }

  private typealias Change = @Sendable (inout Graph) -> Void

  /// Bypasses every unit that has an input and is not bypassed already.
  private var nodeChanges: [(Part, Change?)] {
    graph.nodes.indices.compactMap { node in
      guard case .unit(let unit) = graph.nodes[node].content,
        unit.values.indices.contains(unit.slots.bypass), unit.values[unit.slots.bypass] == 0,
        !graph.nodes[node].inputs.isEmpty
      else { return nil }
      let slot = unit.slots.bypass
      return (
        Part(node: node, words: "'\(graph.nodes[node].id)'"),
        { graph in
          guard case .unit(var unit) = graph.nodes[node].content else { return }
          unit.values[slot] = 1
          unit.automation.removeAll { $0.slot == slot }
          graph.nodes[node].content = .unit(unit)
          graph.nodes[node].keepsDry = true
        }
      )
    }
  }

  /// Removes every connection into a node with several connections; nil for connections with a
  /// silent signal. A node's only connection is covered by the test of the node.
  private var connectionChanges: [(Part, Change?)] {
    let facts = GraphFact.connections(of: graph)
    return graph.connections.indices.compactMap { index in
      let connection = graph.connections[index]
      let heard = graph.connections.filter { $0.to.node == connection.to.node }
      guard connection.gain != 0, heard.count > 1, facts.indices.contains(index) else { return nil }
      let part = Part(node: connection.to.node, words: "the connection '\(facts[index].name)'")
      if isSilent(connection.from.node) { return (part, nil) }
      // Without its only connection a sidechain input counts as unconnected; a sum keeps its
      // channel count.
      let isAlone = heard.count { $0.to.bus == connection.to.bus } == 1
      guard isAlone, connection.to.bus > 0 else {
        return (part, { $0.connections[index].gain = 0 })
      }
      return (part, { $0.connections.remove(at: index) })
    }
  }

  private func isSilent(_ node: Int) -> Bool {
    let id = graph.nodes[node].id
    return plain.fingerprints.nodes.first { $0.id == id }?.output?.peak == 0
  }
}
