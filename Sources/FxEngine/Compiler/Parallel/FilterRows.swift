import FxAudio

extension Partition {
  /// The share of its time that a filter adds to a pass with a heavier one. A thread that waits for
  /// the last result of one filter computes others meanwhile.
  private static let joinedShare = 0.4

  /// Ranges of starts whose units share a pass, two or more in each.
  func rows(_ schedule: Schedule) -> [Range<Int>] {
    guard filterCounts.contains(where: { $0 > 0 }) else { return [] }
    var readers: [Int: Int] = [:]
    for step in schedule.steps { for value in step.reads { readers[value, default: 0] += 1 } }
    for port in schedule.sinks { for value in port.buffers { readers[value, default: 0] += 1 } }
    var rows: [Range<Int>] = []
    var first = 0
    while first < schedule.starts.count {
      var counts: [Int] = []
      while let filters = filters(first + counts.count, schedule),
        counts.isEmpty
          || filters.inputs == self.filters(first + counts.count - 1, schedule)?.outputs
            && filters.inputs.allSatisfy({ readers[$0] == 1 })
      { counts.append(filters.count) }
      var start = first
      for count in FilterRow.passes(counts) {
        if count > 1 { rows.append(start..<start + count) }
        start += count
      }
      first += max(1, counts.count)
    }
    return rows
  }

  /// The filters of a start that consists only of a filter unit; nil for any other start.
  private func filters(
    _ start: Int, _ schedule: Schedule
  ) -> (count: Int, inputs: [Int], outputs: [Int])? {
    let starts = schedule.starts
    guard starts.indices.contains(start), starts[start].nodes.count == 1 else { return nil }
    let end = start + 1 < starts.count ? starts[start + 1].step : schedule.steps.count
    guard end == starts[start].step + 1,
      case .run(let node, let inputs, let outputs) = schedule.steps[starts[start].step],
      filterCounts.indices.contains(node), filterCounts[node] > 0, inputs.count == outputs.count
    else { return nil }
    return (filterCounts[node], inputs, outputs)
  }

  /// The cost of units that share a pass, in nanoseconds per frame.
  func cost(ofRow costs: some Collection<Double>) -> Double {
    let heaviest = costs.max() ?? 0
    return heaviest + Self.joinedShare * (costs.reduce(0, +) - heaviest)
  }
}
