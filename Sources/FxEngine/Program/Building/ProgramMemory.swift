import FxAudio

/// Memory that a program will allocate in addition to its units, in bytes.
package struct ProgramMemory: Sendable {
  /// By node: its parameters, and the delay lines of its signals.
  package private(set) var nodes: [Int]
  /// By connection: its feedback lines.
  package private(set) var connections: [Int: Int]
  /// Buffers and steps.
  package private(set) var shared: Int

  /// Only the feedback lines, which are known before there is a plan.
  package init(feedbackOf graph: ResolvedGraph, _ configuration: ProgramConfiguration) {
    nodes = graph.graph.nodes.map { _ in 0 }
    connections = [:]
    shared = 0
    var lines: Set<[Int]> = []
    for edge in graph.edges where edge.isFeedback {
      guard lines.insert([edge.connection, edge.from.channel]).inserted else { continue }
      add(connection: edge.connection, graph, configuration)
    }
  }

  package init(
    _ plan: RenderPlan, _ graph: ResolvedGraph, _ configuration: ProgramConfiguration
  ) {
    let block = configuration.maximumFrameCount
    let floats = MemoryLayout<Float>.stride
    let units = graph.graph.nodes.map { node in
      if case .unit(let unit) = node.content { unit.parameters.count } else { 0 }
    }
    nodes = units.map { $0 * (MemoryLayout<ParameterTrack>.stride + 64) }
    connections = [:]
    let usesTasks = plan.canRun(on: configuration)
    let shape = usesTasks ? plan.shape(configuration) : PipelineShape(blockFrames: block)
    let places = plan.bufferCount + plan.sharedBuffers.count * (shape.depth - 1)
    let scratch = plan.taskSteps(divided: usesTasks).reduce(0) { sum, steps in
      sum + (steps.compactMap { step in step.node.map { units[$0] } }.max() ?? 0)
    }
    shared = (places + scratch) * shape.stride * floats
    shared += plan.steps.count * Self.stepBytes
    var longest: [RenderPlan.LineOrigin: Int] = [:]
    for (line, origin) in plan.lineOrigins.enumerated() {
      let frames = plan.movingLines[line] ?? plan.delayLines[line]
      longest[origin] = max(longest[origin] ?? 0, frames)
    }
    for (origin, frames) in longest {
      let bytes = DelayRing.capacity(delay: frames, blockFrames: block) * floats
      switch origin {
      case .output(let channel), .input(let channel): nodes[channel.node] += bytes
      }
    }
    for line in plan.feedbackLines { add(connection: line.connection, graph, configuration) }
    for line in plan.eventLines {
      nodes[graph.graph.connections[line.connection].to.node] += 4 * EventLineMemory.capacity
    }
    if configuration.measuresNodes {
      for (node, count) in units.enumerated() where count > 0 {
        nodes[node] += TimeHistogram.byteCount
      }
    }
    if configuration.takesFingerprints {
      let recorded = configuration.recordedFrameCount * floats
      for node in nodes.indices {
        let channels = graph.inputCount(node) + 2 * graph.outputCount(node)
        nodes[node] += channels * (recorded + SideFingerprint.channelBytes)
      }
    }
  }

  /// Bytes of an operation and its operands.
  private static let stepBytes = 512

  private mutating func add(
    connection: Int, _ graph: ResolvedGraph, _ configuration: ProgramConfiguration
  ) {
    let seconds = graph.graph.connections[connection].feedbackDelay ?? 0
    let frames = Int((seconds * configuration.sampleRate).rounded())
    connections[connection, default: 0] +=
      DelayRing.capacity(delay: frames, blockFrames: configuration.maximumFrameCount)
      * MemoryLayout<Float>.stride
  }
}
