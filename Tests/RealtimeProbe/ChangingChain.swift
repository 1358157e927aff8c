import CRealtime
import FxAudio
import FxEngine
import FxUnits
import Glibc

/// A chain that becomes another one and back while it is rendered between the hooks of a checker:
/// a loop and a tail come and go, a late unit comes before one that is kept.
enum ChangingChain {
  private static let sampleRate = 8000.0

  /// Gives the page faults of the renders, but for the first change.
  static func render() -> UInt64 {
    do {
      let (first, second) = (try graph(isFirst: true), try graph(isFirst: false))
      let program = try program(of: first)
      let exchange = ProgramExchange(program)
      let slot = exchange.slot
      var (faults, changes) = (UInt64(0), 0)
      var transition: Transition?
      var block = 0
      while changes < 6 || transition != nil {
        if let next = transition?.finish() {
          _ = exchange.send(next)
          transition = nil
          changes += 1
        } else if transition == nil, exchange.isTaken, changes < 6 {
          transition = try change(exchange.current, to: changes % 2 == 0 ? second : first)
          if let crossfade = transition?.crossfade { _ = exchange.send(crossfade) }
        }
        if transition?.phase == .ringingOut { transition?.hurry() }
        let frameCount = [256, 1, 64, 255][block % 4]
        let before = fx_thread_page_faults()
        fx_realtime_enter()
        _ = slot.receive()
        let view = slot.view
        for channel in 0..<2 {
          let buffer = view.sourceBuffers[0][channel]
          for frame in 0..<frameCount { buffer[frame] = frame & 64 == 0 ? 0.25 : -0.25 }
        }
        view.sourceGuard.inspect(
          view.sourceIndices[0], view.sourceBuffers[0], channelCount: 2, frameCount: frameCount,
          at: view.renderer.frame)
        view.renderer.render(frameCount: frameCount)
        fx_realtime_exit()
        if changes > 1 { faults += fx_thread_page_faults() - before }
        exchange.retire()
        block += 1
        guard block < 20000 else {
          print("a change does not come to its end")
          exit(2)
        }
      }
      return faults
    } catch {
      print("a change: \(error)")
      exit(2)
    }
  }

  private static func change(
    _ program: RenderProgram, to graph: ResolvedGraph
  ) throws -> Transition {
    let change = try GraphChange(from: program.graph, to: graph)
    let instances = try graph.graph.nodes.indices.map { node in
      try change.kept[node].map { program.instances[$0] } ?? instance(node, graph)
    }
    let plan = try plan(graph, instances)
    return try Transition(
      from: program,
      to: Transition.Target(plan: plan, graph: graph, instances: instances), change: change)
  }

  private static func program(of graph: ResolvedGraph) throws -> RenderProgram {
    let instances = try graph.graph.nodes.indices.map { try instance($0, graph) }
    return RenderProgram(
      plan: try plan(graph, instances), graph: graph, instances: instances,
      configuration: ProgramConfiguration(sampleRate: sampleRate, maximumFrameCount: 256))
  }

  private static func plan(
    _ graph: ResolvedGraph, _ instances: [UnitInstance?]
  ) throws -> RenderPlan {
    try GraphCompiler(
      graph, latencies: instances.map { $0?.latency ?? 0 }, sampleRate: sampleRate
    ).compile()
  }

  private static func instance(_ node: Int, _ graph: ResolvedGraph) throws -> UnitInstance? {
    guard case .unit(let unit) = graph.graph.nodes[node].content,
      case .builtIn(let name, _) = unit.kind,
      let type = BuiltInUnits.all.first(where: { $0.spec.id == name })
    else { return nil }
    return try type.make(
      Preparation(
        sampleRate: sampleRate, maximumFrameCount: 256, inputWidths: graph.inputWidths[node],
        outputWidths: graph.outputWidths[node], options: unit.options, items: unit.items,
        parameters: Array(unit.values.dropLast(2)), isLive: true))
  }

  private static func graph(isFirst: Bool) throws -> ResolvedGraph {
    var graph = Graph()
    graph.nodes.append(
      Graph.Node(
        id: "in", content: .source(.input("main")), inputs: [],
        outputs: [OutputBusSpec("out", width: .exactly(2))]))
    for name in ["gain", isFirst ? "delay" : "limiter", "highPass"] { add(name, to: &graph) }
    graph.nodes.append(
      Graph.Node(
        id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []))
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)] {
      graph.connections.append(Connection(from: .init(node: from), to: .init(node: to), gain: 0.5))
    }
    if isFirst {
      graph.connections.append(
        Connection(from: .init(node: 3), to: .init(node: 3), gain: 0.3, feedbackDelay: 0.05))
    }
    return try graph.resolved()
  }

  private static func add(_ name: String, to graph: inout Graph) {
    guard let spec = BuiltInUnits.all.first(where: { $0.spec.id == name })?.spec else { return }
    let slots = NodeParameters.slots(of: spec, items: [])
    var options: [String: OptionValue] = [:]
    for option in spec.options { options[option.key] = option.defaultValue }
    graph.nodes.append(
      Graph.Node(
        id: name,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: name, revision: 1), options: options, parameters: slots,
            values: slots.map(\.spec.defaultValue))),
        inputs: spec.inputs, outputs: spec.outputs, keepsDry: true))
  }
}
