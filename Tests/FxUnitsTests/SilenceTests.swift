import FxAudio
import FxEngine
import FxGraph
import FxTestSupport
import FxUnits
import Testing

private let everyUnit = BuiltInUnits.all.map(\.spec.id)
/// Units that stand still in silence.
private let resting =
  PassFilter.specs.map(\.id) + GainFilter.specs.map(\.id) + [DCBlock.spec.id, Equalizer.spec.id]

/// A unit in a program of its own, which spares it silence or does not.
private struct Solo {
  let renderer: UnitRenderer
  let program: RenderProgram
  private static let node = 0

  init(_ scenario: Scenario, restsSilentNodes: Bool) throws {
    let renderer = try UnitRenderer(
      scenario.type, inputWidths: scenario.inputWidths, items: scenario.items,
      sampleRate: 8000, maximumFrameCount: 1024)
    let spec = scenario.type.spec
    let slots = NodeParameters.slots(of: spec, items: scenario.items)
    let wet = slots.count - 2
    let buses = scenario.inputWidths.enumerated().filter { $1 > 0 }
    var nodes = [
      Node(
        id: "unit",
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: spec.id, revision: spec.revision), parameters: slots,
            values: slots.enumerated().map { $0 == wet ? 1 : $1.spec.defaultValue })),
        inputs: scenario.inputWidths.enumerated().map {
          InputBusSpec("bus\($0)", width: .exactly($1), isOptional: $1 == 0)
        },
        outputs: renderer.outputWidths.enumerated().map {
          OutputBusSpec("bus\($0)", width: .exactly($1))
        })
    ]
    var connections: [Connection] = []
    for (bus, width) in buses {
      connections.append(
        Connection(from: .init(node: nodes.count), to: .init(node: Self.node, bus: bus)))
      nodes.append(
        Node(
          id: "in\(bus)", content: .source(.input("in\(bus)")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(width))]))
    }
    for bus in renderer.outputWidths.indices {
      connections.append(
        Connection(from: .init(node: Self.node, bus: bus), to: .init(node: nodes.count)))
      nodes.append(
        Node(
          id: "out\(bus)", content: .sink(.output("out\(bus)"), isAligned: true), inputs: [.main],
          outputs: []))
    }
    let graph = try Graph(nodes: nodes, connections: connections).resolved()
    var configuration = ProgramConfiguration(sampleRate: 8000, maximumFrameCount: 1024)
    configuration.isOffline = true
    configuration.restsSilentNodes = restsSilentNodes
    self.renderer = renderer
    let latencies = nodes.indices.map { $0 == Self.node ? renderer.instance.latency : 0 }
    program = RenderProgram(
      plan: try GraphCompiler(graph, latencies: latencies, sampleRate: 8000).compile(),
      graph: graph,
      instances: nodes.indices.map { $0 == Self.node ? renderer.instance : nil },
      configuration: configuration)
  }

  var isAtRest: Bool { program.isAtRest(node: Self.node) }

  /// Each output channel's bits and then the readings, after one block.
  func render(_ frames: Range<Int>, _ sample: (_ channel: Int, _ frame: Int) -> Float) -> [UInt32] {
    var input = 0
    for (source, width) in program.sourceWidths.enumerated() {
      for channel in 0..<width {
        let buffer = program.sourceBuffer(source, channel: channel)
        for frame in frames { buffer[frame - frames.lowerBound] = sample(input, frame) }
        input += 1
      }
    }
    program.renderer.render(frameCount: frames.count)
    var bits: [UInt32] = []
    for (sink, width) in program.sinkWidths.enumerated() {
      for channel in 0..<width {
        let buffer = program.sinkBuffer(sink, channel: channel)
        for frame in 0..<frames.count { bits.append(buffer[frame].bitPattern) }
      }
    }
    let readings = renderer.instance.readings
    return bits + (0..<readings.cellCount).map { readings[$0].bitPattern }
  }
}

@Suite struct SilenceTests {
  /// Where there is sound.
  private static let bursts = [0..<300, 9000..<9200, 130_000..<130_300]
  private static let frameCount = 131_500

  private static func sample(_ channel: Int, _ frame: Int) -> Float {
    guard bursts.contains(where: { $0.contains(frame) }) else {
      // Silence of either sign: a filter in front may make the one or the other.
      return frame < 130_000 ? 0 : -0
    }
    let noise = UInt32(truncatingIfNeeded: (frame &* 31 &+ channel) &* 2_654_435_761) >> 8
    return Float(noise) / 16_777_216 - 0.5
  }

  @Test(arguments: everyUnit) func `no unit makes another bit of silence when it rests`(
    _ id: String
  ) throws {
    let scenario = try #require(Scenario(id, channels: 2))
    guard try Solo(scenario, restsSilentNodes: true).renderer.instance.entry.isAtRest != nil else {
      return
    }
    for length in [37, 1024] {
      let (spared, whole) = (
        try Solo(scenario, restsSilentNodes: true), try Solo(scenario, restsSilentNodes: false)
      )
      var restCount = 0
      for start in stride(from: 0, to: Self.frameCount, by: length) {
        let frames = start..<min(start + length, Self.frameCount)
        let (one, other) = (
          spared.render(frames, Self.sample), whole.render(frames, Self.sample)
        )
        #expect(one == other, "\(id), block of \(length) at \(start)")
        guard one == other else { break }
        if spared.isAtRest { restCount += 1 }
      }
      #expect((restCount > 0) == resting.contains(id), "\(id) in blocks of \(length)")
    }
  }
}
