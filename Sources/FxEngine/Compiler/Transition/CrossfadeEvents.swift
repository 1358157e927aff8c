/// The event lines of two graphs at once: the new plan's, then the removed ones.
///
/// A line to a removed node lasts as long as the node. A removed line to a kept node is cut at
/// once, and its sounding notes are ended.
struct CrossfadeEvents {
  /// Connections are those of `GraphUnion`.
  private(set) var lines: [RenderPlan.EventLine] = []
  /// By line: the old plan's line that it continues.
  private(set) var inherited: [Int?] = []

  private struct Way: Hashable {
    let from: Connection.Endpoint
    let to: Connection.Endpoint
    let delay: Double?
  }

  /// `latencies` are those of the union's nodes.
  init(
    old: Crossfade.Side, new: Crossfade.Side, _ union: GraphUnion, _ latencies: Latencies
  ) {
    let newCount = new.graph.graph.connections.count
    var before: [Way: Int] = [:]
    for (index, line) in old.plan.eventLines.enumerated() {
      before[Self.way(newCount + line.connection, union)] = index
    }
    for line in new.plan.eventLines {
      let known = before.removeValue(forKey: Self.way(line.connection, union))
      var line = line
      if let known {
        line.frames = old.plan.eventLines[known].frames
      } else if union.graph.connections[line.connection].feedbackDelay == nil {
        let connection = union.graph.connections[line.connection]
        line.frames = max(
          0,
          latencies.arrival[connection.to.node] - latencies.departure[connection.from.node]
            + union.graph.wait(from: connection.from.node, to: connection.to.node))
      }
      lines.append(line)
      inherited.append(known)
    }
    for index in before.values.sorted() {
      var line = old.plan.eventLines[index]
      line.connection += newCount
      line.isCut = union.graph.connections[line.connection].to.node < union.newCount
      lines.append(line)
      inherited.append(index)
    }
  }

  private static func way(_ connection: Int, _ union: GraphUnion) -> Way {
    let connection = union.graph.connections[connection]
    return Way(from: connection.from, to: connection.to, delay: connection.feedbackDelay)
  }
}
