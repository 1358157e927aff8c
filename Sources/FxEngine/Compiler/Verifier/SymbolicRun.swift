/// The content of the buffers after each step, as sums of terms.
struct SymbolicRun {
  struct Term: Equatable {
    enum Origin: Equatable {
      case output(ChannelID)
      case feedback(connection: Int, channel: Int)
    }

    var origin: Origin
    var gain: Float
    var delay: Int
  }

  let plan: RenderPlan
  let graph: ResolvedGraph
  let nodeLatencies: [Int]
  let hasStrangers: Bool
  /// nil: never written.
  var content: [[Term]?]
  /// The content that each node read when it ran.
  var inputs: [[[Term]]?]
  var usedDelayLines: Set<Int> = []
  var writtenLines: [Int: [Term]] = [:]
  var blended: Set<Int> = []

  init(
    _ plan: RenderPlan, graph: ResolvedGraph, nodeLatencies: [Int], hasStrangers: Bool = false
  ) throws(GraphError) {
    self.hasStrangers = hasStrangers
    self.plan = plan
    self.graph = graph
    self.nodeLatencies = nodeLatencies
    guard plan.bufferCount >= 1 else { throw .unsoundPlan("no buffers") }
    content = [[Term]?](repeating: nil, count: plan.bufferCount)
    inputs = [[[Term]]?](repeating: nil, count: graph.graph.nodes.count)
    content[0] = []
    for source in plan.sources {
      for (channel, buffer) in source.buffers.enumerated() {
        guard buffer > 0, buffer < plan.bufferCount, content[buffer] == nil else {
          throw .unsoundPlan("source \(source.node) shares buffer \(buffer)")
        }
        content[buffer] = [
          Term(
            origin: .output(ChannelID(node: source.node, channel: channel)), gain: 1, delay: 0)
        ]
      }
    }
  }

  /// Skips a step of another graph's node, or on its signals: their content is unknown. Returns
  /// true for such a step.
  mutating func passOver(_ step: RenderPlan.Step) -> Bool {
    let isStrange =
      switch step {
      case .run(let node, _, _), .blend(let node, _, _, _): node < 0
      case .sum, .delay: step.reads.contains { content.indices.contains($0) && content[$0] == nil }
      case .feedbackRead(let line, _), .feedbackWrite(let line, _):
        plan.feedbackLines.indices.contains(line) && plan.feedbackLines[line].connection < 0
      }
    guard isStrange else { return false }
    for buffer in step.writes where content.indices.contains(buffer) { content[buffer] = nil }
    return true
  }

  mutating func perform(_ step: RenderPlan.Step, at index: Int) throws(GraphError) {
    for buffer in step.reads + step.writes where buffer < 0 || buffer >= plan.bufferCount {
      throw .unsoundPlan("step \(index) uses buffer \(buffer)")
    }
    for buffer in step.reads where content[buffer] == nil {
      throw .unsoundPlan("step \(index) reads buffer \(buffer) before it is written")
    }
    guard !step.writes.contains(0) else { throw .unsoundPlan("step \(index) writes on silence") }
    switch step {
    case .sum(let terms, let output):
      guard !terms.dropFirst().contains(where: { $0.input == output }) else {
        throw .unsoundPlan("step \(index) overwrites a term before it is added")
      }
      var sum: [Term] = []
      for term in terms {
        for var part in content[term.input] ?? [] {
          part.gain *= term.gain
          sum.append(part)
        }
      }
      content[output] = sum
    case .delay(let line, let input, let output):
      guard plan.delayLines.indices.contains(line), usedDelayLines.insert(line).inserted,
        plan.delayLines[line] > 0 || plan.movingLines[line] != nil,
        (0...(plan.movingLines[line] ?? .max)).contains(plan.delayLines[line])
      else { throw .unsoundPlan("step \(index) uses delay line \(line) again") }
      content[output] = (content[input] ?? []).map { term in
        var term = term
        term.delay += plan.delayLines[line]
        return term
      }
    case .feedbackRead(let line, let output):
      guard plan.feedbackLines.indices.contains(line) else {
        throw .unsoundPlan("step \(index) reads feedback line \(line)")
      }
      let read = plan.feedbackLines[line]
      content[output] = [
        Term(
          origin: .feedback(connection: read.connection, channel: read.channel), gain: 1, delay: 0)
      ]
    case .feedbackWrite(let line, let input):
      guard plan.feedbackLines.indices.contains(line), writtenLines[line] == nil else {
        throw .unsoundPlan("step \(index) writes feedback line \(line)")
      }
      writtenLines[line] = content[input] ?? []
    case .run(let node, let reads, let outputs):
      guard inputs[node] == nil else { throw .unsoundPlan("node \(node) runs twice") }
      inputs[node] = reads.map { content[$0] ?? [] }
      for (channel, output) in outputs.enumerated() { content[output] = wet(node, channel) }
    case .blend(let node, let dry, let wetBuffers, let outputs):
      try blend(node, dry, wetBuffers, outputs, at: index)
    }
  }

  func wet(_ node: Int, _ channel: Int) -> [Term] {
    [Term(origin: .output(ChannelID(node: node, channel: channel)), gain: 1, delay: 0)]
  }

  /// A blended output stands for the node, like the unit's own output. First, its dry signal must
  /// be the node's input, delayed by the unit's latency.
  private mutating func blend(
    _ node: Int, _ dry: [Int], _ wetBuffers: [Int], _ outputs: [Int], at index: Int
  ) throws(GraphError) {
    guard graph.graph.nodes.indices.contains(node), graph.graph.nodes[node].keepsDry,
      let inputs = inputs[node], dry.count == outputs.count, wetBuffers.count == outputs.count,
      outputs.count == graph.soundOutputCount(node), Set(outputs).count == outputs.count
    else { throw .unsoundPlan("step \(index) blends what has not run") }
    let width = graph.inputWidths[node].first ?? 0
    let main = graph.outputWidths[node].first ?? 0
    for channel in outputs.indices {
      let source = width == 1 ? 0 : channel
      let isDry = source < width && channel < main
      let expected = (isDry ? inputs[source] : []).map { term in
        var term = term
        term.delay += nodeLatencies[node]
        return term
      }
      guard content[dry[channel]] == expected, content[wetBuffers[channel]] == wet(node, channel)
      else { throw .unsoundPlan("step \(index) blends the wrong signals") }
      let overwritten =
        dry[(channel + 1)...].contains(outputs[channel])
        || wetBuffers[(channel + 1)...].contains(outputs[channel])
      guard !overwritten else { throw .unsoundPlan("step \(index) overwrites what it blends") }
    }
    for (channel, output) in outputs.enumerated() { content[output] = wet(node, channel) }
    blended.insert(node)
  }
}
