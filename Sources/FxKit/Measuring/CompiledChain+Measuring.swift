import FxAudio
import FxChain
import FxEngine

/// The nodes of a chain that measure the whole sound before they render.
extension CompiledChain {
  static let peakMeasurement = "peak"

  /// By node: a word for what it measures. These are measuring units and normalized sinks.
  var measuringNodes: [Int: String] {
    var nodes = measuringUnits
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard case .sink(let endpoint, _) = node.content, endpoint.encoding.normalizedPeak != nil
      else { continue }
      nodes[index] = Self.peakMeasurement
    }
    return nodes
  }

  /// The same for a request, with the sinks that it normalizes.
  func measuringNodes(_ request: RenderRequest) -> [Int: String] {
    var nodes = measuringNodes
    for sink in plan.sinks {
      guard let endpoint = endpoint(ofSink: sink), endpoint.nature != .discarded,
        request.encoding(of: endpoint).normalizedPeak != nil
      else { continue }
      nodes[sink.node] = Self.peakMeasurement
    }
    return nodes
  }

  /// An error at the first node that needs to measure the whole sound; nil if there is none.
  func wholeSoundMistake(_ nodes: [Int: String], where place: String) -> Diagnostic? {
    let open = nodes.keys.filter { !unmeasuredUnits.contains($0) }
    guard let first = open.min(), let what = nodes[first] else { return nil }
    return built.diagnostic(
      forNode: first, .needsWholeSound,
      "'\(resolved.graph.nodes[first].id)' measures the \(what) of the whole sound before it renders, "
        + "which \(place) does not have",
      hints: ["render into a file with -o, or take the node out"])
  }

  /// The analyzer of a unit's input before the render; nil for other nodes.
  func analyzer(ofNode index: Int) -> (any Analyzer)? {
    guard let unit = resolved.graph.nodes[index].unit else { return nil }
    let type = try? settings.units.type(of: unit.kind)
    return type?.analyzer(preparation(index, unit))
  }

  /// Remarks on the measurements for the user, by node: `'loudness': target missed by 1.2 LU`.
  var measuringRemarks: [String] {
    measuringUnits.keys.sorted().compactMap { index in
      guard let unit = resolved.graph.nodes[index].unit, settings.measured[index] != nil,
        let type = try? settings.units.type(of: unit.kind)
      else { return nil }
      return type.remark(preparation(index, unit)).map {
        "'\(resolved.graph.nodes[index].id)': \($0)"
      }
    }
  }

  /// An error for a measuring node inside a loop, which would measure its own output.
  func measuringMistake() -> Diagnostic? {
    measuringUnits.keys.filter(loopNodes.contains).min().map { node in
      built.diagnostic(
        forNode: node, .cycle,
        "'\(resolved.graph.nodes[node].id)' measures its whole input before it renders, and so "
          + "cannot be in a loop",
        hints: ["put it before or behind the loop"])
    }
  }
}
