import FxAnalysis
import FxAudio

/// What every node made then and now, as a drawing of the graph and as a table.
struct NodeSection {
  enum State: String {
    case same, differs, begins, unsteady, new, gone

    var words: String {
      switch self {
      case .same: "the same"
      case .differs: "differs"
      case .begins: "differs from here on"
      case .unsteady: "does not repeat itself"
      case .new: "is new"
      case .gone: "is gone"
      }
    }
  }

  struct Row {
    var id: String
    var unit: String
    var sources: [String]
    var state: State
    var levelThen: Double?
    var levelNow: Double?
    var firstFrame: Int?
  }

  let rows: [Row]

  init(then: NodePrints, now: NodePrints, divergences: [CaseVerdict.Divergence]) {
    let differences = NodeDifferences(then: then, now: now)
    let before = Dictionary(then.nodes.map { ($0.id, $0) }) { first, _ in first }
    let origins = Set(divergences.map(\.node))
    var rows = now.nodes.map { node -> Row in
      let old = before[node.id]
      var state: State = differences.isChanged(node.id) ? .differs : .same
      if old == nil { state = .new }
      if old?.repeats == false { state = .unsteady }
      if origins.contains(node.id) { state = old == nil ? .new : .begins }
      return Row(
        id: node.id, unit: node.unit, sources: node.sources, state: state,
        levelThen: old.flatMap(Self.level), levelNow: Self.level(node),
        firstFrame: differences.firstFrame(node.id))
    }
    let names = Set(now.nodes.map(\.id))
    for node in then.nodes where !names.contains(node.id) {
      rows.append(
        Row(
          id: node.id, unit: node.unit, sources: node.sources, state: .gone,
          levelThen: Self.level(node), levelNow: nil, firstFrame: nil))
    }
    self.rows = rows
  }

  private static func level(_ node: NodePrint) -> Double? {
    (node.output ?? node.input).map { Math.decibels(amplitude: $0.rms) }
  }

  var table: String {
    func words(_ level: Double?) -> String {
      guard let level else { return "–" }
      return level == -.infinity ? "silent" : "\(Figures.fixed(level, places: 1)) dB"
    }
    let lines = rows.map { row in
      "<tr class=\"\(row.state.rawValue)\"><th scope=\"row\">\(Markup.escaped(row.id))</th>"
        + "<td class=\"unit\">\(Markup.escaped(row.unit))</td>"
        + "<td class=\"number\">\(words(row.levelThen))</td>"
        + "<td class=\"number\">\(words(row.levelNow))</td><td>\(row.state.words)</td>"
        + "<td class=\"number\">\(row.firstFrame.map(String.init) ?? "")</td></tr>"
    }
    return "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">node</th>"
      + "<th scope=\"col\">unit</th><th scope=\"col\" class=\"number\">RMS then</th>"
      + "<th scope=\"col\" class=\"number\">now</th><th scope=\"col\"></th>"
      + "<th scope=\"col\" class=\"number\">from frame</th></tr></thead><tbody>"
      + lines.joined() + "</tbody></table></div>"
  }
}

extension NodeDifferences {
  /// The first frame at which a node may differ, by its prints.
  func firstFrame(_ id: String) -> Int? { firstWindow(id).map { $0 * windowFrameCount } }
}
