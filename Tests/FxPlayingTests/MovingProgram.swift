import FxAudio
import FxEngine

/// A chain with one unit whose latency follows a schedule and is reported. The unit may have a dry
/// signal beside it, or a unit with a fixed latency after it.
struct MovingProgram {
  /// Latencies by the frame of the time line from which they hold.
  var schedule: [(frame: Int, latency: Int)] = [(0, 0)]
  /// The latency that the unit reports instead of the true one.
  var reported: Int?
  /// The inverted input is added to the output.
  var isNulled = false
  var wet = 1.0
  /// Latency of the unit after it.
  var latenessBehind = 0
  var limit = 1000
  var maximumFrameCount = 64

  private struct Kernel {
    let schedule: UnsafeMutableBufferPointer<(frame: Int, latency: Int)>
    let monitor: UnitMonitor?
    let reported: Int?
    let past: UnsafeMutablePointer<Float>
    var position = 0

    static let length = 8192

    mutating func render(_ block: RenderBlock) {
      for frame in 0..<block.frameCount {
        let latency = schedule.last { $0.frame <= position }?.latency ?? 0
        if frame == 0 { monitor?.latency = reported ?? latency }
        past[position % Kernel.length] = block.inputs[0][frame]
        block.outputs[0][frame] = past[(position - latency + Kernel.length) % Kernel.length]
        position += 1
      }
    }
  }

  private static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: Kernel.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  private static let spec = UnitSpec(
    "moving", name: "Moving", summary: "A test unit.", category: "test", rendersInPlace: false)

  private func instance(moves: Bool) -> UnitInstance {
    let points = moves ? schedule : [(0, latenessBehind)]
    let copy = UnsafeMutableBufferPointer<(frame: Int, latency: Int)>.allocate(
      capacity: points.count)
    _ = copy.initialize(from: points.map { (frame: $0.0, latency: $0.1) })
    let past = UnsafeMutablePointer<Float>.allocate(capacity: Kernel.length)
    past.initialize(repeating: 0, count: Kernel.length)
    let monitor = moves ? UnitMonitor(latency: points[0].1) : nil
    let kernel = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    kernel.initialize(
      to: Kernel(schedule: copy, monitor: monitor, reported: moves ? reported : nil, past: past))
    return UnitInstance(
      spec: Self.spec, state: kernel, entry: Self.entry, latency: points[0].1, tail: .unknown,
      readings: ReadingBoard(cellCount: 0), monitor: monitor
    ) {
      $0.assumingMemoryBound(to: Kernel.self).pointee.past.deallocate()
      $0.assumingMemoryBound(to: Kernel.self).pointee.schedule.deallocate()
      $0.assumingMemoryBound(to: Kernel.self).deallocate()
    }
  }

  func make() throws -> RenderProgram {
    func unit(_ id: String, wet: Double) -> Graph.Node {
      Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: "moving", revision: 1),
            parameters: NodeParameters.slots(of: Self.spec, items: []), values: [wet, 0])),
        inputs: [.main], outputs: [.main], rendersInPlace: false, keepsDry: wet < 1)
    }
    var connections = [(0, 1), (1, 2), (2, 3)].map {
      Connection(from: .init(node: $0.0), to: .init(node: $0.1))
    }
    if isNulled {
      connections.append(Connection(from: .init(node: 0), to: .init(node: 3), gain: -1))
    }
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))]),
        unit("moving", wet: wet), unit("behind", wet: 1),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ], connections: connections
    ).resolved()
    return RenderProgram(
      plan: try GraphCompiler(
        graph, latencies: [0, schedule[0].latency, latenessBehind, 0], limits: [1: limit],
        sampleRate: 1000
      ).compile(),
      graph: graph, instances: [nil, instance(moves: true), instance(moves: false), nil],
      configuration: ProgramConfiguration(
        sampleRate: 1000, maximumFrameCount: maximumFrameCount))
  }
}
