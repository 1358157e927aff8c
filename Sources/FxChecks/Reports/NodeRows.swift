/// A node of the chain, then and now.
struct NodeRow: Equatable {
  enum Status: String, CaseIterable {
    case same
    /// Its output differs because its input does.
    case differs
    /// The difference begins at this node.
    case begins
    /// Two renders already differed when the golden was made.
    case unsteady
    case gone
    case new

    var words: String {
      switch self {
      case .same: "the same"
      case .differs: "differs"
      case .begins: "differs from here on"
      case .unsteady: "does not repeat itself"
      case .gone: "is gone"
      case .new: "is new"
      }
    }
  }

  var id: String
  var unit: String
  var sources: [String]
  var delays: [String: Int]
  var status: Status
  /// The RMS level of the output in decibels; of the input for a sink.
  var levelThen: Double?
  var levelNow: Double?
  /// A frame at or before the first one that differs.
  var firstFrame: Int?

  /// All nodes in rendering order; removed nodes are at their old positions.
  static func rows(
    then: NodeFingerprints, now: NodeFingerprints, divergences: [CaseVerdict.Divergence]
  ) -> [NodeRow] {
    let before = Dictionary(then.nodes.map { ($0.id, $0) }) { first, _ in first }
    let differences = NodeDifferences(then: then, now: now)
    let origins = Dictionary(divergences.map { ($0.node, $0.frame) }) { first, _ in first }
    let lowering = NodeFingerprints.lowering(then: then, now: now)
    var rows = now.nodes.map { node -> NodeRow in
      let old = before[node.id]
      let windows = differences.windows[node.id]
      let first = [windows?.input, windows?.output].compactMap { $0 }.min()
      var row = NodeRow(
        id: node.id, unit: node.unit, sources: node.sources, delays: node.delays,
        status: first == nil ? .same : .differs, levelThen: old?.level.map { $0 + lowering.then },
        levelNow: node.level.map { $0 + lowering.now },
        firstFrame: origins[node.id] ?? first.map { $0 * differences.windowFrameCount })
      if old?.repeats == false { row.status = .unsteady }
      if origins[node.id] != nil { row.status = .begins }
      if old == nil || old?.unit != node.unit { row.status = .new }
      return row
    }
    let ids = Set(now.nodes.map(\.id))
    for (index, node) in then.nodes.enumerated() where !ids.contains(node.id) {
      let row = NodeRow(
        id: node.id, unit: node.unit, sources: node.sources, delays: node.delays, status: .gone,
        levelThen: node.level.map { $0 + lowering.then }, levelNow: nil,
        firstFrame: origins[node.id])
      let previous = then.nodes[..<index].last.flatMap { last in
        rows.firstIndex { $0.id == last.id }
      }
      rows.insert(row, at: previous.map { $0 + 1 } ?? 0)
    }
    return rows
  }

  /// `compressor`; for a plugin, the last part of its URI.
  var shortUnit: String {
    guard unit.contains("/") || unit.contains("#") else { return unit }
    return unit.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? unit
  }
}
