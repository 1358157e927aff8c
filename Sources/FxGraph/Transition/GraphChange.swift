/// What is different in a changed graph: values alone, or what it is made of.
///
/// The nodes that are the same in both are *kept*: their units go on with all that they remember.
/// A node is the same where its id, its unit with build options, list, setup, automation and MIDI,
/// and the widths of its buses are; what its parameters start with may differ, and so may all of its
/// connections. A loop is kept as a whole where its nodes and its connections are the same, the
/// gains of these aside. Sources and sinks are the same where their endpoints are.
///
/// A node is not kept where ways change both before it and behind it, so that it would join an old way
/// and a new one: of two nodes that have changed places both are made anew, and so is what lies between.
/// All kept nodes can run in one order with those that go and those that come.
package struct GraphChange: Sendable, Equatable {
  /// A parameter of a kept node that starts with another value.
  package struct Value: Sendable, Equatable {
    /// In the graph that was, and in the one that comes.
    package let oldNode: Int
    package let node: Int
    /// Index into `UnitConfiguration.parameters`.
    package let parameter: Int
    /// In the chain's unit of measure.
    package let value: Double
    /// When automation takes the parameter over, in seconds of the chain's time; nil for never. A
    /// value that comes later than that changes nothing.
    package let automatedFrom: Double?
  }

  /// By node of the graph that comes: the node of the graph that was; nil for a new one.
  package let kept: [Int?]
  /// Nodes of the graph that was that do not go on.
  package let removed: [Int]
  package let values: [Value]
  /// False where all nodes are kept and connected as they were: sending `values` is enough then.
  package let isStructural: Bool
  /// By source and by sink of the graph that comes, in the order of their nodes: which one of the
  /// graph that was it is.
  package let sourceOrder: [Int]
  package let sinkOrder: [Int]

  /// Compares two graphs. A parameter that was changed while the chain played has to have that value
  /// in `old` (`replacingValues`). `fresh` are nodes of `new` that must not be kept: what they are made of has changed
  /// outside the chain, as an impulse response on disk.
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

  /// Finds each source or sink again, first by its endpoint and its id, then by its endpoint.
  private static func order(
    _ old: ResolvedGraph, _ new: ResolvedGraph, of kind: (Node) -> Bool
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
      // What goes into different channels may stand in any order.
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

/// Why a running graph cannot become another one. Nodes are indices of the new graph, but for
/// `endpointRemoved`.
package enum GraphChangeError: Error, Equatable, Sendable {
  /// A source or a sink that is not there yet.
  case endpointAdded(Int)
  /// A source or a sink of the old graph that the new one does without.
  case endpointRemoved(Int)
  /// A source or a sink of another width.
  case endpointWidth(Int, was: Int, now: Int)
  case graph(GraphError)
}

/// What makes two sources or two sinks the same.
private enum EndpointName: Hashable {
  case source(SourceEndpoint)
  case sink(SinkEndpoint)
  case unit

  init(_ node: Node) {
    switch node.content {
    case .source(let endpoint): self = .source(endpoint)
    case .sink(let endpoint, _): self = .sink(endpoint)
    case .unit: self = .unit
    }
  }
}

extension Node {
  var isSource: Bool { if case .source = content { true } else { false } }
  var isSink: Bool { if case .sink = content { true } else { false } }
  var isAlignedSink: Bool { if case .sink(_, isAligned: true) = content { true } else { false } }
}

extension ResolvedGraph {
  func width(ofEndpoint node: Int) -> Int {
    graph.nodes[node].isSource ? outputCount(node) : inputCount(node)
  }
}
