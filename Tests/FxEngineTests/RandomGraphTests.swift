import FxAudio
@testable import FxEngine
import Testing

@Suite struct RandomGraphTests {
  static let length = 700

  @Test(arguments: 0..<200)
  func `a plan renders the same bits as the naive evaluator`(_ seed: Int) throws {
    let random = try RandomGraph(seed: UInt64(seed))
    let plan = try random.plan()
    let sources = signals(for: plan, seed: UInt64(seed))
    let rendered = try render(random, plan, sources, seed: UInt64(seed))
    let naive = NaiveEvaluator(random, sources: sources, length: Self.length)
    for (sink, channels) in zip(plan.sinks, rendered) {
      let expected = naive.output(of: sink.node)
      try #require(channels.count == expected.count)
      for (channel, samples) in channels.enumerated() {
        let difference = zip(samples, expected[channel]).enumerated().first { $0.1.0 != $0.1.1 }
        #expect(
          difference == nil, "\(random.graph.graph.nodes[sink.node].id) channel \(channel)\n\(plan)"
        )
      }
    }
  }

  /// Delay lines allow every late unit to change its latency; none does.
  @Test(arguments: 0..<200)
  func `a plan with movable latencies renders the same and keeps its steps for any latencies`(
    _ seed: Int
  ) throws {
    let random = try RandomGraph(seed: UInt64(seed))
    var limits: [Int: Int] = [:]
    for (node, unit) in random.units.enumerated() where unit == .late { limits[node] = 60 }
    func plan(_ latencies: [Int]) throws -> RenderPlan {
      try GraphCompiler(random.graph, latencies: latencies, limits: limits, sampleRate: 48000)
        .compile()
    }
    let still = try random.plan()
    let moving = try plan(random.latencies)
    #expect(moving.sinks.map(\.latency) == still.sinks.map(\.latency))
    let sources = signals(for: still, seed: UInt64(seed))
    #expect(
      try render(random, moving, sources, seed: 1) == render(random, still, sources, seed: 1))
    var generator = SplitMix(state: UInt64(seed) &+ 99)
    for _ in 0..<4 {
      var latencies = random.latencies
      for node in limits.keys.sorted() { latencies[node] = generator.below(20) }
      #expect(try plan(latencies).differsInDelaysAlone(from: moving))
    }
  }

  @Test(arguments: 0..<200)
  func `a mutated plan is rejected, or renders the same`(_ seed: Int) throws {
    let random = try RandomGraph(seed: UInt64(seed))
    let plan = try random.plan()
    let verifier = RenderPlanVerifier(
      graph: random.graph, nodeLatencies: random.latencies, sampleRate: 48000)
    var generator = SplitMix(state: UInt64(seed) &+ 1)
    var rejected = 0
    for _ in 0..<12 {
      let mutated = mutate(plan, &generator)
      guard mutated != plan else { continue }
      do {
        try verifier.verify(mutated)
        let sources = signals(for: plan, seed: 7)
        let changed = try render(random, mutated, sources, seed: 7)
        #expect(changed == (try render(random, plan, sources, seed: 7)), "\(plan)\n---\n\(mutated)")
      } catch {
        rejected += 1
      }
    }
    #expect(rejected >= 4)
  }

  private func signals(for plan: RenderPlan, seed: UInt64) -> [Int: [[Float]]] {
    var generator = SplitMix(state: seed)
    var signals: [Int: [[Float]]] = [:]
    for source in plan.sources {
      signals[source.node] = source.buffers.map { _ in
        (0..<Self.length).map { _ in generator.sample() }
      }
    }
    return signals
  }

  /// Renders in blocks of random length and takes each sink's latency off its front.
  private func render(
    _ random: RandomGraph, _ plan: RenderPlan, _ sources: [Int: [[Float]]], seed: UInt64
  ) throws -> [[[Float]]] {
    var generator = SplitMix(state: seed)
    let instances = try random.types.enumerated().map { node, type in
      try type?.make(
        Preparation(
          sampleRate: 48000, maximumFrameCount: 256, inputWidths: random.unitInputs(node),
          outputWidths: random.graph.outputWidths[node]))
    }
    let program = RenderProgram(
      plan: plan, graph: random.graph, instances: instances,
      configuration: ProgramConfiguration(sampleRate: 48000, maximumFrameCount: 256))
    var output = plan.sinks.map { $0.buffers.map { _ in [Float]() } }
    var frame = 0
    let total = Self.length + plan.latency
    while frame < total {
      let count = min(1 + generator.below(256), total - frame)
      for (index, source) in plan.sources.enumerated() {
        for channel in source.buffers.indices {
          let signal = sources[source.node]?[channel] ?? []
          let buffer = program.sourceBuffer(index, channel: channel)
          for offset in 0..<count {
            buffer[offset] = frame + offset < signal.count ? signal[frame + offset] : 0
          }
        }
      }
      program.renderer.render(frameCount: count)
      for (index, sink) in plan.sinks.enumerated() {
        for channel in sink.buffers.indices {
          let buffer = program.sinkBuffer(index, channel: channel)
          output[index][channel] += (0..<count).map { buffer[$0] }
        }
      }
      frame += count
    }
    return zip(plan.sinks, output).map { sink, channels in
      channels.map { Array($0.dropFirst(sink.latency).prefix(Self.length)) }
    }
  }

  /// One change of one number somewhere in the plan.
  private func mutate(_ plan: RenderPlan, _ random: inout SplitMix) -> RenderPlan {
    var plan = plan
    let step = random.below(plan.steps.count)
    let buffer = random.below(plan.bufferCount)
    switch random.below(9) {
    case 8 where !plan.eventLines.isEmpty:
      plan.eventLines[random.below(plan.eventLines.count)].frames += 1
    case 0:
      let other = random.below(plan.steps.count)
      plan.steps.swapAt(step, other)
    case 1 where !plan.delayLines.isEmpty:
      plan.delayLines[random.below(plan.delayLines.count)] += 1
    case 2 where !plan.feedbackLines.isEmpty:
      plan.feedbackLines[random.below(plan.feedbackLines.count)].frames -= 1
    case 3:
      let sink = random.below(plan.sinks.count)
      plan.sinks[sink].buffers[0] = buffer
    case 4:
      let sink = random.below(plan.sinks.count)
      plan.sinks[sink].latency += 1
    case 5:
      for index in plan.sections.indices {
        if let slice = plan.sections[index].slice { plan.sections[index].slice = slice * 8 }
      }
    default:
      plan.steps[step] = mutate(plan.steps[step], buffer: buffer, &random)
    }
    return plan
  }

  private func mutate(
    _ step: RenderPlan.Step, buffer: Int, _ random: inout SplitMix
  ) -> RenderPlan.Step {
    switch step {
    case .sum(var terms, let output):
      guard random.below(2) == 0 else { return .sum(terms, output: buffer) }
      terms[random.below(terms.count)].gain *= 1.01
      return .sum(terms, output: output)
    case .delay(let line, let input, _): return .delay(line: line, input: input, output: buffer)
    case .feedbackRead(let line, _): return .feedbackRead(line: line, output: buffer)
    case .feedbackWrite(let line, _): return .feedbackWrite(line: line, input: buffer)
    case .run(let node, var inputs, var outputs):
      if random.below(2) == 0 {
        inputs[random.below(inputs.count)] = buffer
      } else {
        outputs[random.below(outputs.count)] = buffer
      }
      return .run(node: node, inputs: inputs, outputs: outputs)
    case .blend(let node, var dry, let wet, let outputs):
      dry[random.below(dry.count)] = buffer
      return .blend(node: node, dry: dry, wet: wet, outputs: outputs)
    }
  }
}
