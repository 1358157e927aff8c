import FxAudio

/// The differences of a changed graph: only values, or its structure.
///
/// Nodes that are the same in both graphs are *kept*: their units keep their state. A node is the
/// same if its id, unit, build options, list, setup, automation, MIDI, bus widths and input layouts
/// are the same. The start values of its parameters may differ, and so may all its connections. A
/// loop is kept as a whole if its nodes and its connections, apart from their gains, are the same.
/// Sources and sinks are the same if their endpoints are.
///
/// A node is not kept if paths change both before and after it, because it would join an old path
/// and a new one. So if two nodes swap places, both are created again, and so is everything between
/// them. All kept nodes can run in one order with the removed and the new ones.
package struct GraphChange: Sendable, Equatable {
  /// A parameter of a kept node with a different start value.
  package struct Value: Sendable, Equatable {
    /// In the old graph and in the new one.
    package let oldNode: Int
    package let node: Int
    /// Index into `UnitConfiguration.parameters`.
    package let parameter: Int
    /// In the chain's unit of measure.
    package let value: Double
    /// When automation takes over the parameter, in seconds of the chain's time; nil for never.
    /// After that time the value has no effect.
    let automatedFrom: Double?
  }

  /// By node of the new graph: the node of the old graph; nil for a new one.
  package let kept: [Int?]
  /// Nodes of the old graph that are not kept.
  package let removed: [Int]
  package let values: [Value]
  /// False if all nodes are kept and connected as before: then it is enough to send `values`.
  package let isStructural: Bool
  /// By source and by sink of the new graph, in the order of their nodes: its number in the old
  /// graph.
  let sourceOrder: [Int]
  let sinkOrder: [Int]

  /// Compares two graphs. In `old`, a parameter that was changed while the chain played must have
  /// that value (`replacingValues`). `fresh` are nodes of `new` that must not be kept: something
  /// outside the chain has changed, such as an impulse response on disk.
  package init(
    from old: ResolvedGraph, to new: ResolvedGraph, fresh: Set<Int> = []
  ) throws(GraphChangeError) {
    let sources = try Self.order(old, new, of: \.isSource)
    let sinks = try Self.order(old, new, of: \.isSink)
    let match: NodeMatch
    do throws(GraphError) {
      match = try NodeMatch(from: old, to: new, endpoints: sources.pairs + sinks.pairs, fresh)
    } catch {
      throw .graph(error)
    }
    kept = match.kept
    removed = match.isKept.indices.filter { !match.isKept[$0] }
    sourceOrder = sources.order
    sinkOrder = sinks.order
    values = Self.values(old, new, kept)
    let isSame = removed.isEmpty && !kept.contains(nil)
    isStructural = !isSame || !Self.areConnectedAlike(old, new, kept)
  }

  /// Matches each source or sink, first by endpoint and id, then by endpoint alone.
  private static func order(
    _ old: ResolvedGraph, _ new: ResolvedGraph, of kind: (Graph.Node) -> Bool
  ) throws(GraphChangeError) -> (order: [Int], pairs: [(old: Int, new: Int)]) {
    let before = old.graph.nodes.indices.filter { kind(old.graph.nodes[$0]) }
    let after = new.graph.nodes.indices.filter { kind(new.graph.nodes[$0]) }
    var places: [EndpointName: [Int]] = [:]
    for (place, node) in before.enumerated().reversed() {
      places[EndpointName(old.graph.nodes[node]), default: []].append(place)
    }
    var order = [Int?](repeating: nil, count: after.count)
    for matchesID in [true, false] {
      for (index, node) in after.enumerated() where order[index] == nil {
        let name = EndpointName(new.graph.nodes[node])
        let open = places[name] ?? []
        let found = open.lastIndex {
          !matchesID || old.graph.nodes[before[$0]].id == new.graph.nodes[node].id
        }
        guard let found else { continue }
        order[index] = places[name]?.remove(at: found)
      }
    }
    var pairs: [(old: Int, new: Int)] = []
    for (index, node) in after.enumerated() {
      guard let place = order[index] else { throw .endpointAdded(node) }
      let was = old.width(ofEndpoint: before[place])
      let now = new.width(ofEndpoint: node)
      guard was == now else { throw .endpointWidth(node, was: was, now: now) }
      pairs.append((before[place], node))
    }
    if let place = places.values.joined().min() { throw .endpointRemoved(before[place]) }
    return (order.map { $0 ?? 0 }, pairs)
  }

  private static func values(
    _ old: ResolvedGraph, _ new: ResolvedGraph, _ kept: [Int?]
  ) -> [Value] {
    var values: [Value] = []
    for (node, oldNode) in kept.enumerated() {
      guard let oldNode, case .unit(let was) = old.graph.nodes[oldNode].content,
        case .unit(let now) = new.graph.nodes[node].content
      else { continue }
      for (slot, value) in now.values.enumerated()
      where was.values.indices.contains(slot) && was.values[slot] != value {
        let points = now.automation.filter { $0.slot == slot }.flatMap(\.points)
        values.append(
          Value(
            oldNode: oldNode, node: node, parameter: slot, value: value,
            automatedFrom: points.map(\.seconds).min()))
      }
    }
    return values
  }

  /// True when every input of every node sums the same signals in the same order.
  private static func areConnectedAlike(
    _ old: ResolvedGraph, _ new: ResolvedGraph, _ kept: [Int?]
  ) -> Bool {
    struct Feed: Equatable {
      let from: ChannelID
      let channel: Int
      let gain: Float
      let delay: Double?
    }
    func feeds(_ graph: ResolvedGraph, _ name: (Int) -> Int) -> [[Feed]] {
      var feeds = [[Feed]](repeating: [], count: old.graph.nodes.count)
      for index in graph.eventConnections {
        let connection = graph.graph.connections[index]
        feeds[name(connection.to.node)].append(
          Feed(
            from: ChannelID(node: name(connection.from.node), channel: connection.from.bus),
            channel: -1 - connection.to.bus, gain: 1, delay: connection.feedbackDelay))
      }
      for edge in graph.edges {
        feeds[name(edge.to.node)].append(
          Feed(
            from: ChannelID(node: name(edge.from.node), channel: edge.from.channel),
            channel: edge.to.channel, gain: edge.gain,
            delay: graph.graph.connections[edge.connection].feedbackDelay))
      }
      // The order of signals into different channels does not matter.
      return feeds.map { feeds in
        feeds.indices.sorted { (feeds[$0].channel, $0) < (feeds[$1].channel, $1) }.map { feeds[$0] }
      }
    }
    guard feeds(old, { $0 }) == feeds(new, { kept[$0] ?? 0 }) else { return false }
    return kept.enumerated().allSatisfy { node, oldNode in
      oldNode.map { new.graph.nodes[node].isAlignedSink == old.graph.nodes[$0].isAlignedSink }
        ?? false
    }
  }
}

