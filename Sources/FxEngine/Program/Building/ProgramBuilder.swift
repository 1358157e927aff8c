import CKernels
import FxAudio
import Synchronization

/// Lays out a program's memory and turns a plan's steps into operations on it.
struct ProgramBuilder {
  let plan: RenderPlan
  let graph: ResolvedGraph
  let instances: [UnitInstance?]
  let configuration: ProgramConfiguration
  var arena = Arena()
  let buffers: [BlockBuffer]
  /// How blocks lie in the buffers.
  let shape: PipelineShape
  /// True where several threads may render.
  let usesTasks: Bool
  let commands: CommandRing
  /// By node; sources and sinks have none.
  let calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>
  let inheritance: ProgramInheritance
  /// Memory that other programs may take over: by node, by the origin of a delay line, by feedback
  /// line.
  private(set) var memories: [NodeMemory?]
  private(set) var rings: [RenderPlan.LineOrigin: RingMemory] = [:]
  private(set) var feedbackRings: [RingMemory] = []
  private(set) var eventLines: [EventLineMemory] = []
  /// By delay line: its ring, inherited or new.
  private(set) var lineRings: [RingMemory] = []
  /// Counts failed units.
  let faults: UnsafeMutablePointer<Atomic<Int>>
  let numbers: LatencyTable
  private let vectorLevel = fx_vector_level()
  private var timedSlots: Set<Int> = []
  private(set) var fingerprintTable: FingerprintTable
  /// The task of the current section.
  private var task = 0
  /// By task; one if there are no tasks.
  private var scratch: [ParameterScratch] = []
  /// Set during a crossfade to another chain.
  let crossfade: CrossfadeClock?
  let clock: MusicalClock

