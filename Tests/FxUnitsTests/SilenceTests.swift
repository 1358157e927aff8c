import CRealtime
import FxAudio
import FxEngine
import FxTestSupport
@testable import FxUnits
import Testing

private let everyUnit = BuiltInUnits.all.map(\.spec.id)
/// Units that rest in silence.
private let resting =
  (PassFilter.specs + GainFilter.specs
  + [
    DCBlock.spec, Equalizer.spec, BiquadUnit.spec, Compressor.spec, Gate.spec, Expander.spec,
    DeEsser.spec,
    Limiter.spec, Delay.spec, Reverb.spec, Convolver.spec, Cabinet.spec, Saturator.spec,
    Clipper.spec, Exciter.spec, Crossover.spec, LinearCrossover.spec, Multiband.spec,
    NeuralAmp.spec, Looper.spec,
  ]).map(\.id)

/// A unit in its own program, which lets the unit rest in silence or not.
private struct Solo {
  let renderer: UnitRenderer
  let program: RenderProgram
  private static let node = 0
  /// Values for units whose tail is half a minute long by default.
  private static let shortTails = ["reverb": ["decay": 0.2], "delay": ["feedback": 0]]

  init(
    _ scenario: Scenario, options: [String: OptionValue] = [:], restsSilentNodes: Bool
  ) throws {
    let spec = scenario.type.spec
    let parameters = Self.shortTails[spec.id] ?? [:]
    let renderer = try UnitRenderer(
      scenario.type, inputWidths: scenario.inputWidths, options: options, items: scenario.items,
      parameters: parameters, sampleRate: 8000, maximumFrameCount: 1024)
    let slots = NodeParameters.slots(of: spec, items: scenario.items)
    let wet = slots.count - 2
    let buses = scenario.inputWidths.enumerated().filter { $1 > 0 }
    var nodes = [
      Graph.Node(
        id: "unit",
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: spec.id, revision: spec.revision), parameters: slots,
            values: slots.enumerated().map {
              $0 == wet ? 1 : parameters[$1.path] ?? $1.spec.defaultValue
            })),
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
        Graph.Node(
          id: "in\(bus)", content: .source(.input("in\(bus)")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(width))]))
    }
    for bus in renderer.outputWidths.indices {
      connections.append(
        Connection(from: .init(node: Self.node, bus: bus), to: .init(node: nodes.count)))
      nodes.append(
        Graph.Node(
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

  /// Changes every parameter of the unit to another value within its range.
  func moveParameters() {
    for (index, slot) in renderer.slots.enumerated() {
      let (low, high) = (slot.spec.range.lowerBound, slot.spec.range.upperBound)
      let value = max(low, -60) + 0.3 * (min(high, 3000) - max(low, -60))
      #expect(
        program.set(
          node: Self.node, parameter: index, to: slot.spec.isInteger ? value.rounded() : value))
    }
  }

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
    let mode = fx_flush_denormals()
    program.renderer.render(frameCount: frames.count)
    fx_set_floating_point_mode(mode)
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
      // Silence of either sign, because a filter before the unit may output either.
      return frame < 130_000 ? 0 : -0
    }
    let noise = UInt32(truncatingIfNeeded: (frame &* 31 &+ channel) &* 2_654_435_761) >> 8
    return Float(noise) / 16_777_216 - 0.5
  }

  /// Renders the bursts with and without rests in silence, and compares them block by block.
  ///
  /// - Returns: The number of blocks after which the unit was at rest.
  private static func compare(
    _ scenario: Scenario, _ options: [String: OptionValue] = [:], blockLength: Int
  ) throws -> Int {
    let spared = try Solo(scenario, options: options, restsSilentNodes: true)
    let whole = try Solo(scenario, options: options, restsSilentNodes: false)
    var restCount = 0
    for start in stride(from: 0, to: frameCount, by: blockLength) {
      let frames = start..<min(start + blockLength, frameCount)
      let (one, other) = (spared.render(frames, sample), whole.render(frames, sample))
      #expect(one == other, "block of \(blockLength) at \(start)")
      guard one == other else { break }
      if spared.isAtRest { restCount += 1 }
    }
    return restCount
  }

  @Test(arguments: everyUnit) func `a unit makes the same bits where it rests in silence`(
    _ id: String
  ) throws {
    let scenario = try #require(Scenario(id, channels: 2))
    guard try Solo(scenario, restsSilentNodes: true).renderer.instance.entry.isAtRest != nil else {
      #expect(!resting.contains(id))
      return
    }
    for length in [37, 1024] {
      let restCount = try Self.compare(scenario, blockLength: length)
      #expect((restCount > 0) == resting.contains(id), "in blocks of \(length)")
    }
  }

  @Test(arguments: resting) func `a parameter that changes during a rest is heard afterwards`(
    _ id: String
  ) throws {
    let scenario = try #require(Scenario(id, channels: 2))
    let spared = try Solo(scenario, restsSilentNodes: true)
    let whole = try Solo(scenario, restsSilentNodes: false)
    for start in stride(from: 0, to: Self.frameCount, by: 1000) {
      if start == 120_000 {
        #expect(spared.isAtRest)
        for solo in [spared, whole] { solo.moveParameters() }
      }
      let frames = start..<min(start + 1000, Self.frameCount)
      #expect(
        spared.render(frames, Self.sample) == whole.render(frames, Self.sample), "at \(start)")
      if start == 120_000 { #expect(!spared.isAtRest || spared.renderer.slots.isEmpty) }
    }
  }

  /// Options for code that the defaults do not reach.
  private static let variants: [(id: String, options: [String: OptionValue])] = [
    ("compressor", ["lookahead": .number(0.003)]),
    ("compressor", ["autoRelease": .flag(true), "link": .flag(false)]),
    ("compressor", ["detector": .text("rms")]),
    ("limiter", ["truePeak": .flag(false), "link": .number(0)]),
    ("limiter", ["lookahead": .number(0.2)]),
    ("deEsser", ["mode": .text("wide")]),
    ("saturator", ["curve": .text("tape")]),
    ("saturator", ["curve": .text("tube")]),
    ("gate", ["lookahead": .number(0.003)]),
    ("delay", ["pingPong": .flag(true), "change": .text("crossfade")]),
    ("equalizer", ["curve": .text("40 -36; 1200 2; 3000 -48")]),
  ]

  @Test(arguments: variants.indices)
  func `a unit with other options makes the same bits where it rests in silence`(_ index: Int)
    throws
  {
    let (id, options) = Self.variants[index]
    let scenario = try #require(Scenario(id, channels: 3))
    #expect(try Self.compare(scenario, options, blockLength: 512) > 0, "\(id), \(options)")
  }
}
