/// Checks that a plan does what its graph says, without relying on the compiler's results.
///
/// It runs the plan on symbols: a buffer holds a sum of node outputs, each with its gain and delay
/// in frames. Where a node reads, the sum must be what the graph connects there, and all signals
/// that meet must have the same latency. Writing to a buffer replaces its symbol, so a buffer that
/// is reused too early shows as a wrong sum.
struct RenderPlanVerifier {
  private let graph: ResolvedGraph
  private let nodeLatencies: [Int]
  private let sampleRate: Double
  /// Incoming edges by node and input channel, in the file's order.
  private let expected: [[[ResolvedGraph.Edge]]]

  package init(graph: ResolvedGraph, nodeLatencies: [Int], sampleRate: Double) {
    self.graph = graph
    self.nodeLatencies = nodeLatencies
    self.sampleRate = sampleRate
    var expected = graph.graph.nodes.indices.map { node in
      [[ResolvedGraph.Edge]](repeating: [], count: graph.inputCount(node))
    }
    for edge in graph.edges { expected[edge.to.node][edge.to.channel].append(edge) }
    self.expected = expected
  }

  /// With `hasStrangers`, the plan also contains nodes of another graph. Such a node has the number
  /// -1, and so has the connection of its feedback line.
  func verify(_ plan: RenderPlan, hasStrangers: Bool = false) throws(GraphError) {
    var run = try SymbolicRun(
      plan, graph: graph, nodeLatencies: nodeLatencies, hasStrangers: hasStrangers)
    let components = try graph.components()
    var check = ArrivalCheck(
      graph: graph, nodeLatencies: nodeLatencies, components: components, plan: plan)
    for source in plan.sources { check.depart(source.node, at: 0) }
    var section = plan.sections.startIndex
    for (index, step) in plan.steps.enumerated() {
      while section < plan.sections.count, !plan.sections[section].steps.contains(index) {
        section += 1
      }
      guard section < plan.sections.count else {
        throw .unsoundPlan("step \(index) is in no section")
      }
      if hasStrangers, run.passOver(step) { continue }
      if case .run(let node, let inputs, let outputs) = step {
        try requireRunnable(node, inputs, outputs, at: index)
        try check.arrive(node, inputs.map { run.content[$0] }, expected[node], section: section)
      }
      try run.perform(step, at: index)
    }
    for sink in plan.sinks {
      guard graph.graph.nodes.indices.contains(sink.node),
        sink.buffers.count == expected[sink.node].count
      else { throw .unsoundPlan("sink \(sink.node) has the wrong number of channels") }
      for buffer in sink.buffers where buffer < 0 || buffer >= plan.bufferCount {
        throw .unsoundPlan("sink \(sink.node) reads buffer \(buffer)")
      }
      try check.arrive(
        sink.node, sink.buffers.map { run.content[$0] }, expected[sink.node], section: nil)
    }
    try check.finish(run)
    try requireFeedbackDelays(plan)
  }

  private func requireRunnable(
    _ node: Int, _ inputs: [Int], _ outputs: [Int], at index: Int
  ) throws(GraphError) {
    guard graph.graph.nodes.indices.contains(node), inputs.count == expected[node].count,
      outputs.count == graph.outputCount(node)
    else { throw .unsoundPlan("step \(index) runs a node with the wrong number of channels") }
    guard Set(outputs).count == outputs.count, !outputs.contains(0) else {
      throw .unsoundPlan("step \(index) writes one buffer twice")
    }
    for (channel, output) in outputs.enumerated() {
      for (position, input) in inputs.enumerated() where input == output {
        guard graph.graph.nodes[node].rendersInPlace, position == channel else {
          throw .unsoundPlan("step \(index) overwrites its input \(position)")
        }
      }
    }
  }

  /// A line's frames are its connection's delay minus the longest latency round its loop. No slice
  /// is longer than a line that is read and written in it.
  private func requireFeedbackDelays(_ plan: RenderPlan) throws(GraphError) {
    let components = try graph.components()
    let latencies = try graph.latencies(of: nodeLatencies, in: components, sampleRate: sampleRate)
    for line in plan.feedbackLines where line.connection >= 0 {
      guard latencies.feedbackFrames[line.connection] == line.frames else {
        throw .unsoundPlan("a feedback line of \(line.frames) frames")
      }
    }
    guard plan.eventLines.map(\.connection) == graph.eventConnections else {
      throw .unsoundPlan("event lines that are not those of the connections")
    }
    for line in plan.eventLines {
      guard let frames = latencies.feedbackFrames[line.connection] else { continue }
      let node = graph.graph.connections[line.connection].to.node
      let section = plan.sections.first { $0.runs(node, in: plan) }
      guard line.frames == frames, section.map({ ($0.slice ?? .max) <= frames }) ?? true else {
        throw .unsoundPlan("an event line of \(line.frames) frames")
      }
    }
    for section in plan.sections {
      for step in plan.steps[section.steps] {
        let line: Int
        switch step {
        case .feedbackRead(let read, _): line = read
        case .feedbackWrite(let written, _): line = written
        default: continue
        }
        guard let slice = section.slice, slice >= 1, slice <= plan.feedbackLines[line].frames else {
          throw .unsoundPlan("a slice longer than its loop")
        }
      }
    }
  }
}

extension RenderPlan.Section {
  fileprivate func runs(_ node: Int, in plan: RenderPlan) -> Bool {
    plan.steps[steps].contains { step in
      if case .run(node, _, _) = step { true } else { false }
    }
  }
}
