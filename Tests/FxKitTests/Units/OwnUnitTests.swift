import FxKit
import Testing

/// Holds each sample for some frames: a unit as a user writes it.
private struct Hold: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "hold", summary: "Holds each sample for some frames.",
    parameters: [
      ParameterSpec(
        "frames", "Frames that a sample is held.", .frames, 1...64, default: 8, smoothing: .none,
        isInteger: true)
    ],
    options: [
      OptionSpec("start", "The first held value.", .number(.none, 0...1), default: .number(0))
    ],
    readings: [ReadingSpec("held", "The held sample.", .none)],
    presets: [UnitPreset("coarse", "A low rate.", ["frames": 32])])

  struct Parameters: BitwiseCopyable { let frames: ParameterSignal }

  private let held: UnsafeMutablePointer<Float>
  private let count: Int
  private let first: Float
  private let readings: ReadingBoard
  private var age = 0

  init(_ preparation: Preparation) {
    count = preparation.channelCount
    first = Float(preparation.number("start") ?? 0)
    readings = preparation.readings
    held = .allocate(capacity: count)
    held.initialize(repeating: first, count: count)
  }

  deinit { held.deallocate() }

  static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(tail: .frames(64), memory: 4 * preparation.channelCount)
  }

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    let frames = block.parameterStorage.load(as: Parameters.self).frames
    for frame in 0..<block.frameCount {
      if age >= Int(frames[frame]) { age = 0 }
      for channel in 0..<block.outputCount {
        if age == 0 { held[channel] = block.inputs[channel][frame] }
        block.outputs[channel][frame] = held[channel]
      }
      age += 1
    }
    readings[0] = held[0]
  }

  @_noLocks
  mutating func reset() {
    for channel in 0..<count { held[channel] = first }
    age = 0
  }
}

/// A declaration with mistakes.
private struct Wrong: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "wrong", summary: "", parameters: [.gain("level", "The level.", 0...6, default: 9)])
  struct Parameters: BitwiseCopyable { let level: ParameterSignal }
  init(_ preparation: Preparation) {}
  @_noLocks mutating func render(_ block: RenderBlock) {}
  @_noLocks mutating func reset() {}
}

/// Parameters that do not fit the declaration.
private struct Misfit: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "misfit", summary: "", parameters: [.gain("a", "A."), .gain("b", "B.")])
  struct Parameters: BitwiseCopyable { let a: ParameterSignal }
  init(_ preparation: Preparation) {}
  @_noLocks mutating func render(_ block: RenderBlock) {}
  @_noLocks mutating func reset() {}
}

/// A unit with the name of a built-in one.
private struct Gain: UnitKernel, ~Copyable {
  static let spec = UnitSpec("gain", summary: "")
  init(_ preparation: Preparation) {}
  @_noLocks mutating func render(_ block: RenderBlock) {}
  @_noLocks mutating func reset() {}
}

/// A unit that refuses an option.
private struct Picky: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "picky", summary: "",
    options: [OptionSpec("size", "A power of two.", .integer(1...64), default: .number(8))])
  static func check(_ preparation: Preparation) throws(Failure) {
    let size = Int(preparation.number("size") ?? 0)
    guard size.nonzeroBitCount == 1 else {
      throw Failure("the size is a power of two, not \(size)")
    }
  }
  init(_ preparation: Preparation) throws(Failure) {}
  @_noLocks mutating func render(_ block: RenderBlock) { block.pass() }
  @_noLocks mutating func reset() {}
}

@Suite struct `A unit of one's own` {
  private func chain(_ node: String, _ units: UnitSet) -> Chain {
    Chain(json: "{ \"version\": 2, \"chain\": [ \(node) ] }", units: units)
  }

  private let ramp = (0..<64).map { Float($0 + 1) / 64 }