  init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration, inheritance: ProgramInheritance = ProgramInheritance(),
    crossfade: CrossfadeTiming? = nil
  ) {
    self.plan = plan
    self.graph = graph
    self.instances = instances
    self.configuration = configuration
    fingerprintTable = FingerprintTable(recordedFrameCount: configuration.recordedFrameCount)
    var arena = Arena()
    usesTasks =
      plan.canRun(on: configuration) && !inheritance.sharesRings(plan)
      && !(crossfade != nil && configuration.isOffline)
    shape =
      usesTasks
      ? plan.shape(configuration) : PipelineShape(blockFrames: configuration.maximumFrameCount)
    let shape = shape
    buffers = (0..<plan.bufferCount).map { number in
      let isShared = plan.sharedBuffers.contains(number)
      // A sink may read the silent buffer for any block in flight, so it has a place for each.
      let count = shape.stride * (isShared || number == 0 ? shape.depth : 1)
      return BlockBuffer(
        arena.allocate(Float.self, count: count, repeating: 0), isShared: isShared)
    }
    commands = CommandRing(in: &arena, atLeast: crossfade?.commandCount ?? 0)
    self.crossfade = crossfade.map { CrossfadeClock($0, in: &arena) }
    calls = arena.allocate(
      Optional<UnsafeMutablePointer<NodeCall>>.self, count: graph.graph.nodes.count,
      repeating: nil)
    self.inheritance = inheritance
    clock =
      inheritance.clock
      ?? MusicalClock(configuration.tempo, sampleRate: configuration.sampleRate)
    memories = [NodeMemory?](repeating: nil, count: graph.graph.nodes.count)
    faults = arena.allocateCounter()
    numbers = LatencyTable(plan, in: &arena)
    self.arena = arena
    scratch = makeScratch()
    makeRings()
  }

  /// Memory for the moving parameters of one node, for each task.
  private mutating func makeScratch() -> [ParameterScratch] {
    plan.taskSteps(divided: usesTasks).map { steps in
      let widest = steps.compactMap { step in
        step.node.flatMap { node -> Int? in
          if case .unit(let unit) = graph.graph.nodes[node].content {
            unit.parameters.count
          } else {
            nil
          }
        }
      }.max()
      return ParameterScratch(
        samples: arena.allocate(Float.self, count: (widest ?? 0) * shape.stride, repeating: 0),
        stride: shape.stride)
    }
  }

  /// Lines with the same origin share a ring within a task, whatever their delays.
  private mutating func makeRings() {
    let blockFrames = configuration.maximumFrameCount
    let tasks = plan.tasksOfLines(divided: usesTasks)
    let keys = zip(plan.lineOrigins, tasks).map { RingKey(origin: $0, task: $1) }
    var longest: [RingKey: Int] = [:]
    for (line, key) in keys.enumerated() {
      let frames = plan.movingLines[line] ?? plan.delayLines[line]
      longest[key] = max(longest[key] ?? 0, frames)
    }
    var made: [RingKey: RingMemory] = [:]
    // A new ring is preferred to an inherited one: only the new one is large enough for all lines.
    for (line, key) in keys.enumerated()
    where inherited(inheritance.lines, line) == nil && made[key] == nil {
      let ring = RingMemory(longest: longest[key] ?? 0, blockFrames: blockFrames)
      made[key] = ring
      // A program that takes it over needs the longest ring.
      if let known = rings[key.origin], known.capacity >= ring.capacity { continue }
      rings[key.origin] = ring
    }
    for (line, key) in keys.enumerated() {
      if let ring = inherited(inheritance.lines, line) {
        lineRings.append(ring)
        rings[key.origin] = rings[key.origin] ?? ring
      } else if let ring = made[key] {
        lineRings.append(ring)
      }
    }
    for (index, line) in plan.feedbackLines.enumerated() {
      // When a changing latency shrinks, more of the connection's delay is left for the line.
      let whole = graph.graph.connections[line.connection].feedbackDelay ?? 0
      let frames = max(line.frames, Int((whole * configuration.sampleRate).rounded()))
      feedbackRings.append(
        inherited(inheritance.feedback, index)
          ?? RingMemory(longest: frames, blockFrames: blockFrames))
    }
    for (index, line) in plan.eventLines.enumerated() {
      let memory = inherited(inheritance.events, index) ?? EventLineMemory()
      if line.isCut { memory.notes.areToEnd = true }
      eventLines.append(memory)
    }
  }

  private struct RingKey: Hashable {
    let origin: RenderPlan.LineOrigin
    let task: Int
  }

  private func inherited<Memory>(_ memories: [Memory?], _ index: Int) -> Memory? {
    memories.indices.contains(index) ? memories[index] : nil
  }

  mutating func sections() -> [OperationSection] {
    var sections: [OperationSection] = []
    let blended = Set(
      plan.steps.compactMap { step in if case .blend(let node, _, _, _) = step { node } else { nil }
      })
    let tasks = plan.tasksOfSections(divided: usesTasks)
    let readCounts = plan.readCounts
    for (index, section) in plan.sections.enumerated() {
      task = tasks[index]
      arena.endPacking()
      var operations: [Operation] = []
      var steps: [Int] = []
      var slots: [Int] = []
      var fingerprints: [FingerprintedStep] = []
      for number in section.steps {
        let step = plan.steps[number]
        guard let operation = operation(for: step) else { continue }
        operations.append(operation)
        steps.append(number)
        slots.append(step.node ?? slot(ofStep: number))
        if configuration.takesFingerprints {
          fingerprints.append(fingerprintTable.entry(step, blended: blended, buffers, in: &arena))
        }
      }
      if !configuration.measuresNodes && !configuration.takesFingerprints {
        operations = joined(operations, steps, readCounts: readCounts)
      }
      timedSlots.formUnion(slots)
      let spans = configuration.measuresNodes ? OperationSpan.spans(slots) : []
      sections.append(
        OperationSection(
          operations: UnsafePointer(arena.allocate(operations)), count: operations.count,
          slice: numbers.slice(index), spans: UnsafePointer(arena.allocate(spans)),
          spanCount: spans.count, fingerprints: UnsafePointer(arena.allocate(fingerprints))))
    }
    return sections
  }

  /// The number of timed items: nodes, then steps where they are measured.
  private var timedCount: Int {
    graph.graph.nodes.count + (configuration.measuresSteps ? plan.steps.count : 0)
  }

  /// The slot that counts the time of a sum or a delay.
  private func slot(ofStep step: Int) -> Int {
    configuration.measuresSteps ? graph.graph.nodes.count + step : timedCount + task
  }

  /// What is measured while the sections run; nil for nothing.
  mutating func measures() -> ProgramMeasures? {
    guard configuration.measuresNodes else { return nil }
    let count = timedCount
    let steps = (graph.graph.nodes.count..<count).map { timedSlots.contains($0) }
    return ProgramMeasures(
      times: NodeTimes(
        nodes: memories.map { $0?.times }, measuringSteps: steps, slots: timedSlots,
        taskCount: usesTasks ? plan.tasks.count : 1, blocksInFlight: shape.depth,
        blockFrameCount: configuration.maximumFrameCount, in: &arena),
      levels: NodeLevels(
        slotCount: count + (usesTasks ? plan.tasks.count : 1), sampleRate: configuration.sampleRate,
        in: &arena))
  }

  /// The task board that the threads share; nil where one thread renders alone.
  mutating func board(
    _ sections: [OperationSection], _ measures: ProgramMeasures?
  ) -> TaskBoard? {
    guard usesTasks else { return nil }
    let waited = Set(plan.tasks.flatMap(\.waitsFor))
    return TaskBoard(
      tasks: plan.tasks.map { task in
        TaskBoard.Task(
          sections: UnsafePointer(arena.allocate(Array(sections[task.sections]))),
          sectionCount: task.sections.count,
          inputs: UnsafePointer(arena.allocate(task.waitsFor)), inputCount: task.waitsFor.count,
          done: arena.allocateCounter(), taken: arena.allocateCounter(),
          thread: arena.allocateCounter())
      }, last: plan.tasks.indices.filter { !waited.contains($0) }, shape: shape,
      measures: measures, in: &arena)
  }

  /// The fingerprints of sources and sinks; nil where none are taken.
  mutating func fingerprints() -> ProgramFingerprints? {
    guard configuration.takesFingerprints else { return nil }
    func sides(_ ports: [RenderPlan.Port], _ arena: inout Arena) -> [SideFingerprint] {
      ports.map {
        SideFingerprint(
          $0.buffers.map { UnsafePointer(buffers[$0].first) },
          recording: configuration.recordedFrameCount, in: &arena)
      }
    }
    let sources = sides(plan.sources, &arena)
    return ProgramFingerprints(sources: sources, sinks: sides(plan.sinks, &arena), in: &arena)
  }

  private mutating func operation(for step: RenderPlan.Step) -> Operation? {
    switch step {
    case .sum(let terms, let output):
      if let crossfade, terms.contains(where: { $0.fade != .none }) {
        return .fadingSum(
          UnsafePointer(arena.pack([fadingSum(terms, output: output, crossfade)])))
      }
      let call = SumCall(
        inputs: UnsafePointer(arena.pack(terms.map { buffers[$0.input] })),
        gains: UnsafePointer(arena.pack(terms.map(\.gain))), count: terms.count,
        output: buffers[output])
      return .sum(UnsafePointer(arena.pack([call])))
    case .delay(let line, let input, let output):
      return delay(
        lineRings[line].ring(delay: numbers.delay(line)), input: input, output: output)
    case .feedbackRead(let line, let output):
      return delay(feedbackRings[line].ring(delay: numbers.feedback(line)), output: output)
    case .feedbackWrite(let line, let input):
      return delay(feedbackRings[line].ring(delay: numbers.feedback(line)), input: input)
    case .run(let node, let inputs, let outputs):
      return nodeCall(node, inputs: inputs, outputs: outputs).map { .run($0) }
    case .blend(let node, let dry, let wet, let outputs):
      guard let memory = memories[node] else { return nil }
      let blend = BlendCall(
        memory: memory.state,
        dry: UnsafePointer(arena.pack(dry.map { buffers[$0] })),
        wet: UnsafePointer(arena.pack(wet.map { buffers[$0] })),
        outputs: UnsafePointer(arena.pack(outputs.map { buffers[$0] })),
        channelCount: outputs.count, mixesByPower: mixesByPower(node))
      return .blend(UnsafePointer(arena.pack([blend])))
    }
  }

  private mutating func delay(
    _ ring: DelayRing, input: Int? = nil, output: Int? = nil
  ) -> Operation {
    let call = DelayCall(
      ring: ring, input: input.map { buffers[$0] }, output: output.map { buffers[$0] })
    return .delay(UnsafePointer(arena.pack([call])))
  }

  private func mixesByPower(_ node: Int) -> Bool {
    guard case .unit(let unit) = graph.graph.nodes[node].content else { return false }
    return unit.mixesByPower
  }

  private mutating func nodeCall(
    _ node: Int, inputs: [Int], outputs: [Int]
  ) -> UnsafeMutablePointer<NodeCall>? {
    guard let instance = instances[node], case .unit(let unit) = graph.graph.nodes[node].content
    else { return nil }
    let memory =
      inherited(inheritance.nodes, node)
      ?? NodeMemory(
        unit, spec: instance.spec, inputCount: inputs.count, outputCount: outputs.count,
        sampleRate: configuration.sampleRate, isMeasured: configuration.measuresNodes)
    memories[node] = memory
    let inputBuffers = arena.pack(inputs.map { buffers[$0] })
    let outputBuffers = arena.pack(outputs.map { buffers[$0] })
    let inputViews = arena.pack(inputs.map { UnsafePointer(buffers[$0].first) })
    let outputViews = arena.pack(outputs.map { buffers[$0].first })
    var block = RenderBlock(
      inputs: UnsafePointer(inputViews), inputCount: inputs.count - unit.modulations.count,
      outputs: UnsafePointer(outputViews), outputCount: outputs.count, frameCount: 0, frame: 0,
      parameters: UnsafePointer(memory.state.pointee.signals))
    block.time = clock.time
    let events = nodeEvents(node)
    let isModulated = memory.state.pointee.modulation != nil
    let rest =
      events == nil && !isModulated
      ? nodeRest(instance, inputCount: inputs.count, outputCount: outputs.count) : nil
    let restsWhenBypassed = configuration.restsBypassedNodes && mayRest(node, unit)
    let call = NodeCall(
      arrival: numbers.arrival(node),
      shift: inheritance.shifts.indices.contains(node) ? inheritance.shifts[node] : 0,
      memory: memory.state,
      isPlain: events == nil && !isModulated && rest == nil && !restsWhenBypassed,
      restsWhenBypassed: restsWhenBypassed, vectorLevel: vectorLevel,
      block: arena.pack([block]), state: instance.state, outputs: outputViews,
      outputCount: outputs.count, lastSamples: memory.lastSamples, entry: instance.entry,
      rest: rest, events: events, watch: memory.watch, inputs: inputViews,
      inputCount: inputs.count, scratch: scratch[task],
      inputBuffers: UnsafePointer(inputBuffers), outputBuffers: UnsafePointer(outputBuffers),
      faults: faults)
    let pointer = arena.pack([call])
    calls[node] = pointer
    return pointer
  }

  /// Decides when a node's unit rests; nil for a unit that never rests.
  private mutating func nodeRest(
    _ instance: UnitInstance, inputCount: Int, outputCount: Int
  ) -> UnsafeMutablePointer<NodeRest>? {
    guard configuration.restsSilentNodes, configuration.isOffline, !numbers.isFollowing,
      instance.entry.isAtRest != nil, inputCount > 0
    else { return nil }
    let zeros = arena.pack([Float](repeating: 1, count: inputCount))
    return arena.pack([
      NodeRest(zeros: zeros, inputCount: inputCount, outputCount: outputCount)
    ])
  }

  /// The event lines of a node; nil for a node without any.
  private mutating func nodeEvents(_ node: Int) -> UnsafePointer<NodeEvents>? {
    var inputs: [EventLineEnd] = []
    var outputs: [EventLineEnd] = []
    for (index, line) in plan.eventLines.enumerated() {
      let connection = graph.graph.connections[line.connection]
      func end(_ port: Int) -> EventLineEnd {
        EventLineEnd(
          buffer: eventLines[index].buffer, notes: eventLines[index].notes, port: UInt32(port),
          delay: numbers.eventDelay(index))
      }
      if connection.to.node == node { inputs.append(end(connection.to.bus)) }
      if connection.from.node == node, !line.isCut { outputs.append(end(connection.from.bus)) }
    }
    guard !inputs.isEmpty || !outputs.isEmpty else { return nil }
    let capacity = EventLineMemory.capacity
    func buffer() -> EventBuffer {
      let words = EventBuffer.byteCount(capacity: capacity) / 8
      return EventBuffer(
        at: arena.allocate(Int.self, count: words, repeating: 0), capacity: capacity)
    }
    let events = NodeEvents(
      inputs: UnsafePointer(arena.allocate(inputs)), inputCount: inputs.count,
      outputs: UnsafePointer(arena.allocate(outputs)), outputCount: outputs.count,
      gathered: buffer(), given: buffer())
    return UnsafePointer(arena.allocate([events]))
  }

  /// True for a node that is inaudible while it is bypassed, and whose bypass cannot move.
  private func mayRest(_ node: Int, _ unit: UnitConfiguration) -> Bool {
    let bypass = unit.slots.bypass
    let content = graph.graph.nodes[node]
    return content.keepsDry && !unit.isModulated(bypass)
      && !unit.automation.contains { $0.slot == bypass }
      && !content.outputs.contains(where: \.isControl)
  }

  private mutating func fadingSum(
    _ terms: [RenderPlan.Term], output: Int, _ crossfade: CrossfadeClock
  ) -> FadingSumCall {
    FadingSumCall(
      terms: UnsafePointer(
        arena.pack(
          terms.map { FadingTerm($0, input: buffers[$0.input]) })),
      count: terms.count, output: buffers[output], crossfade: crossfade, lead: terms[0].lead)
  }
}
