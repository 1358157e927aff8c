/// Which nodes a signal could reach by a way of one graph and leave by a way of the other one.
///
/// While one graph becomes another, what a kept node hears is heard by whatever it still feeds and by
/// whatever it feeds already. Where ways change both before it and behind it, a signal that comes
/// would leave by a way that goes, or the other way round: a way that neither graph has, with any
/// gain. A quiet -40 dB and +40 dB that have changed places would be +80 dB. So such nodes are not
/// kept, and everything that is heard is a mix of what both graphs make.
///
/// Ways are compared by what nodes are called and do: one of the same id and unit is the same here,
/// even where it is made anew. Gains and delays of connections do not count.
struct MixedWays {
  /// By node of the new graph.
  let isMixed: [Bool]

  private struct Way: Hashable {
    /// In the new graph's numbers.
    let from: ChannelID
    let to: ChannelID
    let delay: Double?
  }

  /// `endpoints` are the sources and sinks that are the same.
  init(old: ResolvedGraph, new: ResolvedGraph, endpoints: [(old: Int, new: Int)]) {
    var oldNodes = [Int?](repeating: nil, count: new.graph.nodes.count)
    var names = [Int?](repeating: nil, count: old.graph.nodes.count)
    for pair in endpoints {
      oldNodes[pair.new] = pair.old
      names[pair.old] = pair.new
    }
    var known: [String: Int] = [:]
    for (index, node) in old.graph.nodes.enumerated() where node.isUnit { known[node.id] = index }
    for (index, node) in new.graph.nodes.enumerated() {
      guard let kind = node.unitKind, let other = known[node.id], names[other] == nil,
        old.graph.nodes[other].unitKind == kind
      else { continue }
      oldNodes[index] = other
      names[other] = index
    }
    let before = old.edges.map { Self.way($0, in: old) { names[$0] } }
    let after = new.edges.map { Self.way($0, in: new) { $0 } }
    let (wasThere, isThere) = (Set(before.compactMap { $0 }), Set(after.compactMap { $0 }))
    let goes = old.edges.indices.filter { before[$0].map { !isThere.contains($0) } ?? true }
    let comes = new.edges.indices.filter { after[$0].map { !wasThere.contains($0) } ?? true }
    guard !goes.isEmpty, !comes.isEmpty else {
      isMixed = oldNodes.map { _ in false }
      return
    }
    let (isBehindOld, isBeforeOld) = Self.reach(goes, in: old)
    let (isBehindNew, isBeforeNew) = Self.reach(comes, in: new)
    isMixed = oldNodes.enumerated().map { node, oldNode in
      guard let oldNode else { return false }
      return isBehindNew[node] && isBeforeOld[oldNode]
        || isBehindOld[oldNode] && isBeforeNew[node]
    }
  }

  private static func way(
    _ edge: ResolvedGraph.Edge, in graph: ResolvedGraph, name: (Int) -> Int?
  ) -> Way? {
    guard let from = name(edge.from.node), let to = name(edge.to.node) else { return nil }
    return Way(
      from: ChannelID(node: from, channel: edge.from.channel),
      to: ChannelID(node: to, channel: edge.to.channel),
      delay: graph.graph.connections[edge.connection].feedbackDelay)
  }

  /// Which nodes hear what comes by some edges, and which are heard by what leaves by them.
  private static func reach(
    _ edges: [Int], in graph: ResolvedGraph
  ) -> (isBehind: [Bool], isBefore: [Bool]) {
    var (onwards, backwards) = (graph.noNeighbours, graph.noNeighbours)
    for connection in graph.graph.connections {
      onwards[connection.from.node].append(connection.to.node)
      backwards[connection.to.node].append(connection.from.node)
    }
    return (
      spread(from: edges.map { graph.edges[$0].to.node }, onwards),
      spread(from: edges.map { graph.edges[$0].from.node }, backwards)
    )
  }

  private static func spread(from nodes: [Int], _ neighbours: [[Int]]) -> [Bool] {
    var isReached = neighbours.map { _ in false }
    var open = nodes
    while let node = open.popLast() {
      guard !isReached[node] else { continue }
      isReached[node] = true
      open += neighbours[node]
    }
    return isReached
  }
}

extension Node {
  fileprivate var unitKind: UnitConfiguration.Kind? {
    if case .unit(let unit) = content { unit.kind } else { nil }
  }
}

extension ResolvedGraph {
  fileprivate var noNeighbours: [[Int]] { graph.nodes.map { _ in [] } }
}