  @Test func `renders in a chain with its parameters, options, presets and readings`() throws {
    let renderer = try ChainRenderer(
      chain(#"{ "id": "h", "unit": "hold", "parameters": { "frames": 4 } }"#, [Hold.self]),
      channels: 1)
    let output = try renderer.render([ramp])[0]
    #expect(output == (0..<64).map { ramp[$0 / 4 * 4] })
    #expect(renderer.reading("held", of: "h") == [ramp[60]])
    let coarse = try ChainRenderer(
      chain(#"{ "unit": "hold", "preset": "coarse" }"#, [Hold.self]), channels: 1)
    #expect(try coarse.render([ramp])[0] == (0..<64).map { ramp[$0 / 32 * 32] })
  }

  @Test func `changes its parameter while it renders`() throws {
    let renderer = try ChainRenderer(
      chain(#"{ "id": "h", "unit": "hold", "parameters": { "frames": 1 } }"#, [Hold.self]),
      channels: 1)
    _ = try renderer.render([ramp])
    try renderer.set("h.frames", to: 16)
    #expect(Set(try renderer.render([ramp])[0]).count == 4)
    #expect(throws: ChainFailure.self) { try renderer.set("h.frames", to: 65) }
  }

  @Test func `is mixed and bypassed as any other`() throws {
    let renderer = try ChainRenderer(
      chain(#"{ "unit": "hold", "parameters": { "frames": 64 }, "wet": 0.5 }"#, [Hold.self]),
      channels: 1)
    #expect(try renderer.render([ramp])[0] == ramp.map { 0.5 * $0 + 0.5 * ramp[0] })
  }

  @Test func `gives the same bits for every split into blocks`() throws {
    let text = #"{ "unit": "hold", "parameters": { "frames": 7 } }"#
    let whole = try ChainRenderer(chain(text, [Hold.self]), channels: 1).render([ramp])
    let pieces = try ChainRenderer(chain(text, [Hold.self]), channels: 1, blockSize: 5)
    #expect(try pieces.render([ramp]) == whole)
  }

  private static let mistakes: [(node: String, units: UnitSet, words: String)] = [
    (#"{ "unit": "hold" }"#, UnitSet(), "there is no unit 'hold'"),
    (#"{ "unit": "hold", "parameters": { "frames": 100 } }"#, [Hold.self], "100"),
    (#"{ "unit": "hold", "parameters": { "frame": 10 } }"#, [Hold.self], "'frame'"),
    (#"{ "unit": "wrong" }"#, [Wrong.self], "the default of 'level', 9.0, is outside its range"),
    (#"{ "unit": "misfit" }"#, [Misfit.self], "a ParameterSignal for each of the 2 parameters"),
    (#"{ "unit": "gain" }"#, [Gain.self], "another unit has this name"),
    (#"{ "unit": "picky", "size": 6 }"#, [Picky.self], "the size is a power of two, not 6"),
  ]

  @Test(arguments: mistakes.indices)
  func `reports mistakes at their place`(_ index: Int) throws {
    let (node, units, words) = Self.mistakes[index]
    let found = chain(node, units).check().filter { $0.severity == .error }
    #expect(found.count == 1)
    #expect(found.first?.message.contains(words) == true, "\(found)")
    #expect(found.first?.line == 1)
  }

  @Test func `stays known when a chain is loaded again from its units`() throws {
    let chain = chain(#"{ "unit": "hold" }"#, [Hold.self])
    #expect(chain.units.names == ["hold"])
    #expect((chain.units + [Hold.self]).names == ["hold"])
  }
}

@Suite struct `A node of the program` {
  private func chain(_ unit: String, _ node: any ProgramNode) -> Chain {
    Chain(
      json: """
        { "version": 2, "tail": "none",
          "nodes": { "own": { "unit": "\(unit)" }, "in": { "source": "main" }, "mix": { "unit": "mixer" },
            "out": { "sink": "main" } },
          "connections": ["own -> mix", "in -> mix", "mix -> out"] }
        """, units: UnitSet(node))
  }

  @Test func `makes sound on the render thread`() throws {
    let counter = Counter()
    let source = SourceNode("counter", channels: 1) { block in
      for frame in 0..<block.frameCount { block.output(0)[frame] = counter.next() }
    }
    let renderer = try ChainRenderer(chain("counter", source), channels: 1, blockSize: 16)
    let output = try renderer.render([[Float](repeating: 0, count: 64)])
    #expect(output[0] == (1...64).map { Float($0) / 64 })
  }

  @Test func `receives sound on the render thread`() throws {
    let counter = Counter()
    let sink = SinkNode("tap") { block in
      for sample in block.input(0) { counter.sum += sample }
    }
    let chain = Chain(
      json: #"{ "version": 2, "tail": "none", "chain": [ { "unit": "tap" } ] }"#,
      units: UnitSet(sink))
    let output = try ChainRenderer(chain, channels: 1).render([[0.25, 0.5, 0.125]])
    #expect(counter.sum == 0.875)
    #expect(output == [[0.25, 0.5, 0.125]])
  }

  @Test func `plays what was pushed, once its latency waits`() throws {
    let push = try PushNode("push", SampleFormat(channels: 1), latency: .milliseconds(1))
    #expect(push.latencyFrames == 48)
    let renderer = try ChainRenderer(chain("push", push), channels: 1, blockSize: 16)
    let silence = [[Float](repeating: 0, count: 16)]
    #expect(try push.push([(1...47).map { Float($0) }]) == 47)
    #expect(try renderer.render(silence)[0].allSatisfy { $0 == 0 })
    #expect(try push.push([[48]]) == 1)
    #expect(try renderer.render(silence)[0] == (1...16).map { Float($0) })
    #expect(try renderer.render(silence)[0] == (17...32).map { Float($0) })
    #expect(try renderer.render(silence)[0] == (33...48).map { Float($0) })
    #expect(push.starvedFrames == 0)
    #expect(try renderer.render(silence)[0].allSatisfy { $0 == 0 })
    #expect(push.starvedFrames == 16)
  }

  @Test(arguments: [1, 16, 40, 64, 512]) func `plays less than its latency after this time`(
    blockSize: Int
  ) throws {
    let push = try PushNode("push", SampleFormat(channels: 1), latency: .milliseconds(2))
    let renderer = try ChainRenderer(chain("push", push), channels: 1, blockSize: blockSize)
    for _ in 0..<2 {
      try push.push([[1, 2, 3]])
      let output = try renderer.render([[Float](repeating: 0, count: 1024)])[0]
      #expect(output.firstIndex(of: 1) == 96)
      #expect(output[96..<99] == [1, 2, 3])
      #expect(output.filter { $0 != 0 }.count == 3)
    }
  }

  @Test func `keeps every node of the program, also those that only it holds`() {
    var units: UnitSet = []
    for number in 0..<20 { units.insert(SourceNode("s\(number)") { $0.silence() }) }
    #expect(units.names == (0..<20).map { "s\($0)" })
  }

  @Test(arguments: [("own", -1), ("own", 0), ("own", 257), ("no name", 1), ("", 1), ("a:b", 1)])
  func `refuses a source with an impossible name or number of channels`(
    name: String, channels: Int
  ) throws {
    let source = SourceNode(name, channels: channels) { $0.silence() }
    let found = Chain(
      ChainGraph {
        source
        Output()
      }
    ).check()
    #expect(found.contains { $0.severity == .error })
  }

  @Test func `takes no more than its capacity`() throws {
    let push = try PushNode("push", SampleFormat(channels: 2), latency: .zero, capacity: 100)
    let block = [[Float](repeating: 1, count: 80), [Float](repeating: 2, count: 80)]
    #expect(try push.push(block) == 80)
    #expect(try push.push(block) == 20)
    #expect(try push.push(block) == 0)
    #expect(push.waitingFrames == 100)
  }

  @Test func `refuses formats and buffers that do not fit`() throws {
    #expect(throws: ChainFailure.self) { try PushNode("a", SampleFormat(channels: 0)) }
    #expect(throws: ChainFailure.self) {
      try PushNode("a", SampleFormat(), latency: .seconds(11))
    }
    #expect(throws: ChainFailure.self) { try PushNode("a", SampleFormat(), capacity: 3) }
    let push = try PushNode("push", SampleFormat(channels: 2))
    #expect(throws: ChainFailure.self) { try push.push([[1]]) }
    #expect(throws: ChainFailure.self) { try push.push([[1], [1, 2]]) }
    let other = try PushNode("push", SampleFormat(sampleRate: 44100, channels: 1))
    #expect(throws: ChainFailure.self) { try ChainRenderer(chain("push", other), channels: 1) }
  }

  @Test func `renders in one node at a time`() throws {
    let source = SourceNode("own", channels: 1) { $0.silence() }
    let chain = chain("own", source)
    var renderer: ChainRenderer? = try ChainRenderer(chain, channels: 1)
    #expect(throws: ChainFailure.self) { try ChainRenderer(chain, channels: 1) }
    _ = try renderer?.render([[0]])
    renderer = nil
    _ = try ChainRenderer(chain, channels: 1)
  }
}

private final class Counter: @unchecked Sendable {
  // Sendable: one renderer uses it.
  private var count: Float = 0
  var sum: Float = 0

  func next() -> Float {
    count += 1
    return count / 64
  }
}
