import FxKit

/// What each node took of a render, as a table: the heaviest first.
struct ProfileReport {
  let costs: [NodeCost]
  /// Frames a second, for how much of one processor it is while it plays.
  let sampleRate: Double

  var text: String {
    guard !costs.isEmpty else { return "" }
    let between = "(between the nodes)"
    let rows =
      [["node", "unit", "share", "ns/frame", "longest block"]]
      + costs.map { cost in
        [
          cost.node.isEmpty ? between : plain(cost.node), plain(cost.unit),
          Text.decimal(cost.share * 100, 1) + " %", Text.decimal(cost.nanosecondsPerFrame, 1),
          Self.microseconds(cost, sampleRate),
        ]
      } + [total]
    return TerminalText.table(rows, leftColumns: 2)
  }

  private var total: [String] {
    let nanoseconds = costs.reduce(0) { $0 + $1.nanosecondsPerFrame }
    let share = nanoseconds * sampleRate / 1e9
    return [
      "all", "", "100.0 %", Text.decimal(nanoseconds, 1),
      "\(LiveView.percent(share)) of real time",
    ]
  }

  private static func microseconds(_ cost: NodeCost, _ sampleRate: Double) -> String {
    guard cost.load.mean > 0 else { return "" }
    // The longest block is so much longer than the mean one.
    return "\(Text.decimal(cost.load.maximum / cost.load.mean, 1))× the mean"
  }

  private func plain(_ text: String) -> String { TerminalText.plain(text) }
}
