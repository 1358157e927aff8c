package import FxAudio

/// The crossfade from a running graph to a changed one: a plan that runs both at once.
///
/// Its nodes are those of the new graph, under the same numbers, followed by the removed ones. Kept
/// nodes and connections that both graphs share exist once. New signals fade in and removed signals
/// fade out, all together. A removed node that can sound on loses its input instead, and is heard
/// until it is silent. A new node with such a tail gets a faded-in input, because it would repeat
/// an abrupt start. No delay is changed: old signals keep their delays, new signals have those of
/// the new graph, and the one timeline fades into the other. A fade at the beginning of the chain
/// starts earlier by the delay to the end, so that all fades are heard at once.
package struct Crossfade: Sendable {
  package let plan: RenderPlan
  /// Both graphs at once; it has no edges.
  package let graph: ResolvedGraph
  /// By node: its number in the old graph; nil for a new node.
  let oldNodes: [Int?]
  /// By delay line: the origin of the old plan's line that it continues; nil for an empty one.
  package let lines: [RenderPlan.LineOrigin?]
  /// By feedback line: the old plan's line that it continues; nil for an empty one. The new plan's
  /// lines come first, under the same numbers.
  package let feedback: [Int?]
  /// By event line: the old plan's line that it continues; nil for an empty one. The new plan's
  /// lines come first, under the same numbers.
  let eventLines: [Int?]
  /// Frames until every signal of either graph has passed the whole chain. No fade at the end of
  /// the chain may begin earlier.
  let warmUp: Int
  /// The partition that the plan was divided by; nil for one thread.
  package let partition: Partition?
  /// How long removed nodes may sound on; nil if none can.
  package let ringing: Ringing?

  package struct Ringing: Sendable, Equatable {
    /// The longest sum of declared tails and latencies, in frames; nil if a tail is unknown or a
    /// node is in a loop.
    package let declaredFrames: Int?
    /// The longest known silence, in frames, after which removed nodes may sound again.
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

  /// `tails` by node of each graph. `partition` is what divided the plans of the two graphs; the
  /// crossfade is divided if both were.
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
