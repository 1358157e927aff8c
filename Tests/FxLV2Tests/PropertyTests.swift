import FxAudio
@testable import FxLV2
import Testing

@Suite struct PropertyTests {
  private let plugin = StateFixture.uri

  @Test func `properties are described with name, label and type`() throws {
    let properties = FixtureBundles.world().properties(of: plugin)
    #expect(
      properties.map(\.name) == ["number", "curve", "file", "fine", "gain", "isOn", "title"])
    #expect(properties.map(\.label)[2] == "Gain File")
    #expect(properties[2].kind == .file)
    #expect(properties[5].kind == .flag)
    #expect(properties[6].kind == .text)
    guard case .unsupported(let type) = properties[1].kind else {
      Issue.record("a vector cannot be set")
      return
    }
    #expect(type.hasSuffix("atom#Vector"))
    guard case .number(let gain) = properties[4].kind, case .number(let count) = properties[0].kind
    else {
      Issue.record("these are numbers")
      return
    }
    #expect(gain.measure == .ratio)
    #expect(gain.range == 0...2)
    #expect(count.isInteger)
    #expect(count.range == 0...9)
  }

  @Test func `a property is found by URI, symbol, label or the last part of its URI`() {
    let properties = FixtureBundles.world().properties(of: plugin)
    for name in ["\(plugin)#count", "number", "Count", "count", "NUMBER"] {
      #expect(PluginProperty.find(name, in: properties)?.uri == "\(plugin)#count", "\(name)")
    }
    #expect(PluginProperty.find("nothing", in: properties) == nil)
  }

  @Test func `properties of every type arrive before the first frame`() throws {
    let setup = PluginSetup(properties: [
      StateFixture.property("file", .file(try StateFixture.file(3, "three.txt"))),
      StateFixture.property("gain", .number(0.5)),
      StateFixture.property("count", .number(7)),
      StateFixture.property("fine", .number(0.25)),
      StateFixture.property("isOn", .flag(true)),
      StateFixture.property("title", .text("Zebra")),
    ])
    for live in [false, true] {
      let instance = try StateFixture.made(setup, live: live)
      #expect(instance.gains(["amount": 1]) == [[Float](repeating: 8.75, count: 8)])
      #expect(instance.reading("title") == 90)
      #expect(instance.reading("frames") == 8)
    }
  }

  @Test func `properties come after the state, in their order`() throws {
    var setup = StateFixture.preset("\(plugin)#hall")
    setup.properties = [
      StateFixture.property("gain", .number(2)), StateFixture.property("gain", .number(1)),
    ]
    let instance = try StateFixture.made(setup)
    #expect(instance.gains(["amount": 1])[0][0] == 4)
  }

  @Test func `a property that is false arrives as false`() throws {
    let off = PluginSetup(properties: [StateFixture.property("isOn", .flag(false))])
    #expect(try StateFixture.made(off).gains(["amount": 1])[0][0] == 0)
  }

  @Test func `an invalid property value is an error that names the property`() throws {
    let given: [PluginSetup.Property] = [
      StateFixture.property("count", .number(0.5)), StateFixture.property("count", .text("7")),
      StateFixture.property("count", .number(.infinity)),
      StateFixture.property("count", .number(1e300)), StateFixture.property("nothing", .flag(true)),
      StateFixture.property("curve", .number(1)),
      StateFixture.property("title", .text("a\u{0}b")),
      StateFixture.property("title", .text(String(repeating: "x", count: 100_000))),
    ]
    for property in given {
      let error = #expect(throws: Failure.self) {
        try StateFixture.made(PluginSetup(properties: [property]))
      }
      #expect(error?.message.contains(property.uri) == true, "\(property)")
    }
    let gain = try fixture("gain")
    var preparation = Preparation(
      sampleRate: 48000, maximumFrameCount: 64, inputWidths: [1], outputWidths: [1])
    preparation.setup.properties = [PluginSetup.Property(uri: "urn:x", value: .number(1))]
    let error = #expect(throws: Failure.self) { try gain.make(preparation) }
    #expect(error?.message.contains("takes no properties") == true)
  }
}
