import FxAudio
@testable import FxLV2
import Testing

@Suite struct SpecTests {
  private func parameter(_ id: String) throws -> ParameterSpec {
    try #require(try fixture("zoo").spec.parameters.first { $0.id == id })
  }

  @Test func `a plugin's spec says how it may be rendered`() throws {
    let spec = try fixture("gain").spec
    #expect(!spec.rendersInPlace)
    #expect(!spec.readsParametersPerFrame)
    #expect(spec.inputs == [InputBusSpec("in", width: .exactly(1), channelNames: ["in"])])
    #expect(spec.outputs == [OutputBusSpec("out", width: .exactly(1), channelNames: ["out"])])
  }

  @Test func `a declared side-chain is an optional bus of its own`() throws {
    let spec = try fixture("ports").spec
    #expect(
      spec.inputs == [
        InputBusSpec("in", width: .exactly(2), channelNames: ["in_left", "in_right"]),
        InputBusSpec("sidechain", width: .exactly(1), isOptional: true, channelNames: ["aux"]),
        InputBusSpec("voltage", width: .exactly(1), isOptional: true, isControl: true),
      ])
    #expect(spec.outputs.first?.channelNames == ["out_left", "out_right"])
  }

  @Test(arguments: ["sidechain", "Side-Chain L", "sc_l", "in_sc", "Key", "SC Input"])
  func `an input named like a side-chain is a side-chain`(_ name: String) {
    #expect(LV2SideChains.isSideChain(name))
  }

  @Test(arguments: ["in", "In L", "scope", "keyboard", "monkey", "input_2", "disc", "escape"])
  func `an input with another name is not a side-chain`(_ name: String) {
    #expect(!LV2SideChains.isSideChain(name))
  }

  @Test func `inputs are main inputs if all of them would be side-chains`() {
    var port = LV2Port(
      index: 0, symbol: "key", name: "Key", kind: .audio, isInput: true, isOptional: false)
    port.isSideChain = true
    #expect(LV2SideChains.marked([port]).map(\.isSideChain) == [false])
  }

  @Test func `ports that fxrun drives itself are not parameters`() throws {
    let spec = try fixture("ports").spec
    // Except for the control voltage, which is one while nothing feeds it.
    #expect(spec.parameters.map(\.id) == ["voltage"])
    #expect(spec.readings.map(\.id) == ["faults", "state"])
    #expect(try fixture("latent").spec.readings == [])
  }

  @Test func `a port in milliseconds is a parameter in seconds`() throws {
    let time = try parameter("time")
    #expect(time.measure == .seconds)
    #expect(time.range == 0.001...2)
    #expect(time.defaultValue == 0.25)
    #expect(time.smoothing == .ramp(seconds: 0.02))
  }

  @Test
  func `a port in percent is a ratio, one in kilohertz is in hertz, one in cents in semitones`()
    throws
  {
    let amount = try parameter("amount")
    #expect(amount.measure == .ratio && amount.range == 0...1 && amount.defaultValue == 0.5)
    let tone = try parameter("tone")
    #expect(tone.measure == .hertz && tone.defaultValue == 1000)
    #expect(abs(tone.range.lowerBound - 20) < 1e-4 && abs(tone.range.upperBound - 20000) < 1e-2)
    let pitch = try parameter("pitch")
    #expect(pitch.measure == .semitones && pitch.range == -12...12)
  }

  @Test func `scale points are choices, and the only ones of an enumeration`() throws {
    let algorithm = try parameter("algorithm")
    #expect(algorithm.choices == [.init("Room", 0), .init("Plate", 1), .init("Hall", 2)])
    #expect(algorithm.choicesAreExclusive)
    #expect(algorithm.defaultValue == 2)
    #expect(algorithm.smoothing == .none)
    let hint = try parameter("hint")
    #expect(hint.choices == [.init("Half", 0.5)])
    #expect(!hint.choicesAreExclusive)
  }

  @Test func `toggles and whole numbers are recognized and change at once`() throws {
    let soft = try parameter("soft")
    #expect(soft.isToggle && soft.defaultValue == 1 && soft.smoothing == .none)
    let steps = try parameter("steps")
    #expect(steps.isInteger && steps.range == 1...8 && steps.smoothing == .none)
  }

  @Test func `a range that is a share of the sample rate is in hertz`() throws {
    let cutoff = try parameter("cutoff")
    #expect(cutoff.measure == .hertz)
    #expect(cutoff.defaultValue == 12000)
    #expect(cutoff.range.lowerBound < 8.1)
    #expect(abs(cutoff.range.upperBound - 96000) < 0.1)
  }

  @Test func `missing, swapped and contradictory ranges do no harm`() throws {
    let unbounded = try parameter("unbounded")
    #expect(unbounded.range == -(.infinity)...(.infinity))
    #expect(unbounded.defaultValue == 0)
    let backwards = try parameter("backwards")
    #expect(backwards.range == -10...10 && backwards.defaultValue == 5)
    #expect(try parameter("wild").defaultValue == 1)
    #expect(try parameter("fine").range.upperBound > 9e37)
  }

  @Test func `control outputs are readings`() throws {
    let spec = try fixture("gain").spec
    #expect(spec.readings == [ReadingSpec("frames", "Frames", .frames, isPerChannel: true)])
  }

  @Test func `the description shows ports in their own units`() throws {
    let description = try #require(FixtureBundles.world().describe(uri: "urn:fxrun:test:zoo"))
    let time = try #require(description.ports.first { $0.symbol == "time" })
    #expect(time.measure.label == "ms")
    #expect(time.minimum == 1 && time.maximum == 2000 && time.defaultValue == 250)
    #expect(description.className == "Reverb")
    #expect(description.latencyPort == nil)
    let latent = try #require(FixtureBundles.world().describe(uri: "urn:fxrun:test:latent"))
    #expect(latent.latencyPort?.symbol == "latency")
  }
}
