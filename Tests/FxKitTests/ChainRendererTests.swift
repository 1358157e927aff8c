import FxAudio
import FxChain
@testable import FxKit
import Testing

@Suite struct ChainRendererTests {
  private let input = [noise(3000), noise(3000, seed: 2)]

  private static let moving = Chain(
    json: """
      { "version": 1, "tail": "none",
        "chain": [
          { "unit": "highPass" }, { "id": "comp", "unit": "compressor", "lookahead": "3 ms" },
          { "unit": "delay", "parameters": { "time": "9 ms" } }, { "unit": "limiter" } ],
        "automation": [
          { "parameter": "comp.threshold", "points": [[0, -10], ["50 ms", -30, "linear"]] } ] }
      """)

  @Test func `a sound renders the same as a whole, in blocks and in pieces of any size`() throws {
    let whole = try ChainRenderer(Self.moving).render(input)
    #expect(whole[0].contains { abs($0) > 0.01 })
    for sizes in [[256], [1], [64, 1, 700, 3], [3000], [255, 257]] {
      let renderer = try ChainRenderer(Self.moving)
      var pieces: [[Float]] = [[], []]
      var (frame, turn) = (0, 0)
      while frame < 3000 {
        let count = min(sizes[turn % sizes.count], 3000 - frame)
        let piece = try renderer.render(slice(input, frame..<frame + count))
        for channel in 0..<2 { pieces[channel] += piece[channel] }
        frame += count
        turn += 1
      }
      #expect(pieces == whole, "pieces of \(sizes)")
    }
    for size in [1, 100, 4096] {
      #expect(try ChainRenderer(Self.moving, blockSize: size).render(input) == whole)
    }
  }

