/// The latencies of each node's input and output, relative to the source's first frame.
struct Latencies {
  /// The latency of a node's input in frames.
  var arrival: [Int]
  /// The latency of its output in frames.
  var departure: [Int]
  /// Effective frames of each feedback connection: its delay minus the latency of its loop.
  var feedbackFrames: [Int: Int]
}

extension ResolvedGraph {
  /// Arrivals and departures, and the remaining delay of each feedback connection.
  func latencies(
    of nodeLatencies: [Int], in components: Components, sampleRate: Double
  ) throws(GraphError) -> Latencies {
    var latencies = times(of: nodeLatencies, in: components)
    let connections = graph.connections
    guard connections.contains(where: { $0.feedbackDelay != nil }) else { return latencies }
    let incoming = forwardConnections
    for (index, connection) in connections.enumerated() {
      guard let seconds = connection.feedbackDelay else { continue }
      let nodes = components.groups[components.groupOfNode[connection.from.node]]
      let inside = loopLatency(of: connection, through: nodes, incoming, nodeLatencies)
      let delay = Int((seconds * sampleRate).rounded())
      guard delay - inside >= 1 else {
        throw .feedbackDelayTooShort(connection: index, delay: delay, loopLatency: inside)
      }
      latencies.feedbackFrames[index] = delay - inside
    }
    return latencies
  }

  /// The time at which each node's inputs meet: that of the latest input. All inputs of a loop meet
  /// when the latest one from outside arrives; inside the loop nothing is delayed.
  func times(of nodeLatencies: [Int], in components: Components) -> Latencies {
    let connections = graph.connections
    let incoming = forwardConnections
    var arrival = [Int](repeating: 0, count: graph.nodes.count)
    var departure = arrival
    for (group, nodes) in components.groups.enumerated() {
      var entry = 0
      for node in nodes {
        for index in incoming[node]
        where components.groupOfNode[connections[index].from.node] != group {
          entry = max(entry, departure[connections[index].from.node] - wait(index))
        }
      }
      for node in nodes {
        arrival[node] = incoming[node].reduce(entry) {
          max($0, departure[connections[$1].from.node] - wait($1))
        }
        departure[node] = arrival[node] + nodeLatencies[node]
      }
    }
    alignSinks(&arrival, &departure)
    return Latencies(arrival: arrival, departure: departure, feedbackFrames: [:])
  }

  /// Frames by which a connection is delayed to meet recorded sound.
  private func wait(_ connection: Int) -> Int {
    let connection = graph.connections[connection]
    return graph.wait(from: connection.from.node, to: connection.to.node)
  }

  /// Connections into each node, without feedback.
  private var forwardConnections: [[Int]] {
    var incoming = [[Int]](repeating: [], count: graph.nodes.count)
    for (index, connection) in graph.connections.enumerated()
    where connection.feedbackDelay == nil {
      incoming[connection.to.node].append(index)
    }
    return incoming
  }

  /// The connections that carry events.
  var eventConnections: [Int] {
    graph.connections.indices.filter { graph.connections[$0].carriesEvents }
  }

  /// Frames by which a connection delays its events, so that they stay together with the node's
  /// signals.
  func eventDelay(_ index: Int, _ latencies: Latencies, _ components: Components) -> Int {
    if let frames = latencies.feedbackFrames[index] { return frames }
    let connection = graph.connections[index]
    let group = components.groupOfNode[connection.to.node]
    let left = latencies.departure[connection.from.node] - wait(index)
    guard components.isLoop[group] else { return latencies.arrival[connection.to.node] - left }
    if components.groupOfNode[connection.from.node] == group { return 0 }
    return (components.groups[group].map { latencies.arrival[$0] }.min() ?? 0) - left
  }

  var alignedSinks: [Int] {
    graph.nodes.indices.filter {
      if case .sink(_, isAligned: true) = graph.nodes[$0].content { true } else { false }
    }
  }

  /// Aligned sinks are delayed to the latest of them.
  private func alignSinks(_ arrival: inout [Int], _ departure: inout [Int]) {
    let aligned = alignedSinks
    let latest = aligned.map { arrival[$0] }.max() ?? 0
    for node in aligned {
      arrival[node] = latest
      departure[node] = latest
    }
  }

  /// The longest path through a loop, in frames of latency, from where a feedback connection enters
  /// to where it leaves.
  private func loopLatency(
    of connection: Connection, through nodes: [Int], _ incoming: [[Int]], _ nodeLatencies: [Int]
  ) -> Int {
    var reached = [connection.to.node: nodeLatencies[connection.to.node]]
    for node in nodes where reached[node] == nil {
      let latest = incoming[node].compactMap { reached[graph.connections[$0].from.node] }.max()
      if let latest { reached[node] = latest + nodeLatencies[node] }
    }
    return reached[connection.from.node] ?? 0
  }
}
