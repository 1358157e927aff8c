@testable import FxKit
import Testing

/// Bypass, mute, solo and the list of parameters, on ALSA's null device.
struct LiveSwitchTests {
  private static let chain = Chain(
    json: #"""
      { "version": 1, "sampleRate": 48000,
        "expose": { "level": "fader.gain" },
        "nodes": {
          "in": { "source": "null" },
          "low": { "unit": "lowPass" },
          "mix": { "unit": "mixer", "strips": { "dry": {}, "low": { "gain": "-3 dB" } } },
          "fader": { "unit": "gain", "parameters": { "gain": "-6 dB" } },
          "out": { "sink": { "alsa": "null" } } },
        "connections": ["in -> mix:dry", "in -> low -> mix:low", "mix -> fader -> out"] }
      """#)

  @Test func `bypass, mute and solo are switched, and a muted gain keeps its value`()
    throws
  {
    _ = try playing(Self.chain) { control in
      #expect(try control.ask(.bypass(node: "low")) == .switched(true))
      #expect(try control.ask(.get(parameter: "low.bypass")) == .value(1))
      #expect(try control.ask(.bypass(node: "low", on: true)) == .switched(true))
      #expect(try control.ask(.bypass(node: "low")) == .switched(false))
      #expect(try control.ask(.mute(node: "mix.strips.dry")) == .switched(true))
      #expect(try control.ask(.get(parameter: "mix.strips.dry.mute")) == .value(1))
      #expect(try control.ask(.solo(strip: "mix.strips.low")) == .switched(true))
      #expect(try control.ask(.mute(node: "fader", on: true)) == .switched(true))
      #expect(try control.ask(.get(parameter: "level")) == .value(-.infinity))
      guard case .status(let status) = try control.ask(.status) else {
        Issue.record("no status")
        return
      }
      #expect(status.muted == ["mix.strips.dry", "fader"])
      #expect(status.soloed == ["mix.strips.low"])
      #expect(status.bypassed == [])
      #expect(try control.ask(.mute(node: "fader", on: true)) == .switched(true))
      #expect(try control.ask(.mute(node: "fader")) == .switched(false))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-6))
      try control.ask(.mute(node: "fader"))
      try control.ask(.set(parameter: "fader.gain", to: -20.0))
      #expect(try control.ask(.mute(node: "fader", on: false)) == .switched(false))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-20))
      #expect(failure { try control.ask(.mute(node: "low")) }?.code == "nothing-to-switch")
      #expect(failure { try control.ask(.solo(strip: "low")) }?.code == "nothing-to-switch")
      #expect(failure { try control.ask(.mute(node: "nobody")) }?.code == "unknown-node")
      let strip = failure { try control.ask(.mute(node: "mix.strips.dri")) }
      #expect(strip?.code == "unknown-parameter")
    }
  }

  @Test func `every parameter is listed with its range and its value`() throws {
    _ = try playing(Self.chain) { control in
      try control.ask(.set(parameter: "mix.strips.low.pan", to: 0.5))
      guard case .parameters(let list, _) = try control.ask(.parameters) else {
        Issue.record("no list")
        return
      }
      let named = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0) })
      #expect(list.first?.name == "level")
      #expect(named["level"]?.target == "fader.gain")
      #expect(named["mix.strips.low.pan"]?.value == 0.5)
      #expect(named["mix.strips.low.solo"]?.kind == .toggle)
      let frequency = named["low.frequency"]
      #expect(frequency?.unit == "Hz" && frequency?.isGeometric == true)
      #expect((frequency?.maximum ?? .infinity) <= 24000)
      for parameter in list {
        #expect(
          try control.ask(.get(parameter: parameter.name)) == .value(parameter.value),
          "\(parameter.name)")
      }
    }
  }
}