  @Test func `a chain with a source or sink of its own is refused`() throws {
    let gain = #"{ "unit": "gain" }"#
    for (chain, name) in [
      (
        list(#"{ "id": "tone", "source": { "signal": "tone" } }, "# + gain),
        "source of its own, 'tone'"
      ),
      (list(gain + #", { "id": "file", "sink": "out.wav" }"#), "sink of its own, 'file'"),
    ] {
      let failure = failure { _ = try ChainRenderer(chain) }
      #expect(failure?.code == "not-buffers")
      #expect(failure?.message.contains(name) == true)
    }
  }

  @Test func `a unit that changes the channel count has no dry signal`() throws {
    let renderer = try ChainRenderer(
      list(#"{ "unit": "downmix", "channels": 1 }, { "unit": "gain" }"#))
    #expect(renderer.outputChannelCount == 1)
    let output = try renderer.render([input[0], input[0]])
    #expect(zip(output[0], input[0]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `rendering block by block keeps the reported latency`() throws {
    let renderer = try ChainRenderer(list(#"{ "unit": "limiter" }"#))
    #expect(renderer.latency == 58)
    #expect((renderer.sampleRate, renderer.blockSize) == (48000, 256))
    #expect((renderer.inputChannelCount, renderer.outputChannelCount) == (2, 2))
    var impulse = [[Float]](repeating: [Float](repeating: 0, count: 1000), count: 2)
    impulse[0][10] = 0.25
    let output = try renderer.render(impulse)
    #expect(output[0].firstIndex { $0 != 0 } == 68)
    #expect(output[1].allSatisfy { $0 == 0 })
  }

  @Test func `rendering as a whole removes latency and adds the tail`() throws {
    var impulse = [[Float]](repeating: [Float](repeating: 0, count: 1000), count: 1)
    impulse[0][10] = 0.25
    let limited = try ChainRenderer(list(#"{ "unit": "limiter" }"#), channels: 1)
      .renderWhole(impulse)
    #expect(limited == impulse)

    let echo = #"{ "unit": "delay", "wet": 1, "parameters": { "time": "100 ms", "feedback": 0 } }"#
    let long = try ChainRenderer(list(echo, tail: #""0.1 s""#), channels: 1).renderWhole(impulse)
    #expect(long[0].count == 1000 + 4800)
    #expect(
      long[0].indices.max { abs(long[0][$0]) < abs(long[0][$1]) }.map { abs($0 - 4810) < 30 }
        == true)

    let declared = try ChainRenderer(
      Chain(json: #"{ "version": 1, "chain": [\#(echo)] }"#), channels: 1
    ).renderWhole(impulse)
    #expect(declared[0].count >= 1000 + 4800)
    #expect(Array(declared[0].prefix(5000)) == Array(long[0].prefix(5000)))
  }

  @Test func `a loop's tail ends when it is silent`() throws {
    let chain = Chain(
      json: """
        { "version": 1,
          "nodes": {
            "in": { "source": "main" }, "mix": { "unit": "gain" }, "out": { "sink": "main" } },
          "connections": ["in -> mix -> out",
            { "from": "mix", "to": "mix", "feedback": true, "delay": "10 ms", "gain": "-20 dB" }] }
        """)
    let renderer = try ChainRenderer(chain, sampleRate: 8000, channels: 1)
    let output = try renderer.renderWhole([[1] + [Float](repeating: 0, count: 9)])
    #expect(output[0].count == 4 * 80 + 1)
    #expect(abs(output[0][320] - 1e-4) < 1e-7)
  }

  @Test func `an empty input gives the tail alone`() throws {
    let renderer = try ChainRenderer(list("", tail: "0.01"), channels: 1)
    #expect(try renderer.renderWhole([[]]) == [[Float](repeating: 0, count: 480)])
    #expect(try renderer.render([[]]) == [[]])
  }

  @Test func `a parameter moves to its new value without a jump`() throws {
    let renderer = try ChainRenderer(list(#"{ "id": "g", "unit": "gain" }"#), channels: 1)
    let ones = [[Float](repeating: 1, count: 4800)]
    #expect(try renderer.render(ones) == ones)
    try renderer.set("g.gain", to: -20)
    let ramp = try renderer.render(ones)[0]
    #expect(ramp[0] > 0.9)
    #expect(abs(ramp[4799] - 0.1) < 1e-4)
    #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.02 })
    try renderer.set("g.gain", to: "-6 dB")
    #expect(abs(try renderer.render(ones)[0][4799] - 0.501187) < 1e-4)
    try renderer.set("g.invert", to: "true")
    #expect(abs(try renderer.render(ones)[0][4799] + 0.501187) < 1e-4)
    try renderer.set("g.wet", to: "0 %")
    #expect(abs(try renderer.render(ones)[0][4799] - 1) < 1e-4)
  }

  @Test(arguments: [
    ("nobody.gain", "0", "unknown-node"), ("g.level", "0", "unknown-parameter"),
    ("g.gain", "99", "out-of-range"), ("g.gain", "3 Hz", "wrong-unit"), ("g.gain", "loud", nil),
    ("g", "0", nil), ("", "0", nil), ("g.gain", "", nil), ("g.gain", "nan", nil),
  ])
  func `a wrong setting is reported and changes nothing`(
    _ parameter: String, _ value: String, _ code: String?
  ) throws {
    let renderer = try ChainRenderer(list(#"{ "id": "g", "unit": "gain" }"#), channels: 1)
    let failed = failure { try renderer.set(parameter, to: value) }
    #expect(failed?.kind == .request)
    if let code { #expect(failed?.code == code) }
    #expect(failed?.message.hasPrefix("\(parameter): ") == true)
    #expect(try renderer.render([[1, 1]]) == [[1, 1]])
  }

  @Test(arguments: [Double.nan, .infinity, 48.5, 1e300])
  func `a number that is out of range is refused`(_ value: Double) throws {
    let renderer = try ChainRenderer(list(#"{ "id": "g", "unit": "gain" }"#), channels: 1)
    #expect(failure { try renderer.set("g.gain", to: value) }?.kind == .request)
  }

  @Test func `changes that do not fit into the queue are refused`() throws {
    let renderer = try ChainRenderer(list(#"{ "id": "g", "unit": "gain" }"#), channels: 1)
    var refused: ChainFailure?
    for turn in 0..<100_000 where refused == nil {
      refused = failure { try renderer.set("g.gain", to: Double(turn % 2)) }
    }
    #expect(refused?.message.contains("render a block first") == true)
    _ = try renderer.render([[0]])
    #expect(failure { try renderer.set("g.gain", to: -6) } == nil)
  }

  @Test func `readings have the values of meters and compressors`() throws {
    let renderer = try ChainRenderer(
      list(
        """
        { "unit": "meter" },
        { "id": "comp", "unit": "compressor",
          "parameters": { "threshold": -20, "ratio": 4, "knee": 0, "attack": "0.1 ms" } }
        """))
    let level = [[Float](repeating: 0.5, count: 9600), [Float](repeating: 0.25, count: 9600)]
    _ = try renderer.render(level)
    let peak = try #require(renderer.reading("peak", of: "meter"))
    #expect(peak.count == 2)
    #expect(abs(peak[0] + 6.0206) < 0.01)
    #expect(abs(peak[1] + 12.0412) < 0.01)
    let reduction = try #require(renderer.reading("gainReduction", of: "comp"))
    #expect(reduction.count == 1)
    // At 4:1, 13.98 dB above the threshold become a quarter of that.
    #expect(abs(abs(reduction[0]) - 10.485) < 0.1)
    #expect(renderer.reading("gainReduction", of: "meter") == nil)
    #expect(renderer.reading("peak", of: "nobody") == nil)
  }

  private let crossed = Chain(
    json: """
      { "version": 2, "tail": "none",
        "nodes": { "a": { "source": "main" }, "b": { "source": "voice" },
          "half": { "unit": "gain", "parameters": { "gain": "-6.0206 dB" } },
          "loud": { "sink": "main" }, "soft": { "sink": "soft" } },
        "connections": ["a -> loud", "b -> loud", "b -> half -> soft"] }
      """)

  @Test func `renders several inputs into several outputs`() throws {
    let renderer = try ChainRenderer(crossed, channels: 1)
    #expect(renderer.inputs.map(\.name) == ["main", "voice"])
    #expect(renderer.outputs.map(\.name) == ["main", "soft"])
    #expect(renderer.inputChannelCount == 2 && renderer.outputChannelCount == 2)
    let output = try renderer.render([[0.5, 0.25], [0.125, 0]])
    #expect(output[0] == [0.625, 0.25])
    #expect(abs(output[1][0] - 0.0625) < 1e-6 && output[1][1] == 0)
  }

  @Test func `renders from memory into memory, in place too`() throws {
    let sound = [
      (0..<1000).map { Float($0) / 1000 }, (0..<1000).map { Float(1000 - $0) / 1000 },
    ]
    let expected = try ChainRenderer(crossed, channels: 1, blockSize: 64).render(sound)
    let renderer = try ChainRenderer(crossed, channels: 1, blockSize: 64)
    let memory = PlanarBuffer(channelCount: 2, frameCount: 1000)
    for channel in 0..<2 {
      for frame in 0..<1000 { memory[channel][frame] = sound[channel][frame] }
    }
    renderer.render(
      1000, from: UnsafeRawPointer(memory.channels).assumingMemoryBound(to: UnsafePointer.self),
      into: memory.channels)
    for channel in 0..<2 {
      #expect(
        Array(UnsafeBufferPointer(start: memory[channel], count: 1000)) == expected[channel])
    }
    renderer.attend()
    #expect(renderer.events.isEmpty)
  }

  @Test func `refuses buffers of another shape`() throws {
    let renderer = try ChainRenderer(crossed, channels: 1)
    for wrong: [[Float]] in [[], [[0]], [[0], [0, 0]], [[0], [0], [0]]] {
      #expect(throws: ChainFailure.self) { try renderer.render(wrong) }
      #expect(throws: ChainFailure.self) { try renderer.renderWhole(wrong) }
    }
    #expect(try renderer.render([[], []]) == [[], []])
  }

  @Test func `impossible stream formats are refused`() {
    for (rate, channels, block) in [
      (0, 2, 256), (-1, 2, 256), (.nan, 2, 256), (.infinity, 2, 256), (48000, 0, 256),
      (48000, 100_000, 256), (48000, 2, 0), (48000, 2, -5),
    ] as [(Double, Int, Int)] {
      let failed = failure {
        _ = try ChainRenderer(list(""), sampleRate: rate, channels: channels, blockSize: block)
      }
      #expect(failed?.code == "out-of-range", "\(rate) \(channels) \(block)")
    }
  }

  @Test func `a chain with mistakes throws all of them`() {
    let failed = failure {
      _ = try ChainRenderer(list(#"{ "unit": "gian" }, { "unit": "limitr" }"#))
    }
    #expect(failed?.kind == .chain)
    #expect(failed?.diagnostics.count == 2)
  }
}
