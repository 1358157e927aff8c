/// The feedback lines of two graphs at once: the new plan's, then those of removed loops.
struct CrossfadeFeedback {
  /// Connections are those of `GraphUnion`.
  private(set) var lines: [RenderPlan.FeedbackLine]
  /// By line: the old plan's line that it continues.
  private(set) var inherited: [Int?]
  /// By node of the crossfade: the lines that it writes.
  private(set) var leaving: [Int: [Int]] = [:]
  /// By connection of either graph and channel.
  private var lineOfNew: [Key: Int] = [:]
  private var lineOfOld: [Key: Int] = [:]

  private struct Key: Hashable {
    let connection: Int
    let channel: Int
  }

  init(old: Crossfade.Side, new: Crossfade.Side, _ change: GraphChange) throws(GraphError) {
    lines = new.plan.feedbackLines
    inherited = [Int?](repeating: nil, count: lines.count)
    guard !old.plan.feedbackLines.isEmpty || !lines.isEmpty else { return }
    for (index, line) in lines.enumerated() {
      lineOfNew[Key(connection: line.connection, channel: line.channel)] = index
      leaving[new.graph.graph.connections[line.connection].from.node, default: []].append(index)
    }
    var names = [Int?](repeating: nil, count: old.graph.graph.nodes.count)
    for (node, oldNode) in change.kept.enumerated() {
      if let oldNode { names[oldNode] = node }
    }
    for (index, node) in change.removed.enumerated() {
      names[node] = new.graph.graph.nodes.count + index
    }
    let same = Self.sameConnections(old, new, change)
    for (index, line) in old.plan.feedbackLines.enumerated() {
      let key = Key(connection: line.connection, channel: line.channel)
      if let connection = same[line.connection],
        let known = lineOfNew[Key(connection: connection, channel: line.channel)]
      {
        lineOfOld[key] = known
        inherited[known] = index
      } else {
        let node = names[old.graph.graph.connections[line.connection].from.node] ?? 0
        lineOfOld[key] = lines.count
        leaving[node, default: []].append(lines.count)
        var moved = line
        moved.connection += new.graph.graph.connections.count
        lines.append(moved)
        inherited.append(index)
      }
    }
  }

  func line(ofNew edge: ResolvedGraph.Edge) -> Int? {
    lineOfNew[Key(connection: edge.connection, channel: edge.from.channel)]
  }

  func line(ofOld edge: ResolvedGraph.Edge) -> Int? {
    lineOfOld[Key(connection: edge.connection, channel: edge.from.channel)]
  }

  /// Frames of a slice of the loop with these nodes.
  func slice(of nodes: [Int]) -> Int {
    nodes.flatMap { leaving[$0] ?? [] }.map { lines[$0].frames }.min() ?? .max
  }

  /// The feedback connections of kept loops: from the old graph's number to the new one's. Several
  /// connections between the same two nodes have the same order in both.
  private static func sameConnections(
    _ old: Crossfade.Side, _ new: Crossfade.Side, _ change: GraphChange
  ) -> [Int: Int] {
    struct Way: Hashable {
      let from: Int
      let to: Int
    }
    var before: [Way: [Int]] = [:]
    for (index, connection) in old.graph.graph.connections.enumerated()
    where connection.feedbackDelay != nil {
      before[Way(from: connection.from.node, to: connection.to.node), default: []].append(index)
    }
    var taken: [Way: Int] = [:]
    var same: [Int: Int] = [:]
    for (index, connection) in new.graph.graph.connections.enumerated()
    where connection.feedbackDelay != nil {
      guard let from = change.kept[connection.from.node], let to = change.kept[connection.to.node]
      else { continue }
      let way = Way(from: from, to: to)
      let place = taken[way, default: 0]
      taken[way] = place + 1
      guard let ways = before[way], place < ways.count else { continue }
      same[ways[place]] = index
    }
    return same
  }
}
