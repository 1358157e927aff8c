import FxGoldens

/// A node of the chain, then and now.
struct NodeRow: Equatable {
  enum Status: String, CaseIterable {
    case same
    /// Its sound is another one, because what it hears is.
    case differs
    /// The first that makes something else.
    case begins
    /// Two renders of the same differed already when the golden was made.
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
  /// Decibels, the RMS of what it puts out; of what it hears for a sink.
  var levelThen: Double?
  var levelNow: Double?
  /// A frame at or before the first that differs.
  var firstFrame: Int?

  /// All nodes in the order of rendering, those that are gone where they were.
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

  /// `compressor`, and of a plugin's URI the last part.
  var shortUnit: String {
    guard unit.contains("/") || unit.contains("#") else { return unit }
    return unit.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? unit
  }
}
