import FxAudio

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
    /// There is nothing to compare with.
    case unknown

    var words: String {
      switch self {
      case .same: "same"
      case .differs: "differs"
      case .begins: "begins here"
      case .unsteady: "does not repeat"
      case .gone: "missing"
      case .new: "new"
      case .unknown: "not compared"
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
    then: NodePrints?, now: NodePrints?, divergences: [CaseVerdict.Divergence]
  ) -> [NodeRow] {
    guard let present = now ?? then else { return [] }
    let before = Dictionary((then?.nodes ?? []).map { ($0.id, $0) }) { first, _ in first }
    let differences =
      if let then, let now { NodeDifferences(then: then, now: now) } else { NodeDifferences?.none }
    let origins = Dictionary(divergences.map { ($0.node, $0) }) { first, _ in first }
    var rows = present.nodes.map { node -> NodeRow in
      let old = before[node.id]
      let windows = differences?.windows[node.id]
      let first = [windows?.input, windows?.output].compactMap { $0 }.min()
      var row = NodeRow(
        id: node.id, unit: node.unit, sources: node.sources, delays: node.delays, status: .unknown,
        levelThen: level(old), levelNow: now == nil ? nil : level(node),
        firstFrame: first.map { $0 * (differences?.windowFrameCount ?? 1) })
      if let differences {
        if origins[node.id] != nil {
          row.status = .begins
        } else if old == nil || old?.unit != node.unit {
          row.status = .new
        } else if old?.repeats == false {
          row.status = .unsteady
        } else {
          row.status = differences.isChanged(node.id) ? .differs : .same
        }
      }
      if let origin = origins[node.id] { row.firstFrame = origin.frame }
      return row
    }
    guard let then, now != nil else { return rows }
    let ids = Set(present.nodes.map(\.id))
    for (index, node) in then.nodes.enumerated() where !ids.contains(node.id) {
      let row = NodeRow(
        id: node.id, unit: node.unit, sources: node.sources, delays: node.delays, status: .gone,
        levelThen: level(node), levelNow: nil, firstFrame: origins[node.id]?.frame)
      let previous = then.nodes[..<index].last.flatMap { last in
        rows.firstIndex { $0.id == last.id }
      }
      rows.insert(row, at: previous.map { $0 + 1 } ?? 0)
    }
    return rows
  }

  private static func level(_ node: NodePrint?) -> Double? {
    (node?.output ?? node?.input).map { Math.decibels(amplitude: $0.rms) }
  }

  /// `compressor`, and of a plugin's URI the last part.
  var shortUnit: String {
    guard unit.contains("/") || unit.contains("#") else { return unit }
    return unit.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? unit
  }
}
