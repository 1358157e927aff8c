import FxAudio
import FxEngine

/// A chain of one unit: its input, `lateness` frames late, with an echo at half the level
/// `echoDelay` frames later.
struct TestProgram {
  var lateness = 0
  var echoDelay = 0
  var width = 1
  var sinkCount = 1
  var sampleRate = 1000.0
  var maximumFrameCount = 64

  private struct Kernel {
    let lateness: Int
    let echoDelay: Int
    let width: Int
    let past: UnsafeMutablePointer<Float>

    static let length = 4096

    func render(_ block: RenderBlock) {
      for channel in 0..<width {
        let line = past + channel * Kernel.length
        for frame in 0..<block.frameCount {
          let now = block.frame + frame + Kernel.length
          line[now % Kernel.length] = block.inputs[channel][frame]
          let late = now - lateness
          var output = line[late % Kernel.length]
          if echoDelay > 0 { output += 0.5 * line[(late - echoDelay) % Kernel.length] }
          block.outputs[channel][frame] = output
        }
      }
    }
  }

  private static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: Kernel.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  func make() throws -> RenderProgram {
    let spec = UnitSpec(
      "late", name: "Late", summary: "A test unit.", category: "test", rendersInPlace: false)
    var nodes = [
      Graph.Node(
        id: "in", content: .source(.input("main")), inputs: [],
        outputs: [OutputBusSpec("out", width: .exactly(width))]),
      Graph.Node(
        id: "late",
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: "late", revision: 1),
            parameters: NodeParameters.slots(of: spec, items: []), values: [1, 0])),
        inputs: [.main], outputs: [.main], rendersInPlace: false),
    ]
    var connections = [Connection(from: .init(node: 0), to: .init(node: 1))]
    for sink in 0..<sinkCount {
      // Every second sink receives the source directly, without latency.
      nodes.append(
        Graph.Node(
          id: "out\(sink)", content: .sink(.output("\(sink)"), isAligned: false), inputs: [.main],
          outputs: []))
      connections.append(Connection(from: .init(node: 1 - sink % 2), to: .init(node: 2 + sink)))
    }
    let graph = try Graph(nodes: nodes, connections: connections).resolved()
    let past = UnsafeMutablePointer<Float>.allocate(capacity: Kernel.length * width)
    past.initialize(repeating: 0, count: Kernel.length * width)
    let kernel = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    kernel.initialize(
      to: Kernel(lateness: lateness, echoDelay: echoDelay, width: width, past: past))
    let instance = UnitInstance(
      spec: spec, state: kernel, entry: TestProgram.entry, latency: lateness, tail: .unknown,
      readings: ReadingBoard(cellCount: 0)
    ) {
      $0.assumingMemoryBound(to: Kernel.self).pointee.past.deallocate()
      $0.assumingMemoryBound(to: Kernel.self).deallocate()
    }
    let latencies = [0, lateness] + Array(repeating: 0, count: sinkCount)
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: latencies, sampleRate: sampleRate).compile(),
      graph: graph, instances: [nil, instance] + Array(repeating: nil, count: sinkCount),
      configuration: ProgramConfiguration(
        sampleRate: sampleRate, maximumFrameCount: maximumFrameCount))
  }
}
