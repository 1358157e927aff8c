import FxAudio
@testable import FxEngine
import Testing

@Suite struct BypassTests {
  /// A mono source into a unit that makes an eighth and a quarter of it, into a stereo sink.
  private func spread(wet: Double, mixesByPower: Bool = false) throws -> RenderProgram {
    let spec = UnitSpec(
      "spread", name: "Spread", summary: "A test unit.", category: "test", rendersInPlace: false)
    var unit = UnitConfiguration(
      kind: .builtIn(name: "spread", revision: 1),
      parameters: NodeParameters.slots(of: spec, items: []), values: [wet, 0])
    unit.mixesByPower = mixesByPower
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))]),
        Graph.Node(
          id: "spread", content: .unit(unit), inputs: [.main],
          outputs: [OutputBusSpec("out", width: .exactly(2))], rendersInPlace: false,
          keepsDry: true),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: (0..<2).map { Connection(from: .init(node: $0), to: .init(node: $0 + 1)) }
    ).resolved()
    let entry = UnitEntry(
      render: { _, pointer in
        let block = RenderBlock(at: pointer)
        for frame in 0..<block.frameCount {
          block.outputs[0][frame] = block.inputs[0][frame] / 8
          block.outputs[1][frame] = block.inputs[0][frame] / 4
        }
      }, reset: { _ in })
    let instance = UnitInstance(
      spec: spec, state: .allocate(byteCount: 1, alignment: 1), entry: entry, latency: 0,
      tail: .none, readings: ReadingBoard(cellCount: 0)
    ) { $0.deallocate() }
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, 0, 0], sampleRate: 1000).compile(),
      graph: graph, instances: [nil, instance, nil],
      configuration: ProgramConfiguration(sampleRate: 1000, maximumFrameCount: 256))
  }

  /// The last frame of both channels of four frames of 1.
  private func renderSpread(_ program: RenderProgram) -> [Float] {
    let buffer = program.sourceBuffer(0, channel: 0)
    for frame in 0..<4 { buffer[frame] = 1 }
    program.renderer.render(frameCount: 4)
    return (0..<2).map { program.sinkBuffer(0, channel: $0)[3] }
  }

  /// A source into `scale` (two thirds) into a sink, with the dry signal kept.
  private func program(wet: Double, bypass: Double, rests: Bool = true) throws -> RenderProgram {
    let type = TestUnit.scale.type(latency: 0, rendersInPlace: true)
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))]),
        Graph.Node(
          id: "scale",
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: "scale", revision: 1),
              parameters: NodeParameters.slots(of: type.spec, items: []), values: [wet, bypass])),
          inputs: [.main], outputs: [.main], keepsDry: true),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: (0..<2).map { Connection(from: .init(node: $0), to: .init(node: $0 + 1)) }
    ).resolved()
    let instance = try type.make(
      Preparation(
        sampleRate: 1000, maximumFrameCount: 256, inputWidths: [1], outputWidths: [1]))
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, 0, 0], sampleRate: 1000).compile(),
      graph: graph, instances: [nil, instance, nil],
      configuration: ProgramConfiguration(
        sampleRate: 1000, maximumFrameCount: 256, restsBypassedNodes: rests))
  }

  private func render(_ program: RenderProgram, _ count: Int) -> [Float] {
    let buffer = program.sourceBuffer(0, channel: 0)
    for frame in 0..<count { buffer[frame] = 0.9 }
    return program.output(blocks: [count])
  }

  @Test func `wet mixes in proportion`() throws {
    #expect(render(try program(wet: 0.5, bypass: 0), 4)[0] == 0.9 * 0.5 + 0.9 * (2.0 / 3) * 0.5)
  }

  @Test func `a mono input is the dry signal of both channels`() throws {
    #expect(renderSpread(try spread(wet: 0.25)) == [0.75 + 0.25 / 8, 0.75 + 0.25 / 4])
    #expect(renderSpread(try spread(wet: 0)) == [1, 1])
  }

  @Test func `equal power mixes by the cosine and the sine of the share`() throws {
    let output = renderSpread(try spread(wet: 1.0 / 3, mixesByPower: true))
    // A third of a quarter turn: the cosine of 30 degrees and the sine.
    #expect(abs(output[0] - (0.866_025_4 + 0.5 / 8)) < 1e-6)
    #expect(abs(output[1] - (0.866_025_4 + 0.5 / 4)) < 1e-6)
  }

  @Test func `a bypassed node passes its input on to the bit`() throws {
    #expect(render(try program(wet: 1, bypass: 1), 4) == [0.9, 0.9, 0.9, 0.9])
  }

  @Test func `bypass crosses over within ten milliseconds and without a step`() throws {
    let program = try program(wet: 1, bypass: 0, rests: false)
    #expect(render(program, 8)[7] == Float(0.9) * (2.0 / 3))
    #expect(program.set(node: 1, parameter: 1, to: 1))
    let output = render(program, 32)
    for (before, after) in zip(output, output.dropFirst()) {
      // An S-curve is at most 15/8 as steep as a line.
      #expect(abs(after - before) < 0.031 * 15 / 8)
    }
    #expect(output[10...].allSatisfy { $0 == 0.9 })
  }
}
