import CRealtime
import FxAudio
import FxEngine
import FxTestSupport
import FxUnits
import Glibc

/// Renders every built-in unit and a graph with everything in it between the hooks of a real-time
/// checker, for tests that load one into this process.
///
/// `--violate` allocates within a render, which a checker must catch; `--count` adds a class instance.
/// `--memory` renders nothing: it prints for every unit what it declares to allocate and what it does;
/// `--freed` whether freed memory stays in the process.
/// Ends with 1 when the render thread took a page fault after its first blocks.
@main struct RealtimeProbe {
  static func main() {
    if CommandLine.arguments.contains("--freed") { return FreedMemory.print() }
    _ = fx_flush_denormals()
    // As while playing: a page of code that the system has dropped is no fault of a render.
    _ = fx_lock_memory()
    let arguments = CommandLine.arguments
    if arguments.contains("--violate") { return violate() }
    if arguments.contains("--count") { return count() }
    if arguments.contains("--memory") { return UnitMemory.print() }
    var faults: UInt64 = 0
    for type in BuiltInUnits.all { faults += render(type) }
    faults += renderGraph()
    if let (graph, types) = SignalGraph.make() { faults += render(graph, types: types) }
    faults += renderFaults()
    faults += ChangingChain.render()
    print("\(BuiltInUnits.all.count) units, graphs and changes, \(faults) page faults")
    exit(faults == 0 ? 0 : 1)
  }

  private static func violate() {
    fx_realtime_enter()
    let memory = malloc(64)
    fx_realtime_exit()
    free(memory)
  }

  private final class Counted {}

  private static func count() {
    let first = Counted()
    fx_realtime_enter()
    let second = first
    withExtendedLifetime((first, second)) {}
    let third = Unmanaged.passRetained(second)
    fx_realtime_exit()
    third.release()
  }

