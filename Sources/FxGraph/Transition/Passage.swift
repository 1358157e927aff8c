package import FxAudio

/// The way from a running graph to a changed one: a plan in which both run at once.
///
/// Its nodes are those of the new graph, under the same numbers, and behind them the ones that go.
/// A kept node is there once, and so is what is connected alike in both graphs. Signals that come
/// fade in, signals that go fade out, all of them together. What can sound on after its input has
/// ended loses its input instead and is heard until it is silent; what comes and has such a memory
/// gets its input slowly, for it would repeat how that began. Nothing is aligned anew: what was heard
/// keeps its delays, what comes has those of the new graph, and the one time line fades into the
/// other. A fade at the beginning of the chain is as much earlier as the signal is, so that all of
/// them are heard at once.
package struct Passage: Sendable {
  package let plan: RenderPlan
  /// Both graphs at once; it has no edges.
  package let graph: ResolvedGraph
  /// By node: which one of the old graph it is; nil for a new one.
  package let oldNodes: [Int?]
  /// By delay line: what the old plan's line was written that it goes on with; nil for an empty one.
  package let lines: [RenderPlan.LineOrigin?]
  /// By feedback line: the old plan's that it goes on with; nil for an empty one. Those of the new
  /// plan come first, under the same numbers.
  package let feedback: [Int?]
  /// Frames until every signal of either graph has gone all its way: no fade at the end of the chain
  /// may begin before.
  package let warmUp: Int
  /// How long what goes may sound on; nil where it cannot.
  package let ringing: Ringing?

  package struct Ringing: Sendable, Equatable {
    /// The longest way of declared tails and latencies, in frames; nil where a unit cannot tell, or
    /// goes round in a loop.
    package let declaredFrames: Int?
    /// Frames for which it may be silent and still sound again, as far as that is known.
    package let longestGap: Int
  }

  /// One of the two graphs and its plan.
  package struct Side: Sendable {
    package let graph: ResolvedGraph
    package let plan: RenderPlan

    package init(_ graph: ResolvedGraph, _ plan: RenderPlan) {
      self.graph = graph
      self.plan = plan
    }
  }

  /// `tails` by node of each graph.
  package init(
    from old: Side, to new: Side, change: GraphChange, tails: (old: [Tail], new: [Tail]),
    sampleRate: Double
  ) throws(GraphError) {
    let union = GraphUnion(old: old.graph, new: new.graph, change)
    let rest = RingingNodes(old.graph, Set(change.removed), tails.old)
    let fresh = change.kept.indices.filter { change.kept[$0] == nil }
    let begun = RingingNodes(new.graph, Set(fresh), tails.new)
    var scheduler = try PassageScheduler(
      old: old, new: new, change, union, (rest.rings, begun.rings), sampleRate: sampleRate)
    let schedule = scheduler.schedule()
    var allocator = BufferAllocator(schedule, graph: union.graph)
    plan = allocator.plan(nodeLatencies: scheduler.nodeLatencies)
    graph = ResolvedGraph(
      graph: union.graph, inputWidths: union.inputWidths, outputWidths: union.outputWidths,
      edges: [])
    oldNodes = union.oldNodes
    lines = scheduler.inherited
    feedback = scheduler.feedback.inherited
    warmUp = max(old.plan.end, new.plan.end)
    ringing = rest.ringing(old, sampleRate: sampleRate)
    try PassageVerifier(old: old, new: new, union, sampleRate: sampleRate).verify(plan)
  }
}

/// The nodes and connections of two graphs, those that both have counted once.
struct GraphUnion {
  /// The nodes of the new graph, then those that go. The new graph's connections, then the old one's.
  let graph: Graph
  let inputWidths: [[Int]]
  let outputWidths: [[Int]]
  let oldNodes: [Int?]
  /// By node of the old graph.
  let names: [Int]
  /// Nodes of the new graph.
  let newCount: Int

  init(old: ResolvedGraph, new: ResolvedGraph, _ change: GraphChange) {
    newCount = new.graph.nodes.count
    var names = [Int](repeating: -1, count: old.graph.nodes.count)
    for (node, oldNode) in change.kept.enumerated() {
      if let oldNode { names[oldNode] = node }
    }
    for (index, node) in change.removed.enumerated() { names[node] = newCount + index }
    self.names = names
    let connections = old.graph.connections.map { connection in
      var connection = connection
      connection.from.node = names[connection.from.node]
      connection.to.node = names[connection.to.node]
      return connection
    }
    graph = Graph(
      nodes: new.graph.nodes + change.removed.map { old.graph.nodes[$0] },
      connections: new.graph.connections + connections)
    inputWidths = new.inputWidths + change.removed.map { old.inputWidths[$0] }
    outputWidths = new.outputWidths + change.removed.map { old.outputWidths[$0] }
    oldNodes = change.kept + change.removed.map { $0 }
  }
}

/// Which of the nodes that go sound on without their input, and which of those that come would go on
/// to repeat how their input began.
///
/// A node does that has a tail or is in a loop, and so does whatever else it feeds on its way. What
/// feeds no tail just fades; so does a node that hears nothing: it would never end.
struct RingingNodes {
  /// By node of the graph.
  private(set) var rings: [Bool]
  private let graph: ResolvedGraph
  private let tails: [Tail]
  private let isInLoop: [Bool]
  private let order: [Int]
  private let incoming: [[Int]]

  init(_ graph: ResolvedGraph, _ nodes: Set<Int>, _ tails: [Tail]) {
    self.graph = graph
    self.tails = tails
    let count = graph.graph.nodes.count
    let loops = (try? graph.nodesInLoops()) ?? []
    isInLoop = (0..<count).map(loops.contains)
    order = (try? graph.graph.signalOrder()) ?? []
    var incoming = [[Int]](repeating: [], count: count)
    for connection in graph.graph.connections {
      incoming[connection.to.node].append(connection.from.node)
    }
    self.incoming = incoming
    rings = [Bool](repeating: false, count: count)
    guard !nodes.isEmpty else { return }
    for node in order where nodes.contains(node) && !incoming[node].isEmpty {
      rings[node] =
        isInLoop[node] || tails[node] != .none || incoming[node].contains { rings[$0] }
    }
  }

  func ringing(_ side: Passage.Side, sampleRate: Double) -> Passage.Ringing? {
    guard rings.contains(true) else { return nil }
    var (declared, isOpen, gap) = (0, false, 0)
    var until = [Int](repeating: 0, count: rings.count)
    for node in order where rings[node] {
      for before in incoming[node] { until[node] = max(until[node], until[before]) }
      until[node] += side.plan.nodes[node].latency
      switch tails[node] {
      case .frames(let count):
        until[node] += count
        gap = max(gap, count)
      case .unknown: isOpen = true
      }
      isOpen = isOpen || isInLoop[node]
      declared = max(declared, until[node])
    }
    if isOpen { gap = max(gap, Int((2 * sampleRate).rounded())) }
    for connection in graph.graph.connections where rings[connection.from.node] {
      gap += Int(((connection.feedbackDelay ?? 0) * sampleRate).rounded())
    }
    // What waits in compensating delays comes on top.
    return Passage.Ringing(
      declaredFrames: isOpen ? nil : declared + side.plan.latency, longestGap: gap)
  }
}
