/// Assigns a buffer to every value of a schedule, using few buffers.
///
/// One pass over the steps: a value's buffer is free again after the last step that reads it
/// (linear scan). An output takes over the buffer of the input that it replaces, where the step
/// allows it. Buffers that a sink reads are kept to the end. Loops follow the same rule, because a
/// slice never uses the frames of another slice. Values shared by tasks have their own buffers, and
/// no other buffer is used by two tasks.
struct BufferAllocator {
  private let schedule: Schedule
  private let graph: Graph
  private var lastUse: [Int]
  private var buffer: [Int]
  private var free: [Int] = []
  private var bufferCount = 1
  private let shared: Set<Int>

  init(_ schedule: Schedule, graph: Graph) {
    self.schedule = schedule
    self.graph = graph
    lastUse = [Int](repeating: -1, count: schedule.valueCount)
    buffer = [Int](repeating: 0, count: schedule.valueCount)
    for (index, step) in schedule.steps.enumerated() {
      for value in step.reads { lastUse[value] = index }
    }
    for sink in schedule.sinks {
      for value in sink.buffers { lastUse[value] = .max }
    }
    lastUse[0] = .max
    shared = schedule.sharedValues
    for value in shared { lastUse[value] = .max }
  }

  mutating func plan(nodeLatencies: [Int], limits: [Int: Int] = [:]) -> RenderPlan {
    for source in schedule.sources {
      for value in source.buffers { buffer[value] = takeBuffer() }
    }
    for source in schedule.sources {
      for value in source.buffers where lastUse[value] < 0 { free.append(buffer[value]) }
    }
    var steps: [RenderPlan.Step] = []
    steps.reserveCapacity(schedule.steps.count)
    let firstSteps = Set(
      schedule.tasks.map { schedule.sections[$0.sections.lowerBound].steps.lowerBound })
    for (index, step) in schedule.steps.enumerated() {
      if firstSteps.contains(index) { free = [] }
      assign(step, at: index)
      steps.append(step.mapped { buffer[$0] })
    }
    return RenderPlan(
      nodes: graph.nodes.indices.map { node in
        RenderPlan.NodeSummary(
          id: graph.nodes[node].id, kind: graph.nodes[node].content.kindName,
          latency: nodeLatencies[node], arrival: schedule.latencies.arrival[node],
          latencyLimit: limits[node])
      },
      steps: steps, sections: schedule.sections, bufferCount: bufferCount,
      delayLines: schedule.delayLines, lineOrigins: schedule.lineOrigins,
      feedbackLines: schedule.feedbackLines, eventLines: schedule.eventLines,
      sources: schedule.sources.map(mapped), sinks: schedule.sinks.map(mapped),
      movingLines: schedule.movingLines, latencyLimit: schedule.latencyLimit,
      tasks: schedule.tasks, sharedBuffers: Set(shared.map { buffer[$0] }))
  }

  private func mapped(_ port: RenderPlan.Port) -> RenderPlan.Port {
    RenderPlan.Port(
      node: port.node, buffers: port.buffers.map { buffer[$0] }, layout: port.layout,
      latency: port.latency, lateness: port.lateness)
  }

  /// Outputs get their buffers before the inputs last read here release theirs. So only a
  /// deliberate take-over shares memory.
  private mutating func assign(_ step: RenderPlan.Step, at index: Int) {
    var takenOver = Set<Int>()
    for (output, candidate) in zip(step.writes, heirs(of: step)) {
      if shared.contains(output) {
        buffer[output] = newBuffer()
      } else if let candidate, lastUse[candidate] == index, takenOver.insert(candidate).inserted {
        buffer[output] = buffer[candidate]
      } else {
        buffer[output] = takeBuffer()
      }
    }
    var freed = takenOver
    for value in step.reads where lastUse[value] == index && freed.insert(value).inserted {
      free.append(buffer[value])
    }
    for value in step.writes where lastUse[value] < 0 { free.append(buffer[value]) }
  }

  /// For each output, the input whose buffer it may take over.
  private func heirs(of step: RenderPlan.Step) -> [Int?] {
    switch step {
    case .sum(let terms, _):
      // During a fade, the first term may change.
      guard !terms.contains(where: { $0.fade != .none }) else { return [nil] }
      let first = terms.first?.input
      return [terms.dropFirst().contains { $0.input == first } ? nil : first]
    case .delay(_, let input, _): return [input]
    case .feedbackRead: return [nil]
    case .feedbackWrite: return []
    case .blend(_, let dry, let wet, _):
      return wet.map { dry.contains($0) ? nil : $0 }
    case .run(let node, let inputs, let outputs):
      guard graph.nodes[node].rendersInPlace else { return outputs.map { _ in nil } }
      var readers: [Int: Int] = [:]
      for input in inputs { readers[input, default: 0] += 1 }
      return outputs.indices.map { channel in
        guard channel < inputs.count, readers[inputs[channel]] == 1 else { return nil }
        return inputs[channel]
      }
    }
  }

  private mutating func takeBuffer() -> Int {
    free.popLast() ?? newBuffer()
  }

  private mutating func newBuffer() -> Int {
    defer { bufferCount += 1 }
    return bufferCount
  }
}

extension RenderPlan.Step {
  /// Buffers that the step reads.
  package var reads: [Int] {
    switch self {
    case .sum(let terms, _): terms.map(\.input)
    case .delay(_, let input, _): [input]
    case .feedbackRead: []
    case .feedbackWrite(_, let input): [input]
    case .run(_, let inputs, _): inputs
    case .blend(_, let dry, let wet, _): dry + wet
    }
  }

  /// Buffers that the step writes.
  package var writes: [Int] {
    switch self {
    case .sum(_, let output): [output]
    case .delay(_, _, let output): [output]
    case .feedbackRead(_, let output): [output]
    case .feedbackWrite: []
    case .run(_, _, let outputs): outputs
    case .blend(_, _, _, let outputs): outputs
    }
  }

  /// The same step over other buffers.
  func mapped(_ buffer: (Int) -> Int) -> Self {
    switch self {
    case .sum(let terms, let output):
      .sum(
        terms.map { term in
          RenderPlan.Term(
            input: buffer(term.input), gain: term.gain, fade: term.fade, lead: term.lead)
        },
        output: buffer(output))
    case .delay(let line, let input, let output):
      .delay(line: line, input: buffer(input), output: buffer(output))
    case .feedbackRead(let line, let output): .feedbackRead(line: line, output: buffer(output))
    case .feedbackWrite(let line, let input): .feedbackWrite(line: line, input: buffer(input))
    case .run(let node, let inputs, let outputs):
      .run(node: node, inputs: inputs.map(buffer), outputs: outputs.map(buffer))
    case .blend(let node, let dry, let wet, let outputs):
      .blend(
        node: node, dry: dry.map(buffer), wet: wet.map(buffer), outputs: outputs.map(buffer))
    }
  }
}

extension Graph.Node.Content {
  /// The name of the node's kind in a printed plan.
  package var kindName: String {
    switch self {
    case .source: "source"
    case .sink: "sink"
    case .unit(let unit):
      switch unit.kind {
      case .builtIn(let name, _): name
      case .lv2(let uri): uri
      }
    }
  }
}
