import FxTestSupport
import Testing

/// The length of rendered files, and the compensation of latency in them.
@Suite struct LengthTests {
  private let folder = Folder()

  private func render(
    _ chain: String, _ sound: Sound, _ options: String...
  ) throws -> Sound {
    try folder.write("chain.json", chain)
    try folder.write("in.wav", sound)
    let outcome = try Program.run(
      ["chain.json", "in.wav", "-o", "out.wav", "--bits", "32"] + options, in: folder.path,
      environment: TestPlugins.environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    return try folder.sound("out.wav")
  }

  private func list(_ nodes: String, tail: String = #""none""#) -> String {
    #"{ "version": 1, "chain": [\#(nodes)], "tail": \#(tail) }"#
  }

  @Test(arguments: [
    #"{ "unit": "limiter" }"#,
    #"{ "unit": "limiter", "lookahead": "20 ms" }"#,
    #"{ "unit": "compressor", "lookahead": "10 ms" }, { "unit": "limiter" }"#,
    #"{ "lv2": "urn:fxrun:saturator:stereo", "parameters": { "mix": 0 } }"#,
    #"{ "lv2": "urn:fxrun:saturator:mono", "parameters": { "drive": 0, "mix": 0 } }"#,
    #"{ "lv2": "urn:fxrun:test:latent", "parameters": { "length": 1000 } }"#,
    #"{ "lv2": "urn:fxrun:saturator:mono", "parameters": { "mix": 0 } }, { "unit": "limiter" }"#,
    #"{ "unit": "limiter", "bypass": true }"#,
  ])
  func `an impulse stays at its frame, whatever the latency of the units`(
    _ nodes: String
  ) throws {
    let sound = Sound(
      [Signal.impulse(3001), Signal.impulse(3001, at: 1500)].map { $0.map { $0 / 4 } })
    let rendered = try render(list(nodes), sound)
    #expect(rendered.channels.map(\.count) == [3001, 3001])
    #expect(rendered.channels[0].firstIndex { abs($0) > 0.2 } == 0)
    #expect(rendered.channels[1].firstIndex { abs($0) > 0.2 } == 1500)
    #expect(
      rendered.channels.allSatisfy { $0.allSatisfy { abs($0) < 0.2 || abs($0 - 0.25) < 1e-3 } })
  }

  @Test(arguments: [
    #"{ "unit": "limiter", "parameters": { "ceiling": "0 dB" } }"#,
    #"{ "lv2": "urn:fxrun:test:latent", "parameters": { "length": 333 } }"#,
    #"{ "lv2": "urn:fxrun:saturator:stereo", "parameters": { "mix": 0 } }"#,
    #"{ "unit": "compressor", "lookahead": "7 ms", "parameters": { "threshold": "0 dB", "knee": 0 } }"#,
    #"{ "unit": "limiter", "lookahead": "20 ms", "wet": "50 %" }"#,
  ])
  func `a branch with latency and an inverted dry branch cancel each other`(
    _ node: String
  ) throws {
    let chain = """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "late": \(node),
          "dry": { "unit": "gain", "parameters": { "invert": true } },
          "out": { "sink": "main" } },
        "connections": ["in -> late -> out", "in -> dry -> out"] }
      """
    let noise = Sound([Signal.noise(5000), Signal.noise(5000, seed: 2)])
    let rendered = try render(chain, noise)
    #expect(rendered.frameCount == 5000)
    let residue = rendered.channels.joined().map { abs($0) }.max() ?? 1
    #expect(residue == 0, "\(node) leaves \(residue)")
  }

  @Test func `branches with different latencies are aligned in their sum`() throws {
    let chain = """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "a": { "unit": "limiter", "lookahead": "2 ms" },
          "b": { "unit": "limiter", "lookahead": "9 ms" }, "out": { "sink": "main" } },
        "connections": ["in -> a -> out", "in -> b -> out"] }
      """
    let rendered = try render(chain, Sound([Signal.impulse(2000, at: 7).map { $0 / 4 }]))
    #expect(rendered.channels == [Signal.impulse(2000, at: 7).map { $0 / 2 }])
  }

