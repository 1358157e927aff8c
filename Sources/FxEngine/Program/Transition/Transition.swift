package import FxAudio

/// The change of a running program to another graph.
///
///     let change = try GraphChange(from: program.graph, to: graph)   // compares the graphs
///     // … make the new units, take the kept ones from `program.instances`, compile …
///     let transition = try Transition(from: program, to: target, change: change)
///     exchange.send(transition.crossfade)      // both graphs run, one fades into the other
///     // … until `transition.isOver` …
///     exchange.send(next) // `transition.finish()`: only the new graph, with the same output bits
///
/// On the control thread. The crossfade's nodes are those of the new graph, under the same numbers,
/// so their parameters can be set at once. The removed nodes follow them. Supervise each of the
/// programs in turn with `Supervisor(_:after:)`.
package final class Transition {
  /// The new chain.
  package struct Target {
    package var plan: RenderPlan
    package var graph: ResolvedGraph
    /// By node; a kept node has the running program's instance.
    package var instances: [UnitInstance?]
    /// The partition that the plan was divided by.
    package var partition: Partition?

    package init(
      plan: RenderPlan, graph: ResolvedGraph, instances: [UnitInstance?],
      partition: Partition? = nil
    ) {
      self.plan = plan
      self.graph = graph
      self.instances = instances
      self.partition = partition
    }
  }

  /// The program that runs both chains, to be run next.
  package let crossfade: RenderProgram
  private let clock: CrossfadeClock
  private let target: Target

  /// Times in seconds. The fade is long enough not to click, and short enough that the two
  /// timelines are not heard as two.
  private static let settling = 0.005
  private static let fade = 0.03
  private static let longestRinging = 10.0
  private static let silence = 0.5
  private static let ending = 0.05
  private static let hurriedEnding = 0.02

  /// `change` is the difference between the program's graph and the target's. In `target.plan`, a
  /// kept node must have the latency and the latency limit that it has in `program.plan`.
  package init(
    from program: RenderProgram, to target: Target, change: GraphChange
  ) throws(TransitionError) {
    guard program.clock == nil else { throw .isUnderWay }
    try Self.check(program, target, change)
    let sampleRate = program.sampleRate
    let way: Crossfade
    do throws(GraphError) {
      way = try Crossfade(
        from: Crossfade.Side(program.graph, program.plan),
        to: Crossfade.Side(target.graph, target.plan), change: change,
        tails: (
          program.nodeTails(from: program.renderer.frame),
          target.instances.map { $0?.tail ?? .none }
        ), sampleRate: sampleRate,
        partition: (program.configuration.partition, target.partition))
    } catch {
      throw .graph(error)
    }
    let values = Self.values(change, program)
    let timing = Self.timing(way, sampleRate: sampleRate, commandCount: values.count)
    let instances = way.oldNodes.enumerated().map { node, oldNode in
      oldNode.map { program.instances[$0] } ?? target.instances[node]
    }
    let crossfade = RenderProgram(
      plan: way.plan, graph: way.graph, instances: instances,
      configuration: program.configuration(
        startFrame: program.renderer.frame, partition: way.partition),
      inheritance: ProgramInheritance(way, from: program), crossfade: timing,
      sourceOrder: change.sourceOrder.map { program.sourceOrder[$0] },
      sinkOrder: change.sinkOrder.map { program.sinkOrder[$0] })
    guard let clock = crossfade.clock else { throw .isUnderWay }
    self.crossfade = crossfade
    self.clock = clock
    self.target = target
    for value in values {
      _ = crossfade.set(node: value.node, parameter: value.parameter, to: value.value)
    }
  }

  // MARK: Progress

  package var phase: CrossfadePhase { clock.phase }

  /// True when the crossfade's output is that of the new graph alone, and stays so.
  package var isOver: Bool { clock.phase == .over }

  /// The frame at which the render thread took the crossfade; nil before.
  package var startFrame: Int? { clock.startFrame }

  /// The frame at which `hurry` ended the nodes that sounded on; nil if it ended none.
  var hurriedFrame: Int? { clock.hurriedFrame }

  /// Ends the nodes that sound on with a short fade, because the next change is waiting. A replay
  /// passes the recorded `hurriedFrame`.
  package func hurry(at frame: Int? = nil) { clock.hurry(at: frame ?? .min) }

  /// The new graph alone, to be sent when the crossfade is over: its output has the same bits. nil
  /// before that.
  package func finish() -> RenderProgram? {
    guard isOver else { return nil }
    return RenderProgram(
      plan: target.plan, graph: target.graph, instances: target.instances,
      configuration: crossfade.configuration(
        startFrame: crossfade.renderer.frame, partition: target.partition),
      inheritance: ProgramInheritance(target.plan, endOf: crossfade), crossfade: nil,
      sourceOrder: crossfade.sourceOrder, sinkOrder: crossfade.sinkOrder)
  }

  // MARK: Making

  private static func check(
    _ program: RenderProgram, _ target: Target, _ change: GraphChange
  ) throws(TransitionError) {
    let count = target.graph.graph.nodes.count
    guard change.kept.count == count, target.instances.count == count,
      target.plan.nodes.count == count,
      change.kept.allSatisfy({ $0.map(program.plan.nodes.indices.contains) ?? true })
    else { throw .isAnotherGraph }
    for (node, oldNode) in change.kept.enumerated() {
      guard let oldNode else { continue }
      guard program.instances[oldNode] === target.instances[node] else {
        throw .instanceIsNotKept(node)
      }
      let (was, now) = (program.plan.nodes[oldNode], target.plan.nodes[node])
      guard was.latency == now.latency, was.latencyLimit == now.latencyLimit else {
        throw .latencyHasMoved(node)
      }
    }
  }

  /// The changed values, except those that automation has already taken over.
  private static func values(_ change: GraphChange, _ program: RenderProgram) -> [GraphChange.Value]
  {
    change.values.filter { value in
      guard let seconds = value.automatedFrom else { return true }
      let frame = program.renderer.frame - program.plan.nodes[value.oldNode].arrival
      return seconds * program.sampleRate > Double(frame)
    }
  }

  private static func timing(
    _ way: Crossfade, sampleRate: Double, commandCount: Int
  ) -> CrossfadeTiming {
    func frames(_ seconds: Double) -> Int { max(1, Int((seconds * sampleRate).rounded())) }
    let longest = frames(longestRinging)
    let ringing = way.ringing
    return CrossfadeTiming(
      opening: frames(settling), warmUp: way.warmUp + frames(settling), fade: frames(fade),
      ringsOut: ringing != nil,
      hold: frames(silence) + (ringing?.longestGap ?? 0),
      longest: min(longest, ringing?.declaredFrames ?? longest), ending: frames(ending),
      hurriedEnding: frames(hurriedEnding), settling: way.warmUp, commandCount: commandCount)
  }
}

