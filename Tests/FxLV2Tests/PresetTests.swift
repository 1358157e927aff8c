import Foundation
import FxAudio
@testable import FxLV2
import Testing

@Suite struct PresetTests {
  private let world = FixtureBundles.world()
  private let plugin = StateFixture.uri

  @Test func `presets of all bundles are listed by label, with their bank`() {
    let presets = world.presets(of: plugin)
    #expect(presets.map(\.label) == ["Hall", "Odd", "Quiet", "Twin", "Twin", "hall"])
    #expect(presets.first { $0.label == "Odd" }?.bank == "Odd ones")
    #expect(world.presets(of: "urn:fxrun:test:gain").map(\.label) == ["Foreign"])
    #expect(world.presets(of: "urn:fxrun:test:nobody").isEmpty)
  }

  @Test func `values of a preset are in the chain's units of measure`() throws {
    let state = try world.state(.preset("\(plugin)#quiet"), of: plugin)
    #expect(state.parameters["amount"] == 0.125)
    #expect(abs((state.parameters["delay"] ?? 0) - 0.123456789) < 1e-7)
    #expect(state.parameters["mode"] == 2)
    #expect(state.propertyCount == 0)
    #expect(state.notes.isEmpty)
  }

  @Test func `ports receive the values of a preset to the bit`() throws {
    let instance = try StateFixture.made(StateFixture.preset("\(plugin)#quiet"))
    #expect(instance.control("amount") == 12.5)
    #expect(instance.control("delay") == 123.456789)
    #expect(instance.control("mode") == 2)
    let state = try world.state(.preset("\(plugin)#quiet"), of: plugin)
    _ = instance.gains(state.parameters)
    #expect(instance.control("delay") == 123.456789)
  }

  @Test func `a value out of range is used unchanged, with a note`() throws {
    let state = try world.state(.preset("urn:fxrun:test:statepresets#odd"), of: plugin)
    #expect(state.notes.count == 2)
    #expect(state.notes.contains { $0.contains("'amount' to 150") && $0.contains("0…100") })
    #expect(state.notes.contains { $0.contains("'wobble', which the plugin does not have") })
    let instance = try StateFixture.made(StateFixture.preset("urn:fxrun:test:statepresets#odd"))
    #expect(instance.gains(state.parameters)[0].last == 1.5)
  }

  @Test func `a parameter of the chain replaces the preset's value`() throws {
    let instance = try StateFixture.made(
      StateFixture.preset("\(plugin)#quiet"), ["amount": 0.5])
    #expect(instance.control("amount") == 50)
    #expect(instance.control("mode") == 2)
  }

  @Test func `a preset's state sounds from the first frame on`() throws {
    let hall = try StateFixture.made(StateFixture.preset("\(plugin)#hall"))
    #expect(hall.gains(["amount": 1]) == [[Float](repeating: 2, count: 8)])
    #expect(hall.reading("title") == 72)
  }

  @Test func `live a preset's state sounds from the first frame on too`() throws {
    let hall = try StateFixture.made(StateFixture.preset("\(plugin)#hall"), live: true)
    #expect(hall.gains(["amount": 1]) == [[Float](repeating: 2, count: 8)])
  }

  @Test func `each channel's instance receives the state`() throws {
    let hall = try StateFixture.made(StateFixture.preset("\(plugin)#hall"), width: 3)
    #expect(hall.gains(["amount": 1], frames: 2, width: 3) == [[2, 2], [2, 2], [2, 2]])
  }

  @Test func `a plugin starts from its default state`() throws {
    let plain = try StateFixture.made()
    #expect(plain.gains(["amount": 1]) == [[Float](repeating: 1, count: 8)])
    #expect(plain.reading("title") == 100)
    // A preset of ports alone leaves the rest as the default state has it.
    let quiet = try StateFixture.made(StateFixture.preset("\(plugin)#quiet"))
    _ = quiet.gains(["amount": 1])
    #expect(quiet.reading("title") == 100)
  }

  @Test func `the work of restoring a plugin's state leaves no trace`() throws {
    let hall = try StateFixture.made(StateFixture.preset("\(plugin)#hall"))
    _ = hall.gains(["amount": 1])
    #expect(hall.reading("frames") == 8)
    #expect(hall.reading("activations") == 2)
  }

  @Test func `a state without work for the worker is restored without a block of silence`() throws {
    let folder = FixtureBundles.temporaryFolder("idle")
    try """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    <> lv2:appliesTo <urn:fxrun:test:state> ; state:state [ <urn:fxrun:test:state#title> "x" ] .
    """.write(toFile: "\(folder)/state.ttl", atomically: true, encoding: .utf8)
    let idle = try StateFixture.made(PluginSetup(state: .folder(folder)))
    _ = idle.gains(["amount": 1])
    #expect(idle.reading("title") == 120)
    #expect(idle.reading("activations") == 1)
    #expect(idle.reading("runs") == 1)
  }

  @Test func `a preset of a different plugin is refused`() {
    #expect(throws: Failure.self) {
      try world.state(.preset("urn:fxrun:test:statepresets#foreign"), of: plugin)
    }
    #expect(throws: Failure.self) { try world.state(.preset("Hall"), of: plugin) }
    #expect(throws: Failure.self) { try world.state(.preset(""), of: plugin) }
  }
}
