import FxAudio
@testable import FxEngine
import Testing

/// The filter units that a program asks to join their neighbours.
@Suite struct JoiningTests {
  /// A unit that declares itself a filter, counts the requests to join, and refuses them.
  private enum AskedUnit {
    static let entry = UnitEntry(
      render: { _, pointer in
        let block = RenderBlock(at: pointer)
        for frame in 0..<block.frameCount { block.outputs[0][frame] = block.inputs[0][frame] }
      }, reset: { _ in },
      join: { state, _, _ in
        state.assumingMemoryBound(to: Int.self).pointee += 1
        return false
      })

    static let spec = UnitSpec(
      "asked", name: "Asked", summary: "A test unit.", category: "test", rendersInPlace: true)

    static func make() -> UnitInstance {
      let state = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      state.initialize(to: 0)
      return UnitInstance(
        spec: spec, state: UnsafeMutableRawPointer(state), entry: entry, latency: 0, tail: .none,
        filterCount: 1, readings: ReadingBoard(cellCount: 0)
      ) { $0.deallocate() }
    }
  }

  /// How often each of three units in a row is asked in a block: two that are in the first task where there
  /// are several threads, and one by itself.
  private func askedCounts(threads: Int, withSideReader: Bool = false) throws -> [Int] {
    let slots = NodeParameters.slots(of: AskedUnit.spec, items: [])
    let units = ["first", "second", "heavy"].map { id in
      Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: "asked", revision: 1), parameters: slots, values: [1, 0])),
        inputs: [.main], outputs: [.main], rendersInPlace: true)
    }
    let source = Graph.Node(
      id: "in", content: .source(.input("main")), inputs: [],
      outputs: [OutputBusSpec("out", width: .exactly(1))])
    let sinks = ["main", "side"].map { id in
      Graph.Node(id: id, content: .sink(.output(id), isAligned: true), inputs: [.main], outputs: [])
    }
    var connections = (0..<4).map { Connection(from: .init(node: $0), to: .init(node: $0 + 1)) }
    if withSideReader { connections.append(Connection(from: .init(node: 1), to: .init(node: 5))) }
    let graph = try Graph(
      nodes: [source] + units + (withSideReader ? sinks : [sinks[0]]), connections: connections
    ).resolved()
    let instances = graph.graph.nodes.map { node -> UnitInstance? in
      if case .unit = node.content { AskedUnit.make() } else { nil }
    }
    var configuration = ProgramConfiguration(sampleRate: 1000, maximumFrameCount: 64)
    configuration.isOffline = true
    configuration.partition = Partition(costs: [0, 4, 4, 20, 0, 0], threads: threads)
    let program = RenderProgram(
      plan: try GraphCompiler(
        graph, latencies: graph.graph.nodes.map { _ in 0 }, sampleRate: 1000,
        partition: configuration.partition
      ).compile(),
      graph: graph, instances: instances, configuration: configuration)
    #expect((program.taskCount > 1) == (threads > 1))
    let buffer = program.sourceBuffer(0, channel: 0)
    for frame in 0..<16 { buffer[frame] = 0.5 }
    if let board = program.renderer.board {
      program.renderer.begin(frameCount: 16)
      while !board.isOldestDone { board.render(board.claim(atLeast: 1, spare: 1, thread: 1)) }
      board.finish()
    } else {
      program.renderer.render(frameCount: 16)
    }
    return instances.compactMap { instance in
      instance?.state.assumingMemoryBound(to: Int.self).pointee
    }
  }

  @Test func `filters in a row are asked to join`() throws {
    // The first refusal ends the row.
    #expect(try askedCounts(threads: 1) == [1, 0, 0])
  }

  @Test func `filters of one task are asked to join, though their outputs are in two buffers`()
    throws
  {
    #expect(try askedCounts(threads: 2) == [1, 0, 0])
  }

  @Test func `a filter whose output has two readers is not joined`() throws {
    #expect(try askedCounts(threads: 2, withSideReader: true) == [0, 0, 0])
  }
}
