import FxAudio
@testable import FxEngine
import Glibc
import Testing

/// The figures that a program reports about its nodes while it renders.
@Suite struct MeasureTests {
  /// Passes its input on after a number of microseconds.
  private struct Slow {
    let microseconds: Int

    static let entry = UnitEntry(
      render: { state, pointer in
        let block = RenderBlock(at: pointer)
        let end =
          nanoseconds() + 1000 * state.assumingMemoryBound(to: Slow.self).pointee.microseconds
        while nanoseconds() < end {}
        for channel in 0..<block.outputCount {
          for frame in 0..<block.frameCount {
            block.outputs[channel][frame] = block.inputs[channel][frame] * 0.5
          }
        }
      }, reset: { _ in })

    private static func nanoseconds() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
  }

  /// in → quick → slow → out, and back from slow into quick where there is a loop.
  private func program(
    loop: Double? = nil, wet: Double = 1, isMeasured: Bool = true, frames: Int = 128
  ) throws -> RenderProgram {
    let spec = UnitSpec("slow", name: "Slow", summary: "A test unit.", category: "test")
    let slots = NodeParameters.slots(of: spec, items: [])
    func unit(_ id: String) -> Graph.Node {
      Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: id, revision: 1), parameters: slots, values: [wet, 0])),
        inputs: [.main], outputs: [.main], rendersInPlace: false, keepsDry: wet < 1)
    }
    var connections = (0..<3).map {
      Connection(from: .init(node: $0), to: .init(node: $0 + 1))
    }
    if let loop {
      connections.append(
        Connection(from: .init(node: 2), to: .init(node: 1), gain: 0.5, feedbackDelay: loop))
    }
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]), unit("quick"), unit("slow"),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ], connections: connections
    ).resolved()
    func instance(_ microseconds: Int) -> UnitInstance {
      let state = UnsafeMutablePointer<Slow>.allocate(capacity: 1)
      state.initialize(to: Slow(microseconds: microseconds))
      return UnitInstance(
        spec: spec, state: UnsafeMutableRawPointer(state), entry: Slow.entry, latency: 0,
        tail: .none, readings: ReadingBoard(cellCount: 0)
      ) { $0.deallocate() }
    }
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, 0, 0, 0], sampleRate: 1000).compile(),
      graph: graph, instances: [nil, instance(0), instance(300), nil],
      configuration: ProgramConfiguration(
        sampleRate: 1000, maximumFrameCount: frames, measuresNodes: isMeasured))
  }

  private func render(_ program: RenderProgram, blocks: Int) -> [Float] {
    var output: [Float] = []
    for block in 0..<blocks {
      for channel in 0..<2 {
        let buffer = program.sourceBuffer(0, channel: channel)
        for frame in 0..<64 { buffer[frame] = Float((block * 64 + frame) % 17) / 16 }
      }
      program.renderer.render(frameCount: 64)
      output += (0..<64).map { program.sinkBuffer(0, channel: 1)[$0] }
    }
    return output
  }

  @Test func `every node is counted once a block, with at least its real time`() throws {
    let program = try program()
    _ = render(program, blocks: 5)
    let slow = try #require(program.time(ofNode: 2)).summary
    #expect(slow.count == 5)
    #expect(slow.p50 >= 300e-6)
    #expect(slow.maximum >= slow.mean)
    #expect(program.time(ofNode: 1)?.count == 5)
    #expect(program.renderer.slowestNode.node == 2)
    #expect(program.renderer.slowestNode.seconds >= 300e-6)
    // A source and a sink render nothing, and there is no such node.
    for node in [-1, 0, 3, 4, 99] { #expect(program.time(ofNode: node) == nil) }
  }

  @Test func `one of several short blocks is timed, and every block while levels are measured`()
    throws
  {
    let program = try program(frames: 32)
    for _ in 0..<9 { program.renderer.render(frameCount: 32) }
    // The first, the fifth and the ninth.
    #expect(program.time(ofNode: 2)?.count == 3)
    #expect(program.renderer.slowestNode.node == 2)
    program.renderer.render(frameCount: 32)
    #expect(program.renderer.slowestNode.node == -1)
    program.measureNodeLevels(true)
    for _ in 0..<4 { program.renderer.render(frameCount: 32) }
    #expect(program.time(ofNode: 2)?.count == 7)
  }

  @Test func `a loop in slices counts once a block, apart from the steps between its nodes`() throws
  {
    // 10 frames a slice: seven of them.
    let program = try program(loop: 0.01)
    _ = render(program, blocks: 3)
    let slow = try #require(program.time(ofNode: 2)).summary
    #expect(slow.count == 3)
    #expect(slow.p50 >= 7 * 300e-6)
    #expect(program.timeBetweenNodes?.count == 3)
    #expect(try self.program().timeBetweenNodes == nil)
  }

  @Test func `measuring changes no sample`() throws {
    let plain = render(try program(loop: 0.01, wet: 0.5, isMeasured: false), blocks: 4)
    let measured = try program(loop: 0.01, wet: 0.5)
    measured.measureNodeLevels(true)
    #expect(render(measured, blocks: 4) == plain)
    #expect(plain.contains { $0 != 0 })
  }

  @Test func `a program without measurements has no figures`() throws {
    let program = try program(isMeasured: false)
    _ = render(program, blocks: 1)
    program.measureNodeLevels(true)
    #expect(program.time(ofNode: 1) == nil)
    #expect(program.timeBetweenNodes == nil)
    #expect(program.peak(ofNode: 1) == nil)
    #expect(program.renderer.slowestNode.node == -1)
  }

  @Test func `levels of nodes are measured while a caller reads them`() throws {
    let program = try program()
    _ = render(program, blocks: 1)
    #expect(program.peak(ofNode: 1) == nil)
    program.measureNodeLevels(true)
    #expect(program.peak(ofNode: 1) == 0)
    _ = render(program, blocks: 2)
    // Each node halves the level; the input peaks at 1.
    #expect(program.peak(ofNode: 1) == 0.5)
    #expect(program.peak(ofNode: 2) == 0.25)
    #expect(program.peak(ofNode: 0) == nil)
    program.measureNodeLevels(false)
    #expect(program.peak(ofNode: 1) == nil)
  }

  @Test func `the level of a node is that of its mixed wet and dry signals`() throws {
    let program = try program(wet: 0.5)
    program.measureNodeLevels(true)
    _ = render(program, blocks: 2)
    // Half of 1 and half of 0.5.
    #expect(program.peak(ofNode: 1) == 0.75)
  }

  @Test func `steps of one node in a row are timed together`() {
    #expect(OperationSpan.spans([]).isEmpty)
    let spans = OperationSpan.spans([7, 7, 1, 1, 2, 7])
    #expect(spans.map(\.end) == [2, 4, 5, 6])
    #expect(spans.map(\.slot) == [7, 1, 2, 7])
  }
}