  /// One unit, stereo, its key inputs fed, every parameter moving over its range.
  private static func render(_ type: UnitType) -> UInt64 {
    let spec = type.spec
    var items: [ListItem] = []
    if spec.list != nil { items = [ListItem(id: "a"), ListItem(id: "b")] }
    for index in items.indices {
      for option in spec.list?.options ?? [] {
        items[index].options[option.key] = option.testValue
      }
    }
    let widths =
      spec.list?.form == .namedInputs ? items.map { _ in 2 } : spec.inputs.map { _ in 2 }
    let slots = NodeParameters.slots(of: spec, items: items)
    let values = slots.map(\.spec.defaultValue)
    var options: [String: OptionValue] = [:]
    for option in spec.options { options[option.key] = option.testValue }
    let automation = slots.indices.map { slot in
      Automation(
        slot: slot,
        points: [
          .init(seconds: 0, value: values[slot]),
          .init(seconds: 0.01, value: bounded(slots[slot].spec.range.upperBound)),
          .init(seconds: 0.02, value: bounded(slots[slot].spec.range.lowerBound)),
        ])
    }
    let inputs =
      spec.list?.form == .namedInputs
      ? items.map { InputBusSpec($0.id ?? "", width: .upToOutput) } : spec.inputs
    var graph = Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]),
        Graph.Node(
          id: spec.id,
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: spec.id, revision: 1), options: options, items: items,
              parameters: slots, values: values, automation: automation)),
          inputs: inputs, outputs: spec.outputs(items: items), rendersInPlace: spec.rendersInPlace),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ])
    for bus in widths.indices {
      let isMono = inputs[bus].width == .exactly(1)
      graph.connections.append(
        Connection(
          from: .init(node: 0, channel: isMono ? 0 : nil), to: .init(node: 1, bus: bus)))
    }
    for bus in spec.outputs(items: items).indices {
      graph.connections.append(Connection(from: .init(node: 1, bus: bus), to: .init(node: 2)))
    }
    return render(graph, types: [nil, type, nil])
  }

  private static func bounded(_ value: Double) -> Double { min(max(value, -100), 30000) }

  /// A loop, a late branch, a dry signal and a sum.
  private static func renderGraph() -> UInt64 {
    guard let gain = BuiltInUnits.all.first(where: { $0.spec.id == "gain" }),
      let limiter = BuiltInUnits.all.first(where: { $0.spec.id == "limiter" })
    else { return 0 }
    func node(_ id: String, _ type: UnitType) -> Graph.Node {
      let slots = NodeParameters.slots(of: type.spec, items: [])
      var values = slots.map(\.spec.defaultValue)
      values[values.count - 2] = 0.5
      var options: [String: OptionValue] = [:]
      for option in type.spec.options { options[option.key] = option.defaultValue }
      return Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: type.spec.id, revision: 1), options: options, parameters: slots,
            values: values)),
        inputs: type.spec.inputs, outputs: type.spec.outputs, keepsDry: true)
    }
    let graph = Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]),
        node("late", limiter), node("loop", gain), node("branch", gain),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: [
        Connection(from: .init(node: 0), to: .init(node: 1)),
        Connection(from: .init(node: 0), to: .init(node: 3)),
        Connection(from: .init(node: 1), to: .init(node: 2)),
        Connection(from: .init(node: 2), to: .init(node: 4)),
        Connection(from: .init(node: 3), to: .init(node: 4), gain: 0.5),
        Connection(from: .init(node: 2), to: .init(node: 2), gain: 0.3, feedbackDelay: 0.002),
      ])
    return render(graph, types: [nil, limiter, gain, gain, nil])
  }

  /// A unit that makes what is no number, is restarted, and changes its latency beside a dry signal.
  private static func renderFaults() -> UInt64 {
    guard let gain = BuiltInUnits.all.first(where: { $0.spec.id == "gain" }) else { return 0 }
    let spec = UnitSpec("bad", name: "Bad", summary: "A test unit.", category: "test")
    let bad = UnitType(spec: spec) { preparation in
      let state = UnsafeMutablePointer<FailingUnit>.allocate(capacity: 1)
      state.initialize(to: FailingUnit(monitor: UnitMonitor(latency: 10)))
      return UnitInstance(
        spec: spec, state: state, entry: FailingUnit.entry, latency: 10, tail: .none,
        readings: preparation.readings, monitor: state.pointee.monitor
      ) { $0.assumingMemoryBound(to: FailingUnit.self).deallocate() }
    }
    func node(_ type: UnitType) -> Graph.Node {
      let slots = NodeParameters.slots(of: type.spec, items: [])
      return Graph.Node(
        id: type.spec.id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: type.spec.id, revision: 1), parameters: slots,
            values: slots.map(\.spec.defaultValue))),
        inputs: type.spec.inputs, outputs: type.spec.outputs)
    }
    let graph = Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]),
        node(bad), node(gain),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: [
        Connection(from: .init(node: 0), to: .init(node: 1)),
        Connection(from: .init(node: 1), to: .init(node: 2)),
        Connection(from: .init(node: 2), to: .init(node: 3)),
        Connection(from: .init(node: 0), to: .init(node: 3), gain: -1),
      ])
    return render(graph, types: [nil, bad, gain, nil], limits: [1: 5000], expectedEvents: 3)
  }

  /// Renders with a look at the clock between nodes, and with a fingerprint of every node.
  private static func render(
    _ graph: Graph, types: [UnitType?], limits: [Int: Int] = [:], expectedEvents: Int = 0
  ) -> UInt64 {
    let measured = ProgramConfiguration(
      sampleRate: 48000, maximumFrameCount: 256, measuresNodes: true)
    var printed = ProgramConfiguration(sampleRate: 48000, maximumFrameCount: 256)
    printed.takesFingerprints = true
    return [measured, printed].reduce(0) {
      $0
        + render(
          graph, types: types, limits: limits, expectedEvents: expectedEvents, configuration: $1)
    }
  }

  /// Renders blocks of several lengths and gives the page faults after the first ones.
  private static func render(
    _ graph: Graph, types: [UnitType?], limits: [Int: Int], expectedEvents: Int,
    configuration: ProgramConfiguration
  ) -> UInt64 {
    do {
      let resolved = try graph.resolved()
      var instances: [UnitInstance?] = []
      for (node, type) in types.enumerated() {
        guard let type, case .unit(let unit) = graph.nodes[node].content else {
          instances.append(nil)
          continue
        }
        var preparation = Preparation(
          sampleRate: 48000, maximumFrameCount: 256,
          inputWidths: resolved.inputWidths[node].dropLast(unit.modulations.count),
          outputWidths: resolved.outputWidths[node], options: unit.options, items: unit.items,
          parameters: unit.unitValues, isLive: true)
        preparation.sounds = TestSounds.all
        preparation.models = TestModels.all
        instances.append(try type.make(preparation))
      }
      let plan = try GraphCompiler(
        resolved, latencies: instances.map { $0?.latency ?? 0 }, limits: limits, sampleRate: 48000
      ).compile()
      let program = RenderProgram(
        plan: plan, graph: resolved, instances: instances,
        configuration: configuration)
      let supervisor = Supervisor(program)
      var events = 0
      var seed: UInt32 = 1
      var faults: UInt64 = 0
      for block in 0..<24 {
        let frameCount = [256, 1, 64, 255, 256, 17][block % 6]
        for channel in 0..<2 {
          let buffer = program.sourceBuffer(0, channel: channel)
          for frame in 0..<frameCount {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            buffer[frame] = Float(seed >> 8) / Float(1 << 23) - 1
          }
        }
        if block == 8 { program.measureNodeLevels(true) }
        if block == 12 { _ = program.set(node: 1, parameter: 0, to: 0) }
        if block == 4 { faults = fx_thread_page_faults() }
        fx_realtime_enter()
        program.sourceGuard.inspect(
          0, program.view.sourceBuffers[0], channelCount: 2, frameCount: frameCount,
          at: program.renderer.frame)
        program.renderer.render(frameCount: frameCount)
        fx_realtime_exit()
        events += supervisor.attend(now: Double(block)).count
      }
      guard events == expectedEvents else {
        print("\(events) events instead of \(expectedEvents)")
        exit(2)
      }
      return fx_thread_page_faults() - faults
    } catch {
      print("\(graph.nodes[1].id): \(error)")
      exit(2)
    }
  }
}
