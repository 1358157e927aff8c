/// Compiles a graph whose units have been made, so that their latencies are known, to a plan.
package struct GraphCompiler {
  let graph: ResolvedGraph
  let nodeLatencies: [Int]
  let limits: [Int: Int]
  let sampleRate: Double

  /// `latencies` are frames by node; those of sources and sinks are 0. `limits` names the nodes whose
  /// latency may change while the plan runs, and how far up: another compilation with other
  /// latencies of these nodes gives the same steps with other numbers.
  package init(
    _ graph: ResolvedGraph, latencies: [Int], limits: [Int: Int] = [:], sampleRate: Double
  ) {
    self.graph = graph
    nodeLatencies = latencies
    self.limits = limits
    self.sampleRate = sampleRate
  }

  package func compile() throws(GraphError) -> RenderPlan {
    try verified(buffersAssigned(scheduled(latencyCompensated(ordered()))))
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

  func buffersAssigned(_ schedule: Schedule) -> RenderPlan {
    var allocator = BufferAllocator(schedule, graph: graph.graph)
    return allocator.plan(nodeLatencies: nodeLatencies, limits: limits)
  }

  func verified(_ plan: RenderPlan) throws(GraphError) -> RenderPlan {
    try RenderPlanVerifier(graph: graph, nodeLatencies: nodeLatencies, sampleRate: sampleRate)
      .verify(plan)
    return plan
  }
}
