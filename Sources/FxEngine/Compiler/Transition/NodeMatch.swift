/// Which nodes of two graphs are the same and can be kept.
struct NodeMatch {
  /// By node of the new graph: the kept old node.
  private(set) var kept: [Int?]
  /// By node of the old graph.
  private(set) var isKept: [Bool]

  init(
    from old: ResolvedGraph, to new: ResolvedGraph, endpoints: [(old: Int, new: Int)],
    _ fresh: Set<Int>
  ) throws(GraphError) {
    kept = [Int?](repeating: nil, count: new.graph.nodes.count)
    isKept = [Bool](repeating: false, count: old.graph.nodes.count)
    for pair in endpoints { keep(pair.old, as: pair.new) }
    var named: [String: Int] = [:]
    for (index, node) in old.graph.nodes.enumerated() where node.isUnit { named[node.id] = index }
    for (index, node) in new.graph.nodes.enumerated() where node.isUnit && !fresh.contains(index) {
      guard let other = named[node.id], !isKept[other], old.isSame(other, as: index, in: new) else {
        continue
      }
      keep(other, as: index)
    }
    dropLoops(old, new, try old.components(), try new.components())
    // The remaining nodes can run in one order: if two nodes swap places, `MixedWays` finds both.
    let mixed = MixedWays(old: old, new: new, kept: kept)
    for node in kept.indices where mixed.isMixed[node] { drop(node) }
  }

  private mutating func keep(_ old: Int, as new: Int) {
    kept[new] = old
    isKept[old] = true
  }

  private mutating func drop(_ new: Int) {
    guard let old = kept[new] else { return }
    isKept[old] = false
    kept[new] = nil
  }

  // MARK: Loops

  /// A loop is kept if it is the same loop; otherwise none of its nodes is kept.
  private mutating func dropLoops(
    _ old: ResolvedGraph, _ new: ResolvedGraph, _ before: Components, _ after: Components
  ) {
    let (insideOld, insideNew) = (old.innerConnections(before), new.innerConnections(after))
    var stays = Set<Int>()
    for (group, nodes) in after.groups.enumerated() where after.isLoop[group] {
      let images = nodes.compactMap { kept[$0] }
      guard let first = images.first, images.count == nodes.count else { continue }
      let other = before.groupOfNode[first]
      guard before.isLoop[other], Set(images) == Set(before.groups[other]) else { continue }
      let was = (insideOld[other] ?? []).map { LoopConnection(old.graph.connections[$0]) { $0 } }
      let now = (insideNew[group] ?? []).map {
        LoopConnection(new.graph.connections[$0]) { kept[$0] ?? -1 }
      }
      if was == now { stays.insert(group) }
    }
    for node in kept.indices {
      let group = after.groupOfNode[node]
      guard let other = kept[node], !stays.contains(group) else { continue }
      if after.isLoop[group] || before.isLoop[before.groupOfNode[other]] { drop(node) }
    }
  }

  private struct LoopConnection: Equatable {
    let from: Connection.Endpoint
    let to: Connection.Endpoint
    let channels: [Int]?
    let carriesEvents: Bool
    let delay: Double?

    init(_ connection: Connection, name: (Int) -> Int) {
      var (from, to) = (connection.from, connection.to)
      (from.node, to.node) = (name(from.node), name(to.node))
      (self.from, self.to) = (from, to)
      channels = connection.channels
      carriesEvents = connection.carriesEvents
      delay = connection.feedbackDelay
    }
  }
}

extension Graph.Node {
  var isUnit: Bool { if case .unit = content { true } else { false } }
}

extension ResolvedGraph {
  /// True when a node's unit can be kept for a node of another graph.
  fileprivate func isSame(_ node: Int, as other: Int, in new: ResolvedGraph) -> Bool {
    guard inputWidths[node] == new.inputWidths[other],
      outputWidths[node] == new.outputWidths[other],
      layouts.inputs[node] == new.layouts.inputs[other]
    else { return false }
    var (was, now) = (graph.nodes[node], new.graph.nodes[other])
    guard case .unit(var unit) = was.content, case .unit(let changed) = now.content else {
      return false
    }
    unit.values = changed.values
    unit.beats = changed.beats
    was.content = .unit(unit)
    // The resolved graph already applied it to `keepsDry`.
    (was.offersDry, now.offersDry) = (false, false)
    return was == now
  }

  /// Connections within each loop, in the file's order.
  fileprivate func innerConnections(_ components: Components) -> [Int: [Int]] {
    var inside: [Int: [Int]] = [:]
    for (index, connection) in graph.connections.enumerated() {
      let group = components.groupOfNode[connection.from.node]
      guard components.isLoop[group], components.groupOfNode[connection.to.node] == group else {
        continue
      }
      inside[group, default: []].append(index)
    }
    return inside
  }
}
