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
package struct Crossfade: Sendable {
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
  /// By event line: the old plan's that it goes on with; nil for an empty one. Those of the new plan
  /// come first, under the same numbers.
  package let eventLines: [Int?]
  /// Frames until every signal of either graph has gone all its way: no fade at the end of the chain
  /// may begin before.
  package let warmUp: Int
  /// What the plan was divided by; nil for one thread.
  package let partition: Partition?
  /// How long what goes may sound on; nil where it cannot.
  package let ringing: Ringing?

  package struct Ringing: Sendable, Equatable {
    /// The longest way of declared tails and latencies, in frames; nil where a tail is not known, or
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

  /// `tails` by node of each graph. `partition` is what the plans of the two graphs were divided by; the
  /// crossfade is divided where both were.
  package init(
    from old: Side, to new: Side, change: GraphChange, tails: (old: [Tail], new: [Tail]),
    sampleRate: Double, partition: (old: Partition?, new: Partition?) = (nil, nil)
  ) throws(GraphError) {
    let union = GraphUnion(old: old.graph, new: new.graph, change)
    let rest = RingingNodes(old.graph, Set(change.removed), tails.old)
    let fresh = change.kept.indices.filter { change.kept[$0] == nil }
    let begun = RingingNodes(new.graph, Set(fresh), tails.new)
    var scheduler = try CrossfadeScheduler(
      old: old, new: new, change, union, (rest.rings, begun.rings), sampleRate: sampleRate)
    self.partition = Partition(partition.old, partition.new, removed: change.removed)
    let whole = scheduler.schedule()
    let schedule = self.partition?.divided(whole, graph: union.graph) ?? whole
    var allocator = BufferAllocator(schedule, graph: union.graph)
    plan = allocator.plan(nodeLatencies: scheduler.nodeLatencies)
    graph = ResolvedGraph(
      graph: union.graph, inputWidths: union.inputWidths, outputWidths: union.outputWidths,
      edges: [], layouts: GraphLayouts())
    oldNodes = union.oldNodes
    lines = scheduler.inherited
    feedback = scheduler.feedback.inherited
    eventLines = scheduler.events.inherited
    warmUp = max(old.plan.end, new.plan.end)
    ringing = rest.ringing(old, sampleRate: sampleRate)
    guard plan.eventLines.map(\.connection).starts(with: new.graph.eventConnections) else {
      throw .unsoundPlan("event lines that are not those of the graph that comes")
    }
    try CrossfadeVerifier(old: old, new: new, union, sampleRate: sampleRate).verify(plan)
    try TaskCheck(plan, graph: union.graph).verify()
  }
}
