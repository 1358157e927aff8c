import FxKit

/// The cost of each node in a render as a table, the most expensive first.
struct ProfileReport {
  let costs: [NodeCost]
  /// The sample rate, to compute the share of one processor during playback.
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
    // The longest block relative to the mean.
    return "\(Text.decimal(cost.load.maximum / cost.load.mean, 1))× the mean"
  }

  private func plain(_ text: String) -> String { TerminalText.plain(text) }
}
