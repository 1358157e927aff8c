package import FxAudio
import Synchronization

/// A plan made runnable: unit instances, and memory for buffers, delays and parameters.
///
/// Created, held and freed on the control thread; `renderer` is its half on the render thread.
/// After `init`, nothing that a render uses is allocated.
package final class RenderProgram: @unchecked Sendable {
  // Sendable: immutable after `init`, except the memory that only the renderer uses while it runs,
  // the command ring, and the plan's delays, which belong to the supervisor's thread.
  /// The plan with its current delays. The supervisor's thread changes it.
  package private(set) var plan: RenderPlan
  package let configuration: ProgramConfiguration
  package let renderer: Renderer
  package let sourceGuard: SourceGuard
  /// By node; nil for sources and sinks.
  package let instances: [UnitInstance?]
  package let graph: ResolvedGraph
  /// By source and by sink: its number in the first program of a series of programs.
  let sourceOrder: [Int]
  let sinkOrder: [Int]
  /// Memory that a following program may take over: by node, by the origin of a delay line, by
  /// feedback line.
  let memories: [NodeMemory?]
  let rings: [RenderPlan.LineOrigin: RingMemory]
  /// By delay line: the ring that it reads. Two tasks that delay one signal have a ring each.
  private let lineRings: [RingMemory]
  let feedbackRings: [RingMemory]
  let eventLines: [EventLineMemory]
  /// Frames by which each node's own timeline lags behind its input.
  let shifts: [Int]
  /// Set during a crossfade to another chain.
  let clock: CrossfadeClock?
  /// The musical time, which successive programs share.
  package let musicalClock: MusicalClock
  let viewAddress: UnsafePointer<ProgramView>
  /// Inherited memory, kept alive because delay lines may read from it.
  private let inheritance: ProgramInheritance
  private let sourceBuffers: [[UnsafeMutablePointer<Float>]]
  private let sinkBuffers: [[UnsafeMutablePointer<Float>]]
  private let commands: CommandRing
  private let calls: UnsafeMutablePointer<UnsafeMutablePointer<NodeCall>?>
  private let faults: UnsafeMutablePointer<Atomic<Int>>
  private let numbers: LatencyTable
  let measures: ProgramMeasures?
  let programFingerprints: ProgramFingerprints?
  let fingerprintTable: FingerprintTable
  private var arena: Arena
  /// Used on the thread that sets parameters.
  private var tails: ProgramTails

  /// `instances` by node, prepared for the widths and block length of the plan; nil for sources and
  /// sinks.
  package convenience init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration
  ) {
    self.init(
      plan: plan, graph: graph, instances: instances, configuration: configuration,
      inheritance: ProgramInheritance(), crossfade: nil, sourceOrder: Array(plan.sources.indices),
      sinkOrder: Array(plan.sinks.indices))
  }

  /// A program that takes over memory from the program before it.
  init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration, inheritance: ProgramInheritance,
    crossfade: CrossfadeTiming?,
    sourceOrder: [Int], sinkOrder: [Int]
  ) {
    self.plan = plan
    self.graph = graph
    self.instances = instances
    self.configuration = configuration
    tails = ProgramTails(graph, instances, sampleRate: configuration.sampleRate)
    var builder = ProgramBuilder(
      plan: plan, graph: graph, instances: instances, configuration: configuration,
      inheritance: inheritance, crossfade: crossfade)
    let sections = builder.sections()
    sourceBuffers = plan.sources.map { $0.buffers.map { builder.buffers[$0].first } }
    sinkBuffers = plan.sinks.map { $0.buffers.map { builder.buffers[$0].first } }
    commands = builder.commands
    calls = builder.calls
    sourceGuard = SourceGuard(sourceBuffers.map(\.count), in: &builder.arena)
    self.sourceOrder = sourceOrder
    self.sinkOrder = sinkOrder
    self.inheritance = inheritance
    memories = builder.memories
    rings = builder.rings
    lineRings = builder.lineRings
    feedbackRings = builder.feedbackRings
    eventLines = builder.eventLines
    shifts = graph.graph.nodes.indices.map {
      inheritance.shifts.indices.contains($0) ? inheritance.shifts[$0] : 0
    }
    clock = builder.crossfade
    musicalClock = builder.clock
    faults = builder.faults
    numbers = builder.numbers
    measures = builder.measures()
    programFingerprints = builder.fingerprints()
    fingerprintTable = builder.fingerprintTable
    renderer = Renderer(
      sections: sections, commands: builder.commands, calls: builder.calls,
      numbers: builder.numbers, crossfade: builder.crossfade, track: builder.clock.track,
      measures: measures, fingerprints: programFingerprints,
      board: builder.board(sections, measures),
      startFrame: configuration.startFrame, in: &builder.arena)
    let view = ProgramView(
      renderer: renderer, sourceGuard: sourceGuard, sources: sourceBuffers, sinks: sinkBuffers,
      sourceOrder: sourceOrder, sinkOrder: sinkOrder, sinkLatencies: plan.sinks.map(\.latency),
      sinkLatencyNumbers: Self.sinkLatencyNumbers(numbers), in: &builder.arena)
    viewAddress = UnsafePointer(builder.arena.allocate([view]))
    arena = builder.arena
  }

  deinit {
    measures?.times.destroy()
    arena.destroy()
  }

  package var sampleRate: Double { configuration.sampleRate }
  /// The number of parts that threads render in parallel; 1 where one thread renders alone.
  package var taskCount: Int { renderer.board?.taskCount ?? 1 }
  package var maximumFrameCount: Int { configuration.maximumFrameCount }
  package var sourceWidths: [Int] { sourceBuffers.map(\.count) }
  package var sinkWidths: [Int] { sinkBuffers.map(\.count) }
  package var sinkLatencies: [Int] { plan.sinks.map(\.latency) }
  /// The highest latency that a sink may reach.
  package var sinkLatencyLimit: Int { max(plan.latency, plan.latencyLimit) }

  /// The latency of each sink, read by a render. It is followed, by sink, by the frames that a
  /// latency change still takes to arrive. nil where no latency can change.
  package var sinkLatencyNumbers: UnsafePointer<Int>? { Self.sinkLatencyNumbers(numbers) }

  private static func sinkLatencyNumbers(_ numbers: LatencyTable) -> UnsafePointer<Int>? {
    numbers.isFollowing ? UnsafePointer(numbers.values + numbers.layout.sinkLatencies) : nil
  }

  /// Everything that a render thread needs.
  package var view: ProgramView { viewAddress.pointee }

  /// Where to write a source's frames before a render; `maximumFrameCount` floats.
  package func sourceBuffer(_ source: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    sourceBuffers[source][channel]
  }

  /// Where a sink's frames are after a render. Two channels may be the same memory.
  package func sinkBuffer(_ sink: Int, channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(sinkBuffers[sink][channel])
  }

  /// The same configuration for another plan and another start frame.
  func configuration(startFrame: Int, partition: Partition?) -> ProgramConfiguration {
    var configuration = configuration
    configuration.startFrame = startFrame
    configuration.partition = partition
    return configuration
  }

  /// Moves a parameter to a value, in the chain's unit of measure, from the next block on. The
  /// change takes `seconds`, but at least the parameter's own smoothing, which is the default.
  /// False when too many changes are waiting.
  package func set(
    node: Int, parameter: Int, to value: Double, over seconds: Double? = nil
  ) -> Bool {
    guard case .unit(let unit) = graph.graph.nodes[node].content,
      unit.parameters.indices.contains(parameter)
    else { return false }
    let isSent = commands.send(
      Command(
        node: Int32(node), parameter: Int32(parameter),
        value: unit.parameters[parameter].spec.delivered(value),
        frameCount: seconds.map { Int32(($0 * sampleRate).rounded().clamped(to: 0...1e9)) } ?? -1,
        written: value))
    if isSent { tails.set(node: node, slot: parameter, to: value) }
    return isSent
  }

  /// How long the program sounds on when its input ends at an absolute frame, with the parameter
  /// values of that time. On the thread that calls `set`.
  package func tail(from frame: Int) -> GraphTail { tails.tail(from: frame) }

  /// The tail of each node.
  func nodeTails(from frame: Int) -> [Tail] { tails.tails(from: frame) }

  /// Counts the parameter changes that may have changed the tail.
  package var tailRevision: Int { tails.revision }

  /// True when the tail may change after the start.
  package var tailMayChange: Bool { tails.mayChange }

  /// True when the node's unit is at rest: it does not render until it receives sound. Call it
  /// between two renders.
  package func isAtRest(node: Int) -> Bool {
    calls[node]?.pointee.rest?.pointee.isAtRest ?? false
  }

  /// True during a crossfade to another chain.
  package var isCrossfade: Bool { clock != nil }

  /// The changes that have taken effect since the last call, in their order. On the thread that
  /// calls `set`. Old changes are dropped if nobody calls this.
  package func appliedChanges() -> [AppliedChange] {
    var changes: [AppliedChange] = []
    while let command = commands.takeBack() {
      changes.append(
        AppliedChange(
          frame: command.frame, node: Int(command.node), parameter: Int(command.parameter),
          value: command.written,
          seconds: command.frameCount < 0 ? nil : Double(command.frameCount) / sampleRate))
    }
    return changes
  }

  // MARK: Supervision

  /// Units taken out so far.
  var faultCount: Int { faults.pointee.load(ordering: .acquiring) }

  /// Why a node's unit is taken out; nil while it runs.
  func finding(_ node: Int) -> NodeGuard.Finding? { memories[node]?.watch.pointee.finding }

  /// The program's frame at a frame of a node's own timeline.
  func frame(_ own: Int, ofNode node: Int) -> Int {
    own + plan.nodes[node].arrival + shifts[node]
  }

  /// Resets a unit that is taken out, and puts it back.
  func restart(_ node: Int) {
    guard let watch = memories[node]?.watch, watch.pointee.finding != nil,
      let instance = instances[node]
    else { return }
    if let restart = instance.restart { restart() } else { instance.entry.reset(instance.state) }
    watch.pointee.resume()
  }

  /// The plan with different latencies.
  func plan(latencies: [Int]) throws(GraphError) -> RenderPlan {
    try GraphCompiler(
      graph, latencies: latencies, limits: plan.latencyLimits, sampleRate: sampleRate,
      partition: configuration.partition
    ).compile()
  }

  /// Sends new delays to the render thread. False while the last ones are waiting.
  func send(_ plan: RenderPlan, sinkWaits: [Int]) -> Bool {
    guard numbers.send(plan, sinkWaits: sinkWaits) else { return false }
    self.plan = plan
    return true
  }

  /// Applies new delays, between two renders on the render thread.
  func adopt(_ plan: RenderPlan, sinkWaits: [Int]) -> Bool {
    guard send(plan, sinkWaits: sinkWaits) else { return false }
    numbers.receive()
    return true
  }
}

/// A parameter change, and when it took effect.
package struct AppliedChange: Sendable, Hashable {
  /// The absolute frame of the first block with the change.
  package let frame: Int
  package let node: Int
  package let parameter: Int
  /// In the chain's unit of measure.
  package let value: Double
  /// The duration of the change; nil for the parameter's own smoothing.
  package let seconds: Double?

  package init(frame: Int, node: Int, parameter: Int, value: Double, seconds: Double?) {
    self.frame = frame
    self.node = node
    self.parameter = parameter
    self.value = value
    self.seconds = seconds
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
  }
}
