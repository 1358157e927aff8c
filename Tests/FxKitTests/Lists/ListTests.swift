import Foundation
import FxKit
import FxTestSupport
import Testing

@Suite struct `Lists of a program` {
  private func copy<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }

  @Test func `units have their parameters, presets and elements`() throws {
    let units = UnitInfo.all
    #expect(units.count > 70)
    let gain = try #require(UnitInfo(named: "gain")?.parameters.first { $0.name == "gain" })
    #expect(gain.unit == "dB")
    #expect(gain.minimum == nil)
    #expect(gain.defaultValue == 0)
    #expect(UnitInfo(named: "reverb")?.presets.isEmpty == false)
    #expect(UnitInfo(named: "reverb@1")?.revision == 1)
    #expect(UnitInfo(named: "equalizer")?.elements?.name == "bands")
    #expect(UnitInfo(named: "compressor")?.readings.contains { $0.name == "gainReduction" } == true)
    #expect(UnitInfo(named: "none") == nil)
    #expect(try copy(units) == units)
  }

  @Test func `plugins have their parameters`() throws {
    let plugins = PluginInfo.all()
    for plugin in plugins.prefix(3) { #expect(try PluginInfo(uri: plugin.uri) == plugin) }
    #expect(try copy(plugins) == plugins)
    let failure = #expect(throws: ChainFailure.self) { try PluginInfo(uri: "urn:none") }
    #expect(failure?.kind == .plugin)
  }

  @Test func `devices can be listed, opened or not`() throws {
    #expect(DeviceInfo.names().first == "default")
    #expect(DeviceInfo.names(recording: true).first == "default")
    let devices = DeviceInfo.all()
    #expect(try copy(devices) == devices)
  }
}
