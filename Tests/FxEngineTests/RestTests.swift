import FxAudio
@testable import FxEngine
import Testing

/// Rests of a unit whose inputs are silent.
@Suite struct RestTests {
  /// A unit that says that it is at rest, and sounds in one channel until a frame.
  private struct Kernel {
    let channel: Int
    let end: Int

    func render(_ block: RenderBlock) {
      for output in 0..<block.outputCount {
        for frame in 0..<block.frameCount {
          block.outputs[output][frame] = output == channel && block.frame + frame < end ? 1 : 0
        }
      }
    }
  }

  private static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: Kernel.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in }, isAtRest: { _, _ in true })

  private func program(_ kernel: Kernel) throws -> RenderProgram {
    let spec = UnitSpec(
      "echo", name: "Echo", summary: "A test unit.", category: "test", rendersInPlace: false)
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]),
        Graph.Node(
          id: "echo",
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: "echo", revision: 1),
              parameters: NodeParameters.slots(of: spec, items: []), values: [1, 0])),
          inputs: [.main], outputs: [.main], rendersInPlace: false),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: (0..<2).map { Connection(from: .init(node: $0), to: .init(node: $0 + 1)) }
    ).resolved()
    let state = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    state.initialize(to: kernel)
    let instance = UnitInstance(
      spec: spec, state: state, entry: Self.entry, latency: 0, tail: .unknown,
      readings: ReadingBoard(cellCount: 0)
    ) { $0.assumingMemoryBound(to: Kernel.self).deallocate() }
    var configuration = ProgramConfiguration(sampleRate: 1000, maximumFrameCount: 64)
    configuration.isOffline = true
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, 0, 0], sampleRate: 1000).compile(),
      graph: graph, instances: [nil, instance, nil], configuration: configuration)
  }

  /// Renders blocks of 64 frames. Returns one output channel, and the blocks after which the unit
  /// is at rest.
  private func render(
    _ program: RenderProgram, channel: Int, blocks: Int, sound: Int? = nil
  ) -> (output: [Float], resting: [Int]) {
    var output: [Float] = []
    var resting: [Int] = []
    for block in 0..<blocks {
      for input in 0..<2 {
        let buffer = program.sourceBuffer(0, channel: input)
        for frame in 0..<64 { buffer[frame] = block == sound && input == 1 && frame == 63 ? 1 : 0 }
      }
      program.renderer.render(frameCount: 64)
      let buffer = program.sinkBuffer(0, channel: channel)
      output += (0..<64).map { buffer[$0] }
      if program.isAtRest(node: 1) { resting.append(block) }
    }
    return (output, resting)
  }

  @Test(arguments: [0, 1]) func `a unit whose outputs still sound does not rest`(
    _ channel: Int
  ) throws {
    let found = render(
      try program(Kernel(channel: channel, end: 700)), channel: channel, blocks: 20)
    #expect(found.output == (0..<20 * 64).map { $0 < 700 ? 1 : 0 })
    // Blocks 11 to 14 are silent; block 15 is the last that is rendered.
    #expect(found.resting == Array(15..<20))
  }

  @Test func `a sound in the last frame of one channel ends the rest`() throws {
    let found = render(
      try program(Kernel(channel: 0, end: 0)), channel: 0, blocks: 20, sound: 10)
    // Block 0 has new parameters, block 1 is the first with these zeros, and blocks 2 to 5 count.
    // After the sound, block 11 is the first with these zeros.
    #expect(found.resting == Array(6..<10) + Array(16..<20))
  }
}
