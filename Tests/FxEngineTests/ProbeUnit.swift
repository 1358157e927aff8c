import FxAudio
@testable import FxEngine

/// A unit whose output is its one parameter, and a program around it.
struct ProbeUnit {
  var spec = ParameterSpec("level", "The output.", .none, 0...10, default: 0)
  var value = 0.0
  var automation: [Automation.Point] = []
  var readsPerFrame = true
  /// Frames of a late unit before it.
  var lateness = 0

  private static let entry = UnitEntry(
    render: { _, pointer in
      let block = RenderBlock(at: pointer)
      for frame in 0..<block.frameCount { block.outputs[0][frame] = block.parameters[0][frame] }
    }, reset: { _ in })

  func program(maximumFrameCount: Int = 256, startFrame: Int = 0) throws -> RenderProgram {
    var unitSpec = UnitSpec(
      "probe", name: "Probe", summary: "A test unit.", category: "test", parameters: [spec])
    unitSpec.readsParametersPerFrame = readsPerFrame
    let slots = NodeParameters.slots(of: unitSpec, items: [])
    let late = TestUnit.late.type(latency: lateness, rendersInPlace: true)
    let graph = try Graph(
      nodes: [
        Graph.Node(
          id: "in", content: .source(.input("main")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(1))]),
        Graph.Node(
          id: "late",
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: "late", revision: 1),
              parameters: NodeParameters.slots(of: late.spec, items: []), values: [1, 0])),
          inputs: [.main], outputs: [.main]),
        Graph.Node(
          id: "probe",
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: "probe", revision: 1), parameters: slots, values: [value, 1, 0],
              automation: automation.isEmpty ? [] : [Automation(slot: 0, points: automation)])),
          inputs: [.main], outputs: [.main]),
        Graph.Node(
          id: "out", content: .sink(.output("main"), isAligned: true), inputs: [.main], outputs: []),
      ],
      connections: (0..<3).map { Connection(from: .init(node: $0), to: .init(node: $0 + 1)) }
    ).resolved()
    let board = ReadingBoard(cellCount: 0)
    let state = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    let probe = UnitInstance(
      spec: unitSpec, state: state, entry: Self.entry, latency: 0, tail: .none, readings: board
    ) { $0.deallocate() }
    let instance = try late.make(
      Preparation(
        sampleRate: 1000, maximumFrameCount: maximumFrameCount, inputWidths: [1], outputWidths: [1])
    )
    return RenderProgram(
      plan: try GraphCompiler(graph, latencies: [0, lateness, 0, 0], sampleRate: 1000).compile(),
      graph: graph, instances: [nil, instance, probe, nil],
      configuration: ProgramConfiguration(
        sampleRate: 1000, maximumFrameCount: maximumFrameCount, startFrame: startFrame))
  }
}

extension RenderProgram {
  /// The first sink's first channel over blocks of these lengths.
  func output(blocks: [Int]) -> [Float] {
    blocks.flatMap { count -> [Float] in
      renderer.render(frameCount: count)
      let buffer = sinkBuffer(0, channel: 0)
      return (0..<count).map { buffer[$0] }
    }
  }
}
