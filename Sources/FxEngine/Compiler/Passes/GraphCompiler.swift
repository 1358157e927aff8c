/// Compiles a graph to a plan. Its units exist already, so their latencies are known.
package struct GraphCompiler {
  let graph: ResolvedGraph
  let nodeLatencies: [Int]
  let limits: [Int: Int]
  let sampleRate: Double
  let partition: Partition?

  /// `latencies` are frames by node; those of sources and sinks are 0. `limits` names the nodes
  /// whose latency may change while the plan runs, with the largest latency of each. Compiling
  /// again with other latencies of these nodes gives the same steps with other numbers. `partition`
  /// divides the plan into tasks for several threads, if that is worthwhile.
  package init(
    _ graph: ResolvedGraph, latencies: [Int], limits: [Int: Int] = [:], sampleRate: Double,
    partition: Partition? = nil
  ) {
    self.graph = graph
    nodeLatencies = latencies
    self.limits = limits
    self.sampleRate = sampleRate
    self.partition = partition
  }

  package func compile() throws(GraphError) -> RenderPlan {
    try verified(buffersAssigned(divided(scheduled(latencyCompensated(ordered())))))
  }

  func ordered() throws(GraphError) -> Components {
    try graph.components()
  }

  func latencyCompensated(
    _ components: Components
  ) throws(GraphError) -> (Components, Latencies) {
    (
      components,
      try graph.latencies(of: nodeLatencies, in: components, sampleRate: sampleRate)
    )
  }

  func scheduled(_ timed: (Components, Latencies)) -> Schedule {
    let times =
      limits.isEmpty ? nil : MovingTimes(graph, nodeLatencies, limits: limits, in: timed.0)
    var scheduler = Scheduler(
      graph: graph, components: timed.0, latencies: timed.1, nodeLatencies: nodeLatencies,
      times: times)
    return scheduler.schedule()
  }

  func divided(_ schedule: Schedule) -> Schedule {
    partition?.divided(schedule, graph: graph.graph) ?? schedule
  }

  func buffersAssigned(_ schedule: Schedule) -> RenderPlan {
    var allocator = BufferAllocator(schedule, graph: graph.graph)
    return allocator.plan(nodeLatencies: nodeLatencies, limits: limits)
  }

  func verified(_ plan: RenderPlan) throws(GraphError) -> RenderPlan {
    try RenderPlanVerifier(graph: graph, nodeLatencies: nodeLatencies, sampleRate: sampleRate)
      .verify(plan)
    try TaskCheck(plan, graph: graph.graph).verify()
    return plan
  }
}
