import FxAudio
@testable import FxEngine
import Testing

/// Events during a crossfade to a changed chain.
@Suite struct EventTransitionTests {
  private static let types: [UnitType?] = [
    nil, TestUnit.strike.type(latency: 0, rendersInPlace: true),
    TestUnit.ring.type(latency: 0, rendersInPlace: true), nil,
  ]

  /// A unit that strikes notes, before a unit that receives them or does not.
  private func graph(hears: Bool) throws -> ResolvedGraph {
    let units = Self.types.compactMap { $0 }.map { type in
      Graph.Node(
        id: type.spec.id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: type.spec.id, revision: 1),
            parameters: NodeParameters.slots(of: type.spec, items: []), values: [1, 0])),
        inputs: type.spec.inputs, outputs: type.spec.outputs, eventInputs: type.spec.eventInputs,
        eventOutputs: type.spec.eventOutputs)
    }
    let way = Connection(from: .init(node: 1), to: .init(node: 2), carriesEvents: true)
    return try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))])
      ] + units + [
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: [])
      ],
      connections: [
        Connection(from: .init(node: 0), to: .init(node: 1)),
        Connection(from: .init(node: 1), to: .init(node: 2)),
        Connection(from: .init(node: 2), to: .init(node: 3)),
      ] + (hears ? [way] : [])
    ).resolved()
  }

  private func plan(_ graph: ResolvedGraph) throws -> RenderPlan {
    try GraphCompiler(graph, latencies: [0, 0, 0, 0], sampleRate: 48000).compile()
  }

  /// Renders 64 frames of silence, a struck sample at one of them.
  private func render(_ program: RenderProgram, striking frame: Int? = nil) -> [Float] {
    for offset in 0..<64 { program.sourceBuffer(0, channel: 0)[offset] = offset == frame ? 1 : 0 }
    program.renderer.render(frameCount: 64)
    return (0..<64).map { program.sinkBuffer(0, channel: 0)[$0] }
  }

  @Test func `notes that sound through a removed connection are ended`() throws {
    let (old, new) = (try graph(hears: true), try graph(hears: false))
    let instances = try Self.types.enumerated().map { node, type in
      try type?.make(
        Preparation(
          sampleRate: 48000, maximumFrameCount: 64, inputWidths: old.inputWidths[node],
          outputWidths: old.outputWidths[node]))
    }
    let program = RenderProgram(
      plan: try plan(old), graph: old, instances: instances,
      configuration: ProgramConfiguration(sampleRate: 48000, maximumFrameCount: 64))
    let struck = render(program, striking: 10)
    #expect(struck[10] == 1 + TestNote((0x90, 40, 127)).step)
    #expect(render(program) == [Float](repeating: 0, count: 64))

    let change = try GraphChange(from: old, to: new)
    #expect(change.isStructural)
    #expect(change.kept == [0, 1, 2, 3])
    let transition = try Transition(
      from: program, to: .init(plan: plan(new), graph: new, instances: instances), change: change)
    transition.crossfade.renderer.take(over: program.renderer)
    // The receiving unit makes a step at the end of a note as well.
    let ended = render(transition.crossfade)
    #expect(ended[0] == TestNote((0x80, 40, 64)).step)
    #expect(ended.dropFirst().allSatisfy { $0 == 0 })
    #expect(render(transition.crossfade, striking: 20)[20] == 1)
  }
}