/// Why a running graph cannot change to the new one. Nodes are indices of the new graph, except in
/// `endpointRemoved`.
package enum GraphChangeError: Error, Equatable, Sendable {
  /// The old graph does not have this source or sink.
  case endpointAdded(Int)
  /// The new graph does not have this source or sink of the old graph.
  case endpointRemoved(Int)
  /// A source or a sink with a different width.
  case endpointWidth(Int, was: Int, now: Int)
  case graph(GraphError)
}

/// The identity of a source or a sink.
private enum EndpointName: Hashable {
  case source(SourceEndpoint)
  case sink(SinkEndpoint)
  case unit

  init(_ node: Graph.Node) {
    switch node.content {
    case .source(let endpoint): self = .source(endpoint)
    case .sink(let endpoint, _): self = .sink(endpoint)
    case .unit: self = .unit
    }
  }
}

extension Graph.Node {
  var isSource: Bool { if case .source = content { true } else { false } }
  var isSink: Bool { if case .sink = content { true } else { false } }
  var isAlignedSink: Bool { if case .sink(_, isAligned: true) = content { true } else { false } }
}

extension ResolvedGraph {
  func width(ofEndpoint node: Int) -> Int {
    graph.nodes[node].isSource ? outputCount(node) : inputCount(node)
  }
}
