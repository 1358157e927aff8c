/// Compiles a graph whose units have been made, so that their latencies are known, to a plan.
package struct GraphCompiler {
  let graph: ResolvedGraph
  let nodeLatencies: [Int]
  let sampleRate: Double

  /// `latencies` are frames by node; those of sources and sinks are 0.
  package init(_ graph: ResolvedGraph, latencies: [Int], sampleRate: Double) {
    self.graph = graph
    nodeLatencies = latencies
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
    var scheduler = Scheduler(
      graph: graph, components: timed.0, latencies: timed.1, nodeLatencies: nodeLatencies)
    return scheduler.schedule()
  }

  func buffersAssigned(_ schedule: Schedule) -> RenderPlan {
    var allocator = BufferAllocator(schedule, graph: graph.graph)
    return allocator.plan(nodeLatencies: nodeLatencies)
  }

  func verified(_ plan: RenderPlan) throws(GraphError) -> RenderPlan {
    try RenderPlanVerifier(graph: graph, nodeLatencies: nodeLatencies, sampleRate: sampleRate)
      .verify(plan)
    return plan
  }
}