/// Why a running program cannot change to the wanted one. Nodes are those of the new graph.
package enum TransitionError: Error, Equatable, Sendable {
  /// The program is itself a crossfade, which must be finished first.
  case isUnderWay
  /// The change belongs to other graphs.
  case isAnotherGraph
  /// A kept node does not have the running program's instance.
  case instanceIsNotKept(Int)
  /// The latency of a kept node, or its limit, differs from the one that the plan was compiled for:
  /// compile the plan again.
  case latencyHasMoved(Int)
  case graph(GraphError)
}

extension ProgramInheritance {
  /// What a crossfade takes over from the running program.
  init(_ way: Crossfade, from program: RenderProgram) {
    nodes = way.oldNodes.map { $0.flatMap { program.memories[$0] } }
    shifts = way.oldNodes.map { $0.map { program.shifts[$0] } ?? 0 }
    lines = way.lines.map { $0.flatMap { program.rings[$0] } }
    feedback = way.feedback.map { $0.map { program.feedbackRings[$0] } }
    events = way.eventLines.map { $0.map { program.eventLines[$0] } }
    clock = program.musicalClock
  }

  /// What the last plan takes over. Its nodes and feedback lines are the first of the crossfade's.
  init(_ plan: RenderPlan, endOf crossfade: RenderProgram) {
    nodes = plan.nodes.indices.map { crossfade.memories[$0] }
    shifts = plan.nodes.enumerated().map { node, summary in
      crossfade.plan.nodes[node].arrival + crossfade.shifts[node] - summary.arrival
    }
    lines = plan.lineOrigins.map { crossfade.rings[$0] }
    feedback = plan.feedbackLines.indices.map { crossfade.feedbackRings[$0] }
    events = plan.eventLines.indices.map { crossfade.eventLines[$0] }
    clock = crossfade.musicalClock
  }
}
