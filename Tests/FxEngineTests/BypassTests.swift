import FxAudio
@testable import FxEngine
import Testing

@Suite struct BypassTests {
  /// A source into `scale` (two thirds) into a sink, with the dry signal kept.
  private func program(wet: Double, bypass: Double, rests: Bool = true) throws -> RenderProgram {
    let type = TestUnit.scale.type(latency: 0, rendersInPlace: true)
    let graph = try Graph(
      nodes: [
        Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))]),
        Node(
          id: "scale",
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: "scale", revision: 1),
              parameters: NodeParameters.slots(of: type.spec, items: []), values: [wet, bypass])),
          inputs: [.main], outputs: [.main], keepsDry: true),
        Node(
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
