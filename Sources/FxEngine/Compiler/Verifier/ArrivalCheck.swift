/// Checks that each node reads what the graph connects to it, and that all its inputs have the same
/// latency.
struct ArrivalCheck {
  let graph: ResolvedGraph
  let nodeLatencies: [Int]
  let components: Components
  let plan: RenderPlan
  private var departure: [Int: Int] = [:]
  private var entry: [Int: Int] = [:]
  private var sectionOfGroup: [Int: Int] = [:]
  private var alignedSinks: Int?
  /// By node: the connections that send it events.
  private let events: [Int: [Int]]
  /// Frames of each event line, by connection.
  private let eventFrames: [Int: Int]
  /// Nodes that feed each node other than through a feedback connection.
  private let predecessors: [[Int]]

  init(graph: ResolvedGraph, nodeLatencies: [Int], components: Components, plan: RenderPlan) {
    self.graph = graph
    self.nodeLatencies = nodeLatencies
    self.components = components
    self.plan = plan
    var predecessors = [[Int]](repeating: [], count: graph.graph.nodes.count)
    for connection in graph.graph.connections where connection.feedbackDelay == nil {
      predecessors[connection.to.node].append(connection.from.node)
    }
    self.predecessors = predecessors
    events = Dictionary(
      grouping: graph.eventConnections, by: { graph.graph.connections[$0].to.node })
    eventFrames = Dictionary(
      plan.eventLines.map { ($0.connection, $0.frames) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func depart(_ node: Int, at frame: Int) { departure[node] = frame }

  mutating func arrive(
    _ node: Int, _ contents: [[SymbolicRun.Term]?], _ expected: [[ResolvedGraph.Edge]],
    section: Int?
  ) throws(GraphError) {
    let group = components.groupOfNode[node]
    var arrival: Int?
    for (content, edges) in zip(contents, expected) {
      guard let content, content.count == edges.count else {
        throw .unsoundPlan("node \(node) does not hear what is connected to it")
      }
      for (term, edge) in zip(content, edges) {
        guard term.gain == edge.gain, term.origin == origin(of: edge) else {
          throw .unsoundPlan("node \(node) hears another signal than is connected to it")
        }
        if edge.isFeedback {
          guard term.delay == 0 else { throw .unsoundPlan("a delayed feedback into \(node)") }
          continue
        }
        guard let left = departure[edge.from.node] else {
          throw .unsoundPlan("node \(node) runs before what feeds it")
        }
        if components.isLoop[group], components.groupOfNode[edge.from.node] == group {
          guard term.delay == 0 else { throw .unsoundPlan("a delay inside the loop of \(node)") }
          continue
        }
        let late = left + term.delay - graph.graph.wait(from: edge.from.node, to: node)
        let meeting = components.isLoop[group] ? entry[group] : arrival
        guard (meeting ?? late) == late else {
          throw .unsoundPlan("signals meet at node \(node) \(late - (meeting ?? 0)) frames apart")
        }
        arrival = late
        if components.isLoop[group] { entry[group] = late }
      }
    }
    for connection in events[node] ?? [] {
      try meetEvents(of: connection, at: node, &arrival)
    }
    if components.isLoop[group], let section {
      guard (sectionOfGroup[group] ?? section) == section else {
        throw .unsoundPlan("the loop of node \(node) is torn apart")
      }
      sectionOfGroup[group] = section
    }
    let time = try timeOfInput(node, arrival ?? 0)
    departure[node] = time + nodeLatencies[node]
    guard plan.nodes.indices.contains(node), plan.nodes[node].latency == nodeLatencies[node],
      arrival == nil || plan.nodes[node].arrival == time
    else { throw .unsoundPlan("node \(node) is said to be late by another number of frames") }
  }

  /// The events of a connection must arrive together with the node's signals.
  private mutating func meetEvents(
    of index: Int, at node: Int, _ arrival: inout Int?
  ) throws(GraphError) {
    let connection = graph.graph.connections[index]
    guard let frames = eventFrames[index] else {
      throw .unsoundPlan("event connection \(index) has no line")
    }
    if connection.feedbackDelay != nil { return }
    let group = components.groupOfNode[node]
    guard let left = departure[connection.from.node] else {
      throw .unsoundPlan("node \(node) runs before what sends it events")
    }
    if components.isLoop[group], components.groupOfNode[connection.from.node] == group {
      guard frames == 0 else { throw .unsoundPlan("late events inside the loop of \(node)") }
      return
    }
    let meeting = components.isLoop[group] ? entry[group] : arrival
    let late = left + frames - graph.graph.wait(from: connection.from.node, to: node)
    guard (meeting ?? late) == late else {
      throw .unsoundPlan("events meet at node \(node) \(late - (meeting ?? 0)) frames apart")
    }
    arrival = late
    if components.isLoop[group] { entry[group] = late }
  }

  /// In a loop, a node has the latency of its latest predecessor; elsewhere all predecessors have
  /// the same latency.
  private mutating func timeOfInput(_ node: Int, _ arrival: Int) throws(GraphError) -> Int {
    let group = components.groupOfNode[node]
    if case .sink(_, let isAligned) = graph.graph.nodes[node].content {
      guard !predecessors[node].isEmpty else { return arrival }
      if isAligned {
        guard (alignedSinks ?? arrival) == arrival else {
          throw .unsoundPlan("sinks are not aligned")
        }
        alignedSinks = arrival
      }
      let lateness = graph.graph.nodes[node].lateness
      guard plan.sinks.first(where: { $0.node == node })?.latency == arrival + lateness else {
        throw .unsoundPlan("sink \(node) is said to be late by another number of frames")
      }
    }
    guard components.isLoop[group] else { return arrival }
    var time = entry[group] ?? 0
    for predecessor in predecessors[node] where components.groupOfNode[predecessor] == group {
      time = max(time, departure[predecessor] ?? 0)
    }
    return time
  }

  private func origin(of edge: ResolvedGraph.Edge) -> SymbolicRun.Term.Origin {
    edge.isFeedback
      ? .feedback(connection: edge.connection, channel: edge.from.channel) : .output(edge.from)
  }

  /// Checks that every unit ran, every dry signal was mixed in, and every loop was closed.
  func finish(_ run: SymbolicRun) throws(GraphError) {
    for node in graph.graph.nodes.indices {
      switch graph.graph.nodes[node].content {
      case .unit:
        guard run.inputs[node] != nil else { throw .unsoundPlan("node \(node) never runs") }
        guard !graph.graph.nodes[node].keepsDry || run.blended.contains(node) else {
          throw .unsoundPlan("node \(node) is never blended")
        }
      case .sink:
        guard departure[node] != nil else { throw .unsoundPlan("sink \(node) is missing") }
      case .source:
        guard departure[node] != nil else { throw .unsoundPlan("source \(node) is missing") }
      }
    }
    var lines: [Int: [Int: Int]] = [:]
    for (index, line) in plan.feedbackLines.enumerated() {
      lines[line.connection, default: [:]][line.channel] = index
    }
    for edge in graph.edges where edge.isFeedback {
      guard let line = lines[edge.connection]?[edge.from.channel],
        let written = run.writtenLines[line],
        written == run.wet(edge.from.node, edge.from.channel)
      else { throw .unsoundPlan("feedback connection \(edge.connection) is not closed") }
    }
  }
}
