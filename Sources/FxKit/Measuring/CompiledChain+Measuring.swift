import FxAudio
import FxChain
package import FxDiagnostics
import FxGraph

/// The nodes of a chain that measure the whole sound before they render.
extension CompiledChain {
  static let peakMeasurement = "peak"

  /// What each of them measures, in a word: units that say so, and sinks that the chain normalizes.
  package var measuringNodes: [Int: String] {
    var nodes = measuringUnits
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard case .sink(let endpoint, _) = node.content, endpoint.encoding.normalizedPeak != nil
      else { continue }
      nodes[index] = Self.peakMeasurement
    }
    return nodes
  }

  /// Why nodes that measure the whole sound cannot be played, at the first of them; nil where they
  /// can.
  package func wholeSoundMistake(_ nodes: [Int: String], where place: String) -> Diagnostic? {
    let open = nodes.keys.filter { !unmeasuredUnits.contains($0) }
    guard let first = open.min(), let what = nodes[first] else { return nil }
    return built.diagnostic(
      forNode: first, .needsWholeSound,
      "'\(resolved.graph.nodes[first].id)' measures the \(what) of the whole sound before it renders, "
        + "which \(place) does not have",
      hints: ["render into a file with -o, or take the node out"])
  }

  /// What measures the input of a unit before it renders; nil for any other node.
  func analyzer(ofNode index: Int) -> (any Analyzer)? {
    guard let unit = resolved.graph.nodes[index].unit else { return nil }
    let type = try? UnitLibrary.shared.type(of: unit.kind)
    return type?.analyzer(preparation(index, unit, isLive: false))
  }

  /// What users should know of what was measured, by node: `'loudness': target missed by 1.2 LU`.
  var measuringRemarks: [String] {
    measuringUnits.keys.sorted().compactMap { index in
      guard let unit = resolved.graph.nodes[index].unit, measured[index] != nil,
        let type = try? UnitLibrary.shared.type(of: unit.kind)
      else { return nil }
      return type.remark(preparation(index, unit, isLive: false)).map {
        "'\(resolved.graph.nodes[index].id)': \($0)"
      }
    }
  }

  /// A node that measures what it makes itself.
  func measuringMistake() -> Diagnostic? {
    measuringUnits.keys.filter(loopNodes.contains).min().map { node in
      built.diagnostic(
        forNode: node, .cycle,
        "'\(resolved.graph.nodes[node].id)' measures the whole sound that reaches it before it "
          + "renders, and what it makes comes back to it",
        hints: ["put it before or behind the loop"])
    }
  }
}
