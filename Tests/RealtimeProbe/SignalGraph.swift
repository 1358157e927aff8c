import FxAudio
import FxEngine
import FxUnits

/// A graph with control signals, one of them in a loop, and with events.
enum SignalGraph {
  static func make() -> (graph: Graph, types: [UnitType?])? {
    func unit(_ id: String) -> UnitType? { BuiltInUnits.all.first { $0.spec.id == id } }
    guard let lfo = unit("lfo"), let envelope = unit("envelope"), let filter = unit("lowPass")
    else {
      return nil
    }
    var moved = node(filter)
    modulate(&moved, scale: .octaves, range: -1...1)
    modulate(&moved, scale: .linear, range: 0...1)
    var swing = node(lfo)
    modulate(&swing, scale: .octaves, range: -1...1)
    let graph = Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]),
        swing, node(envelope), moved, node(NoteUnit.giver), node(NoteUnit.taker),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: [
        Connection(from: .init(node: 0), to: .init(node: 2)),
        Connection(from: .init(node: 0), to: .init(node: 3)),
        Connection(from: .init(node: 1), to: .init(node: 3, bus: 1)),
        Connection(from: .init(node: 2), to: .init(node: 3, bus: 2)),
        Connection(from: .init(node: 1), to: .init(node: 1, bus: 0), feedbackDelay: 0.003),
        Connection(from: .init(node: 3), to: .init(node: 4)),
        Connection(from: .init(node: 4), to: .init(node: 5)),
        Connection(from: .init(node: 4), to: .init(node: 5), carriesEvents: true),
        Connection(from: .init(node: 5), to: .init(node: 6)),
      ])
    return (graph, [nil, lfo, envelope, filter, NoteUnit.giver, NoteUnit.taker, nil])
  }

  private static func node(_ type: UnitType) -> Graph.Node {
    let slots = NodeParameters.slots(of: type.spec, items: [])
    var options: [String: OptionValue] = [:]
    for option in type.spec.options { options[option.key] = option.defaultValue }
    return Graph.Node(
      id: type.spec.id,
      content: .unit(
        UnitConfiguration(
          kind: .builtIn(name: type.spec.id, revision: 1), options: options, parameters: slots,
          values: slots.map(\.spec.defaultValue))),
      inputs: type.spec.inputs, outputs: type.spec.outputs, eventInputs: type.spec.eventInputs,
      eventOutputs: type.spec.eventOutputs)
  }

  /// A control signal for the first parameter, an octave or 100 of its measure deep.
  private static func modulate(
    _ node: inout Graph.Node, scale: Modulation.Scale, range: ClosedRange<Double>
  ) {
    guard case .unit(var unit) = node.content else { return }
    unit.modulations.append(
      Modulation(
        slot: 0, depthSlot: unit.parameters.count, scale: scale, curve: .smooth, range: range,
        isBipolar: range.lowerBound < 0))
    unit.parameters.append(
      ParameterSlot(
        path: "depth\(unit.modulations.count)",
        spec: ParameterSpec("depth", "How far.", .none, -200...200, default: 0)))
    unit.values.append(scale == .octaves ? 1 : 100)
    node.content = .unit(unit)
    node.inputs.append(
      InputBusSpec("depth", width: .exactly(1), isOptional: true, isControl: true))
  }
}

/// Passes its input on, gives a note at the first frame of every block, or hears some.
struct NoteUnit {
  private var heard = 0

  static let giver = type("giver") { $0.eventOutputs = [EventPortSpec("out")] }
  static let taker = type("taker") { $0.eventInputs = [EventPortSpec("in")] }

  private static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: NoteUnit.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  private static func type(_ id: String, _ configure: (inout UnitSpec) -> Void) -> UnitType {
    var spec = UnitSpec(id, name: id, summary: "A test unit.", category: "test")
    configure(&spec)
    let declared = spec
    return UnitType(spec: declared) { preparation in
      let state = UnsafeMutablePointer<NoteUnit>.allocate(capacity: 1)
      state.initialize(to: NoteUnit())
      return UnitInstance(
        spec: declared, state: state, entry: entry, latency: 0, tail: .none,
        readings: preparation.readings
      ) { $0.assumingMemoryBound(to: NoteUnit.self).deallocate() }
    }
  }

  private mutating func render(_ block: RenderBlock) {
    for channel in 0..<block.outputCount {
      for frame in 0..<block.frameCount {
        block.outputs[channel][frame] = block.inputs[channel][frame]
      }
    }
    if let given = block.givenEvents {
      let header = EventHeader(frame: 0, type: EventHeader.midi, port: 0, size: 3)
      _ = given.append(header, (0x90, 60, 100, 0))
    }
    if block.events.event(at: 0) != nil { heard += 1 }
  }
}
