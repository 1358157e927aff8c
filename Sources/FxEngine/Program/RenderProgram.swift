package import FxAudio
package import FxGraph
import Synchronization

/// A plan made runnable: its instances, and memory for its buffers, delays and parameters.
///
/// Made, held and freed on the control thread; `renderer` is its half on the render thread. Nothing
/// that a render touches is allocated after `init`.
package final class RenderProgram: @unchecked Sendable {
  // Sendable: immutable after `init` but for memory that only the renderer touches while it runs,
  // the command ring, and the plan's delays, which belong to the thread that supervises.
  /// The plan with the delays that it has now. The supervisor's thread changes it.
  package private(set) var plan: RenderPlan
  package let configuration: ProgramConfiguration
  package let renderer: Renderer
  package let sourceGuard: SourceGuard
  /// By node; nil for sources and sinks.
  package let instances: [UnitInstance?]
  package let graph: ResolvedGraph
  /// By source and by sink: which one it was in the first program of those that followed one another.
  package let sourceOrder: [Int]
  package let sinkOrder: [Int]
  /// What a following program may go on with: by node, by what a delay line is written, by feedback
  /// line.
  let memories: [NodeMemory?]
  let rings: [RenderPlan.LineOrigin: RingMemory]
  /// What each line is read from: of two tasks that delay one signal each has a ring.
  private let lineRings: [RingMemory]
  let feedbackRings: [RingMemory]
  let eventLines: [EventLineMemory]
  /// Frames by which each node's own time line lags behind its input.
  let shifts: [Int]
  /// Set while one chain becomes another.
  let clock: CrossfadeClock?
  /// The musical time, which the programs that follow one another share.
  package let musicalClock: MusicalClock
  let viewAddress: UnsafePointer<ProgramView>
  /// Memory that this program does not render with and that delay lines of it are read from.
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
  /// On the thread that sets parameters.
  private var tails: ProgramTails

  /// `instances` by node, prepared for the same widths and block length; nil for sources and sinks.
  package convenience init(
    plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
    configuration: ProgramConfiguration
  ) {
    self.init(
      plan: plan, graph: graph, instances: instances, configuration: configuration,
      inheritance: ProgramInheritance(), crossfade: nil, sourceOrder: Array(plan.sources.indices),
      sinkOrder: Array(plan.sinks.indices))
  }

  /// A program that goes on with what another one remembers.
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
  /// Parts that threads render beside one another; 1 where one thread renders alone.
  package var taskCount: Int { renderer.board?.taskCount ?? 1 }
  package var maximumFrameCount: Int { configuration.maximumFrameCount }
  package var sourceWidths: [Int] { sourceBuffers.map(\.count) }
  package var sinkWidths: [Int] { sinkBuffers.map(\.count) }
  package var sinkLatencies: [Int] { plan.sinks.map(\.latency) }
  /// The most that a sink's latency may become.
  package var sinkLatencyLimit: Int { max(plan.latency, plan.latencyLimit) }

  /// Where a render finds the latency of each sink, and behind them, by sink, the frames that a
  /// change is still on its way; nil where no latency moves.
  package var sinkLatencyNumbers: UnsafePointer<Int>? { Self.sinkLatencyNumbers(numbers) }

  private static func sinkLatencyNumbers(_ numbers: LatencyTable) -> UnsafePointer<Int>? {
    numbers.isFollowing ? UnsafePointer(numbers.values + numbers.layout.sinkLatencies) : nil
  }

  /// What a render thread needs of it.
  package var view: ProgramView { viewAddress.pointee }

  /// Where a source's frames are put before a render; `maximumFrameCount` floats.
  package func sourceBuffer(_ source: Int, channel: Int) -> UnsafeMutablePointer<Float> {
    sourceBuffers[source][channel]
  }

  /// Where a sink's frames are after a render. Two channels may be the same memory.
  package func sinkBuffer(_ sink: Int, channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(sinkBuffers[sink][channel])
  }

  /// The same configuration for another plan, which starts elsewhere.
  func configuration(startFrame: Int, partition: Partition?) -> ProgramConfiguration {
    var configuration = configuration
    configuration.startFrame = startFrame
    configuration.partition = partition
    return configuration
  }

  /// Sends a parameter towards a value, given in the chain's unit of measure, from the next block
  /// on: over so many seconds, or by its own smoothing, which is also the least. False when too many
  /// changes are waiting.
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

  /// How long the program sounds on when its input ends at an absolute frame, with the values that
  /// its parameters have then. On the thread that calls `set`.
  package func tail(from frame: Int) -> GraphTail { tails.tail(from: frame) }

  /// The same of each node.
  func nodeTails(from frame: Int) -> [Tail] { tails.tails(from: frame) }

  /// Counts the changes of parameters that may have made the tail another one.
  package var tailRevision: Int { tails.revision }

  /// True when the tail may change after the start.
  package var tailMayChange: Bool { tails.mayChange }

  /// True when the node's unit is at rest: it does not render until it hears something. Asked between
  /// two renders.
  package func isAtRest(node: Int) -> Bool {
    calls[node]?.pointee.rest?.pointee.isAtRest ?? false
  }

  /// True while one chain becomes another.
  package var isCrossfade: Bool { clock != nil }

  /// The changes that have taken effect since this was last asked, in their order. On the thread
  /// that calls `set`; what is never asked after is forgotten.
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

  /// Units that were taken out so far.
  var faultCount: Int { faults.pointee.load(ordering: .acquiring) }

  /// Why a node is out; nil while it runs.
  func finding(_ node: Int) -> NodeGuard.Finding? { memories[node]?.watch.pointee.finding }

  /// The program's frame at a frame of a node's own time line.
  func frame(_ own: Int, ofNode node: Int) -> Int {
    own + plan.nodes[node].arrival + shifts[node]
  }

  /// Makes a unit that is out forget all sound and puts it back.
  func restart(_ node: Int) {
    guard let watch = memories[node]?.watch, watch.pointee.finding != nil,
      let instance = instances[node]
    else { return }
    if let restart = instance.restart { restart() } else { instance.entry.reset(instance.state) }
    watch.pointee.resume()
  }

  /// The plan with other latencies.
  func plan(latencies: [Int]) throws(GraphError) -> RenderPlan {
    try GraphCompiler(
      graph, latencies: latencies, limits: plan.latencyLimits, sampleRate: sampleRate,
      partition: configuration.partition
    ).compile()
  }

  /// Hands other delays to the render thread. False while the last ones are on their way.
  func send(_ plan: RenderPlan, sinkWaits: [Int]) -> Bool {
    guard numbers.send(plan, sinkWaits: sinkWaits) else { return false }
    self.plan = plan
    return true
  }

  /// Takes other delays over, between two renders on the thread that renders.
  func adopt(_ plan: RenderPlan, sinkWaits: [Int]) -> Bool {
    guard send(plan, sinkWaits: sinkWaits) else { return false }
    numbers.receive()
    return true
  }
}

/// A change of a parameter, and where it took effect.
package struct AppliedChange: Sendable, Hashable {
  /// The absolute frame of the block that it was the first for.
  package let frame: Int
  package let node: Int
  package let parameter: Int
  /// In the chain's unit of measure.
  package let value: Double
  /// How long it took; nil for the parameter's own smoothing.
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