  @Test(arguments: [
    (#""none""#, 1000), ("0.1", 1000 + 4410), (#""50 ms""#, 1000 + 2205), (#""300 frames""#, 1300),
  ])
  func `a tail is as long as the chain says`(_ tail: String, _ frames: Int) throws {
    let chain = list(#"{ "unit": "delay", "parameters": { "time": "20 ms" } }"#, tail: tail)
    #expect(try render(chain, Sound([Signal.noise(1000)])).frameCount == frames)
  }

  @Test func `without a setting the tail is as long as the units declare`() throws {
    let straight = #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#
    let sound = Sound([Signal.noise(1000), Signal.noise(1000)])
    #expect(try render(straight, sound).frameCount == 1000)
    let chain =
      #"{ "version": 1, "chain": [{ "unit": "delay", "wet": 1, "parameters": {"time": "0.1 s", "feedback": 0.5 } }] }"#
    let rendered = try render(chain, sound)
    #expect(rendered.frameCount > 1000 + 4 * 4410)
    #expect(rendered.frameCount < 1000 + 40 * 4410)
    // The end of the file is below the level at which a tail is cut.
    #expect(rendered.channels.allSatisfy { $0.suffix(441).allSatisfy { abs($0) < 1e-3 } })
  }

  @Test func `the tail of a plugin lasts until it is silent`() throws {
    // The plugin declares no tail; its delay line holds the end of the sound.
    let chain = """
      { "version": 1, "chain": [
        { "lv2": "urn:fxrun:test:latent", "latency": 0, "parameters": { "length": 900 } } ] }
      """
    let rendered = try render(chain, Sound([Signal.constant(0.5, 1000)]))
    #expect(rendered.frameCount == 1900)
    #expect(rendered.channels[0][1899] == 0.5)
  }

  @Test func `a loop's tail lasts until it is silent`() throws {
    let chain = """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "mix": { "unit": "gain" }, "out": { "sink": "main" } },
        "connections": ["in -> mix -> out",
          { "from": "mix", "to": "mix", "feedback": true, "delay": "100 ms", "gain": "-20 dB" }] }
      """
    let rendered = try render(chain, Sound([Signal.impulse(100)]))
    // Echoes at -20, -40, -60 and -80 dB are in the file, the one at -100 dB is not.
    #expect(rendered.frameCount == 4 * 4410 + 1)
  }

  @Test(arguments: [
    #"{ "lv2": "urn:fxrun:saturator:mono", "parameters": { "mix": 0 } },"#, "",
  ])
  func `a late echo is not cut, with or without a plugin before the delay`(_ plugin: String) throws
  {
    let echo =
      #"{ "unit": "delay", "wet": 0.5, "parameters": { "time": "750 ms", "feedback": 0 } }"#
    let rendered = try render(
      list("\(plugin) \(echo)", tail: #""auto""#), Sound([Signal.impulse(441)]))
    #expect(rendered.channels[0].count > 33075)
    #expect(rendered.channels[0].suffix(from: 1000).contains { abs($0) > 0.1 })
  }

  @Test func `a slow loop is rendered until it is silent`() throws {
    let rendered = try render(
      """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" },
          "mix": { "unit": "mixer", "channels": 1, "strips": { "in": {}, "level": {} } },
          "level": { "unit": "gain", "parameters": { "gain": "-30 dB" } },
          "out": { "sink": "main" } },
        "connections": [
          "in -> mix", "mix -> level", "mix -> out",
          { "from": "level", "to": "mix", "feedback": true, "delay": "900 ms" } ] }
      """, Sound([Signal.impulse(441)]))
    // Echoes at -30, -60 and -90 dB.
    #expect(abs(rendered.channels[0].count - 3 * 39690) < 39690)
    #expect(abs(rendered.channels[0][39690]) > 0.03)
    #expect(abs(rendered.channels[0][2 * 39690]) > 0.0009)
  }
}
