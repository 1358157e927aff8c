import FxAudio
@testable import FxChain
import FxEngine
import Testing

@Suite struct ModulationTests {
  private static let wah = """
    { "id": "follow", "unit": "envelope" }, { "id": "tone", "unit": "highPass" },
    { "unit": "gain" }
    """

  private func unit(_ id: String, in chain: BuiltChain) throws -> UnitConfiguration {
    let node = try #require(chain.graph.nodes.first { $0.id == id })
    guard case .unit(let unit) = node.content else { throw Failure(.usage, "no unit") }
    return unit
  }

  @Test func `a modulator in a list reads the node before it and is not in the signal path`()
    throws
  {
    let (chain, diagnostics) = build(
      list(
        Self.wah,
        "\"modulation\": [{ \"from\": \"follow\", \"to\": \"tone.frequency\", \"depth\": \"3 oct\" }]"
      ))
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(
      built.arrows == [
        "input -> follow", "input -> tone", "tone -> gain", "gain -> output",
        "follow -> tone:1",
      ])
    #expect(built.value("tone.frequency.follow") == 3)
    let tone = try unit("tone", in: built)
    #expect(
      tone.modulations == [
        Modulation(slot: 0, depthSlot: 4, scale: .octaves, range: 0...1, isBipolar: false)
      ])
    #expect(tone.parameters[tone.slots.wet].path == "wet")
    #expect(tone.parameters[4].spec.measure == .octaves)
  }

  @Test func `a connection to a parameter is a modulation`() throws {
    let (chain, diagnostics) = build(
      """
      { "version": 1, "nodes": { "in": { "source": "main" }, "lfo": { "unit": "lfo" },
        "gain": { "unit": "gain" }, "out": { "sink": "main" } },
        "connections": [ "in -> gain -> out", "lfo -> gain.gain",
          { "from": "lfo", "to": "gain.wet", "depth": "-25 %", "polarity": "unipolar", "id": "mix",
            "curve": "smooth", "range": [-0.5, 0.5] } ] }
      """)
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    let gain = try unit("gain", in: built)
    #expect(
      gain.modulations == [
        Modulation(slot: 0, depthSlot: 3, scale: .decibels, range: -1...1, isBipolar: true),
        Modulation(
          slot: 1, depthSlot: 4, scale: .linear, curve: .smooth, range: -0.5...0.5,
          isBipolar: false),
      ])
    #expect(built.value("gain.gain.lfo") == 30)
    #expect(built.value("gain.wet.mix") == -0.25)
    #expect(built.graph.nodes.first { $0.id == "gain" }?.keepsDry == true)
  }

  @Test(arguments: [
    ("highPass", "frequency", "2 oct", Modulation.Scale.octaves, 2.0),
    ("highPass", "frequency", "50 ct", .octaves, 0.5 / 12),
    ("highPass", "frequency", "300 Hz", .linear, 300),
    ("compressor", "threshold", "-12 dB", .linear, -12),
    ("compressor", "threshold", "50 %", .linear, 40),
    ("compressor", "attack", "20 ms", .linear, 0.02),
    ("delay", "time", "1 st", .octaves, 1.0 / 12),
    ("gain", "gain", "6 dB", .decibels, 6),
    ("reverb", "voices", "3", .linear, 3),
  ])
  func `a depth keeps the unit of measure that it is written in`(
    _ kind: String, _ parameter: String, _ depth: String, _ scale: Modulation.Scale, _ value: Double
  ) throws {
    let (chain, diagnostics) = build(
      list(
        "{ \"unit\": \"lfo\" }, { \"id\": \"x\", \"unit\": \"\(kind)\" }",
        modulation("lfo", "x.\(parameter)", "\"depth\": \"\(depth)\"")))
    #expect(diagnostics.isEmpty)
    let unit = try unit("x", in: #require(chain))
    #expect(unit.modulations.map(\.scale) == [scale])
    #expect(abs(unit.values[unit.modulations[0].depthSlot] - value) < 1e-12)
  }

  @Test func `a depth is automated, mapped to MIDI, put into scenes and set like any parameter`()
    throws
  {
    let (chain, diagnostics) = build(
      list(
        Self.wah,
        """
        "modulation": [{ "from": "follow:level", "to": "tone.frequency", "depth": "3 oct", "id": "wah" },
          { "from": "follow", "to": "tone.frequency" }],
        "automation": [{ "parameter": "tone.frequency.follow", "points": [["0:01", "1 oct"]] }],
        "midi": [{ "cc": 1, "parameter": "tone.frequency.wah", "range": ["0 oct", "4 oct"] }],
        "expose": { "wah": "tone.frequency.wah" }, "scenes": { "off": { "parameters": { "wah": 0 } } }
        """), ChainEnvironment(overrides: [ParameterSetting("tone.frequency.wah", "-1 oct")])
    )
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(built.value("tone.frequency.wah") == -1)
    #expect(try unit("tone", in: built).automation.map(\.slot) == [5])
    #expect(built.controls.count == 1)
    #expect(try built.parameter("wah").slot == 4)
  }

  @Test func `two modulations with the same name need different names`() {
    let (_, diagnostics) = build(
      list(
        Self.wah,
        """
        "modulation": [{ "from": "follow", "to": "tone.frequency" },
          { "from": "follow:level", "to": "tone.frequency" }]
        """))
    #expect(diagnostics.codes == [.duplicateName])
  }

  @Test func `a plugin's reading becomes an output when it is connected`() throws {
    let (chain, diagnostics) = build(
      list(
        "{ \"id\": \"amp\", \"lv2\": \"http://example.org/mono#amp\" }, { \"unit\": \"gain\" }",
        modulation("amp:loudness", "gain.gain", "\"depth\": \"-6 dB\"")))
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(try unit("amp", in: built).controlReadings == [1])
    let amp = try #require(built.graph.nodes.first { $0.id == "amp" })
    #expect(amp.outputs.map(\.name) == ["out", "loudness"])
    #expect(amp.outputs[1].controlRange == -60...0)
    #expect(try unit("gain", in: built).modulations[0].isBipolar == false)
  }
}
