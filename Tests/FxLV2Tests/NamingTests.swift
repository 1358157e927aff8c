import FxAudio
@testable import FxLV2
import Testing

/// Names, units and presets of plugins.
@Suite struct NamingTests {
  private let world = FixtureBundles.world()
  private static let uri = "urn:fxrun:test:named"

  @Test func `a port in linear gain accepts decibels and keeps its numbers`() throws {
    let unit = try fixture("named")
    let threshold = try #require(unit.spec.parameters.first { $0.id == "al" })
    #expect(threshold.measure == .gain)
    #expect(threshold.range == 0.001...1)
    #expect(threshold.defaultValue == 0.251189)
    let half = try unit.made().render([[1, -1]], ["mk": 0.5])
    #expect(half == [[0.5, -0.5]])
  }

  @Test func `a plugin's own unit of measure is a gain by its symbol or its name`() {
    #expect(LV2Measure(symbol: "G", name: "").measure == .gain)
    #expect(LV2Measure(symbol: "x", name: "Gain").measure == .gain)
    #expect(
      LV2Measure(symbol: "Np", name: "Neper") == LV2Measure(measure: .none, scale: 1, label: "Np"))
  }

  @Test func `every port is named with what it is`() throws {
    let spec = try fixture("named").spec
    #expect(spec.port(named: "elm")?.kind == .reading)
    #expect(spec.port(named: "notes")?.kind == .eventOutput)
    #expect(spec.port(named: "in")?.kind == .audioInput)
    #expect(spec.port(named: "al")?.kind == .parameter)
    #expect(spec.port(named: "enabled")?.kind == .enabled)
    #expect(spec.port(named: "nothing") == nil)
  }

  @Test func `presets have their banks`() {
    let presets = world.presets(of: Self.uri)
    #expect(presets.map(\.bank) == ["Rooms", "Voices", "Voices"])
    #expect(PluginPreset.find("choir", in: presets).map(\.label) == ["Voices: Choir"])
    #expect(PluginPreset.find("quiet", in: presets).count == 2)
  }
}
