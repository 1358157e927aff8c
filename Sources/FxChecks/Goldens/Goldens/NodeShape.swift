import FxAudio
import FxEngine
import FxKit
import FxLV2

/// How a unit stands in a rendered chain: its latency, the channels of its ports, and how many
/// instances of a plugin it needs.
package struct NodeShape: Sendable, Equatable {
  package var node: String
  /// In frames.
  package var latency: Int
  /// The layout of each bus: `stereo`.
  package var inputs: [String]
  package var outputs: [String]
  /// The instances of a plugin; nil for a built-in unit.
  package var instances: Int? = nil

  /// The units of a compiled chain, in the order of its nodes.
  static func shapes(of compiled: CompiledChain) -> [NodeShape] {
    let (plan, resolved) = (compiled.plan, compiled.resolved)
    return resolved.graph.nodes.indices.compactMap { index in
      guard case .unit(let unit) = resolved.graph.nodes[index].content else { return nil }
      var instances: Int?
      if case .lv2(let uri) = unit.kind {
        let width = resolved.inputWidths[index].first ?? 0
        instances = UnitLibrary.shared.plugins.describe(uri: uri)?.instanceCount(width: width)
      }
      return NodeShape(
        node: resolved.graph.nodes[index].id, latency: plan.nodes[index].latency,
        inputs: resolved.layouts.inputs[index].map(\.description),
        outputs: resolved.layouts.outputs[index].map(\.description), instances: instances)
    }
  }

  /// What has changed since an earlier render, as sentences.
  func changes(since old: NodeShape) -> [String] {
    var changes: [String] = []
    func list(_ layouts: [String]) -> String {
      layouts.isEmpty ? "none" : layouts.joined(separator: ", ")
    }
    if latency != old.latency {
      changes.append("the latency of '\(node)' is \(latency) frames, was \(old.latency)")
    }
    if inputs != old.inputs {
      changes.append("the inputs of '\(node)' are \(list(inputs)), were \(list(old.inputs))")
    }
    if outputs != old.outputs {
      changes.append("the outputs of '\(node)' are \(list(outputs)), were \(list(old.outputs))")
    }
    if let instances, let before = old.instances, instances != before {
      changes.append(
        "the plugin of '\(node)' runs in \(instances) instance\(instances == 1 ? "" : "s"), ran in "
          + "\(before)")
    }
    return changes
  }
}
