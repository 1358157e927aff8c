import CKernels
import FxAudio
import FxGraph
import Synchronization

/// Lays out a program's memory and turns a plan's steps into operations on it.
struct ProgramBuilder {
  let plan: RenderPlan
  let graph: ResolvedGraph
  let instances: [UnitInstance?]
  let configuration: ProgramConfiguration
  var arena = Arena()
  let buffers: [UnsafeMutablePointer<Float>]
  let commands: CommandRing
  /// By node; sources and sinks have none.
  let calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>
  /// By node.
  let guards: UnsafeMutablePointer<NodeGuard>
  /// Counts units that were taken out.
  let faults: UnsafeMutablePointer<Atomic<Int>>
  let numbers: PlanNumbers
  private let vectorLevel = fx_vector_level()
  private let scratch: UnsafeMutablePointer<Float>
  private let stride: Int
  private var feedbackRings: [DelayRing] = []

  init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration
  ) {
    self.plan = plan
    self.graph = graph
    self.instances = instances
    self.configuration = configuration
    var arena = Arena()
    // A cache line more than a block, so that equal frames of two buffers do not share a cache set.
    stride = (configuration.maximumFrameCount + 15) / 16 * 16 + 16
    let stride = stride
    let samples = arena.allocate(Float.self, count: plan.bufferCount * stride, repeating: 0)
    buffers = (0..<plan.bufferCount).map { samples + $0 * stride }
    let widest =
      graph.graph.nodes.map { node in
        if case .unit(let unit) = node.content { unit.parameters.count } else { 0 }
      }.max() ?? 0
    scratch = arena.allocate(Float.self, count: widest * stride, repeating: 0)
    commands = CommandRing(in: &arena)
    calls = arena.allocate(
      Optional<UnsafeMutablePointer<NodeCall>>.self, count: graph.graph.nodes.count,
      repeating: nil)
    guards = arena.allocateGuards(count: graph.graph.nodes.count)
    faults = arena.allocateCounter()
    numbers = PlanNumbers(plan, in: &arena)
    self.arena = arena
    for (index, line) in plan.feedbackLines.enumerated() {
      // A latency that moves leaves more of the connection's delay when it shrinks.
      let whole = graph.graph.connections[line.connection].feedbackDelay ?? 0
      let longest = max(line.frames, Int((whole * configuration.sampleRate).rounded()))
      feedbackRings.append(
        ring(
          delay: numbers.feedback(index), atMost: numbers.isFollowing ? longest : line.frames))
    }
  }

  mutating func sections() -> [OperationSection] {
    var sections: [OperationSection] = []
    for (index, section) in plan.sections.enumerated() {
      var operations: [Operation] = []
      for step in plan.steps[section.steps] {
        if let operation = operation(for: step) { operations.append(operation) }
      }
      guard !operations.isEmpty else { continue }
      sections.append(
        OperationSection(
          operations: UnsafePointer(arena.allocate(operations)), count: operations.count,
          slice: numbers.slice(index)))
    }
    return sections
  }

  private mutating func operation(for step: RenderPlan.Step) -> Operation? {
    switch step {
    case .sum(let terms, let output):
      let call = SumCall(
        inputs: UnsafePointer(arena.allocate(terms.map { UnsafePointer(buffers[$0.input]) })),
        gains: UnsafePointer(arena.allocate(terms.map(\.gain))), count: terms.count,
        output: buffers[output])
      return .sum(UnsafePointer(arena.allocate([call])))
    case .delay(let line, let input, let output):
      return .delay(
        ring(
          delay: numbers.delay(line), atMost: plan.movingLines[line] ?? plan.delayLines[line]),
        input: UnsafePointer(buffers[input]),
        output: buffers[output])
    case .feedbackRead(let line, let output):
      return .feedbackRead(feedbackRings[line], output: buffers[output])
    case .feedbackWrite(let line, let input):
      return .feedbackWrite(feedbackRings[line], input: UnsafePointer(buffers[input]))
    case .run(let node, let inputs, let outputs):
      return nodeCall(node, inputs: inputs, outputs: outputs).map { .run($0) }
    case .blend(let node, let dry, let wet, let outputs):
      guard let call = calls[node] else { return nil }
      let blend = BlendCall(
        node: call, dry: UnsafePointer(arena.allocate(dry.map { UnsafePointer(buffers[$0]) })),
        wet: UnsafePointer(arena.allocate(wet.map { UnsafePointer(buffers[$0]) })),
        outputs: UnsafePointer(arena.allocate(outputs.map { buffers[$0] })),
        channelCount: outputs.count)
      return .blend(UnsafePointer(arena.allocate([blend])))
    }
  }

  private mutating func nodeCall(
    _ node: Int, inputs: [Int], outputs: [Int]
  ) -> UnsafeMutablePointer<NodeCall>? {
    guard let instance = instances[node], case .unit(let unit) = graph.graph.nodes[node].content
    else { return nil }
    let bank = bank(for: unit, spec: instance.spec)
    let inputViews = arena.allocate(inputs.map { UnsafePointer(buffers[$0]) })
    let outputViews = arena.allocate(outputs.map { buffers[$0] })
    let block = RenderBlock(
      inputs: UnsafePointer(inputViews), inputCount: inputs.count,
      outputs: UnsafePointer(outputViews), outputCount: outputs.count, frameCount: 0, frame: 0,
      parameters: UnsafePointer(bank.signals))
    let movesBypass = unit.automation.contains { $0.slot == unit.parameters.count - 1 }
    let call = NodeCall(
      state: instance.state, entry: instance.entry,
      inputBases: arena.allocate(inputs.map { UnsafePointer(buffers[$0]) }), inputs: inputViews,
      inputCount: inputs.count, outputBases: arena.allocate(outputs.map { buffers[$0] }),
      outputs: outputViews, outputCount: outputs.count, arrival: numbers.arrival(node),
      watch: guards + node, faults: faults, vectorLevel: vectorLevel,
      lastSamples: arena.allocate(Float.self, count: outputs.count, repeating: 0),
      restsWhenBypassed: configuration.restsBypassedNodes && !movesBypass
        && graph.graph.nodes[node].keepsDry,
      block: arena.allocate([block]), bank: bank)
    let pointer = arena.allocate([call])
    calls[node] = pointer
    return pointer
  }

  private mutating func bank(for unit: UnitConfiguration, spec: UnitSpec) -> ParameterBank {
    var events: [ParameterEvent] = []
    var tracks: [ParameterTrack] = []
    let automation = Dictionary(grouping: unit.automation, by: \.slot)
    for (index, slot) in unit.parameters.enumerated() {
      let start = events.count
      for line in automation[index] ?? [] {
        events += slot.spec.events(for: line, sampleRate: configuration.sampleRate)
      }
      tracks.append(
        ParameterTrack(
          motion: ParameterMotion(resting: slot.spec.delivered(unit.values[index])),
          nextEvent: Int32(start), eventEnd: Int32(events.count),
          smoothingFrames: Int32(slot.spec.smoothingFrames(sampleRate: configuration.sampleRate)),
          smoothingPath: slot.spec.smoothingPath))
    }
    let count = tracks.count
    return ParameterBank(
      tracks: arena.allocate(tracks),
      signals: arena.allocate(
        ParameterSignal.self, count: count, repeating: ParameterSignal(constant: 0)),
      events: UnsafePointer(arena.allocate(events)), scratch: scratch, scratchStride: stride,
      count: count,
      firstPerFrame: spec.readsParametersPerFrame
        ? 0 : max(0, count - 2 - spec.perFrameParameterCount))
  }

  private mutating func ring(delay: UnsafePointer<Int>, atMost longest: Int) -> DelayRing {
    let capacity = DelayRing.capacity(
      delay: longest, blockFrames: configuration.maximumFrameCount)
    return DelayRing(
      samples: arena.allocate(Float.self, count: capacity, repeating: 0), mask: capacity - 1,
      delay: delay)
  }
}
