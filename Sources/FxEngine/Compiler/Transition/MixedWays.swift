import FxAudio

/// Nodes that a signal could reach by a path of one graph and leave by a path of the other.
///
/// During a crossfade, a kept node feeds its targets of both graphs. If paths change both before
/// and after it, a new signal could leave by a removed path, or the reverse. Neither graph has that
/// combined path, so its gain may be anything: if -40 dB and +40 dB swap places, it could be +80
/// dB. So such nodes are not kept, and the output is always a mix of the outputs of both graphs.
///
/// Paths are compared by their nodes' ids and units: a node with the same id and unit counts as the
/// same here, even if it is created again. Gains of connections do not count; feedback delays do. A
/// large change of a node's level counts as a change of path if other paths change too, because the
/// level moves at its own time.
struct MixedWays {
  /// By node of the new graph.
  private(set) var isMixed: [Bool]
  private let old: ResolvedGraph
  private let new: ResolvedGraph
  /// By node of the new graph, the same node of the old graph; and the reverse.
  private var oldNodes: [Int?]
  private var names: [Int?]

  /// The largest change of a level, in decibels, that does not count.
  private static let smallMove = 6.0

  private struct Way: Hashable {
    /// In the new graph's numbers.
    let from: ChannelID
    let to: ChannelID
    let delay: Double?
  }

  /// The nodes after changed paths, and the nodes before them.
  private struct Reach {
    let isBehind: [Bool]
    let isBefore: [Bool]

    func touches(_ node: Int) -> Bool { isBehind[node] || isBefore[node] }
  }

  /// `kept`: by node of the new graph, the nodes that could be kept, including endpoints.
  init(old: ResolvedGraph, new: ResolvedGraph, kept: [Int?]) {
    self.old = old
    self.new = new
    isMixed = kept.map { _ in false }
    oldNodes = kept
    names = [Int?](repeating: nil, count: old.graph.nodes.count)
    for (index, node) in kept.enumerated() {
      if let node { names[node] = index }
    }
    var moved = matchByName()
    while let (goes, comes) = changedWays() {
      isMixed = oldNodes.enumerated().map { node, oldNode in
        guard let oldNode else { return kept[node] != nil }
        return comes.isBehind[node] && goes.isBefore[oldNode]
          || goes.isBehind[oldNode] && comes.isBefore[node]
      }
      let far = moved.filter { node in
        comes.touches(node) || oldNodes[node].map(goes.touches) ?? false
      }
      if far.isEmpty { return }
      moved.subtract(far)
      for node in far { part(node) }
    }
  }

  /// Matches nodes that are the same although they are created again. Returns kept nodes whose
  /// level changes a lot.
  private mutating func matchByName() -> Set<Int> {
    var known: [String: Int] = [:]
    for (index, node) in old.graph.nodes.enumerated() where node.isUnit { known[node.id] = index }
    var moved: Set<Int> = []
    for (index, node) in new.graph.nodes.enumerated() {
      guard let now = node.unitConfiguration, let other = known[node.id],
        let was = old.graph.nodes[other].unitConfiguration, was.kind == now.kind
      else { continue }
      let isFar = now.isFar(from: was, Self.smallMove)
      if oldNodes[index] == other {
        if isFar { moved.insert(index) }
      } else if oldNodes[index] == nil, names[other] == nil, !isFar {
        oldNodes[index] = other
        names[other] = index
      }
    }
    return moved
  }

  private mutating func part(_ node: Int) {
    if let other = oldNodes[node] { names[other] = nil }
    oldNodes[node] = nil
  }

  /// nil if no path has changed.
  private func changedWays() -> (goes: Reach, comes: Reach)? {
    let before = old.edges.map { Self.way($0, in: old) { names[$0] } }
    let after = new.edges.map { Self.way($0, in: new) { oldNodes[$0] == nil ? nil : $0 } }
    let (wasThere, isThere) = (Set(before.compactMap { $0 }), Set(after.compactMap { $0 }))
    let goes = old.edges.indices.filter { before[$0].map { !isThere.contains($0) } ?? true }
    let comes = new.edges.indices.filter { after[$0].map { !wasThere.contains($0) } ?? true }
    if goes.isEmpty && comes.isEmpty { return nil }
    return (Self.reach(goes, in: old), Self.reach(comes, in: new))
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

  /// The nodes after some edges, and the nodes before them.
  private static func reach(
    _ edges: [Int], in graph: ResolvedGraph
  ) -> Reach {
    var (onwards, backwards) = (graph.noNeighbours, graph.noNeighbours)
    for connection in graph.graph.connections {
      onwards[connection.from.node].append(connection.to.node)
      backwards[connection.to.node].append(connection.from.node)
    }
    return Reach(
      isBehind: spread(from: edges.map { graph.edges[$0].to.node }, onwards),
      isBefore: spread(from: edges.map { graph.edges[$0].from.node }, backwards))
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

extension Graph.Node {
  fileprivate var unitConfiguration: UnitConfiguration? {
    if case .unit(let unit) = content { unit } else { nil }
  }
}

extension UnitConfiguration {
  /// True if a level has changed by more than `decibels`.
  fileprivate func isFar(from other: UnitConfiguration, _ decibels: Double) -> Bool {
    let (was, now) = (other.levels, levels)
    return now.contains { path, value in
      guard let before = was[path], before != value else { return false }
      return !(abs(value - before) <= decibels)
    }
  }

  private var levels: [String: Double] {
    var levels: [String: Double] = [:]
    for (slot, value) in zip(parameters, values) where slot.spec.measure == .decibels {
      levels[slot.path] = value
    }
    return levels
  }
}

extension ResolvedGraph {
  fileprivate var noNeighbours: [[Int]] { graph.nodes.map { _ in [] } }
}
