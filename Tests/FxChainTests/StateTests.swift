import FxAudio
@testable import FxChain
import FxEngine
import Glibc
import Testing

/// The effect of a preset, a saved state and properties on a node.
@Suite struct StateTests {
  private func unit(_ more: String, path: String = "chain.json") throws -> UnitConfiguration {
    let (chain, diagnostics) = build(
      list("{ \"id\": \"p\", \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", \(more) }"),
      path: path)
    #expect(!diagnostics.hasErrors, "\(diagnostics.text())")
    return try #require(chain?.unit("p"))
  }

  /// LSfreq, LSgain, coef.
  private func values(_ unit: UnitConfiguration) -> [Double] { Array(unit.values.prefix(3)) }

  @Test func `a preset's values replace defaults, whatever their range`() throws {
    let unit = try unit("\"preset\": \"Bright Hall\"")
    #expect(values(unit) == [200, -40, 1])
    #expect(unit.setup.state == .preset("urn:p:hall"))
  }

  @Test func `parameters of the chain take precedence`() throws {
    let unit = try unit(
      "\"parameters\": { \"LSfreq\": 100 }, \"preset\": \"urn:p:hall\", \"wet\": 0.5")
    #expect(values(unit) == [100, -40, 1])
    #expect(unit.values[3] == 0.5)
  }

  @Test func `case distinguishes two labels where it must`() throws {
    #expect(try unit("\"preset\": \"small\"").setup.state == .preset("urn:p:small"))
    #expect(try unit("\"preset\": \"Small\"").setup.state == .preset("urn:p:Small"))
    #expect(try unit("\"preset\": \"BRIGHT HALL\"").setup.state == .preset("urn:p:hall"))
  }

  @Test func `a state's folder is relative to the chain's folder and absolute for the plugin`()
    throws
  {
    let unit = try unit("\"state\": \"rooms/there\"", path: "songs/chain.json")
    #expect(values(unit) == [80, 0, 0.25])
    guard case .folder(let folder)? = unit.setup.state else {
      Issue.record("a folder")
      return
    }
    #expect(folder.hasPrefix("/") && folder.hasSuffix("/songs/rooms/there"))
  }

  @Test func `properties keep their order, and files are relative to the chain's folder`() throws {
    let unit = try unit(
      "\"properties\": { \"title\": \"T\", \"urn:q#on\": true, \"Response\": \"passwd\", "
        + "\"gain\": \"-3 dB\", \"topic\": \"urn:t\" }", path: "/etc/chain.json")
    #expect(
      unit.setup.properties == [
        .init(uri: "urn:q#title", value: .text("T")), .init(uri: "urn:q#on", value: .flag(true)),
        .init(uri: "urn:q#impulse", value: .file("/etc/passwd")),
        .init(uri: "urn:q#gain", value: .number(-3)),
        .init(uri: "urn:q#topic", value: .text("urn:t")),
      ])
  }

  @Test func `variables work in presets, states and properties`() throws {
    let (chain, _) = build(
      list(
        "{ \"id\": \"p\", \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", "
          + "\"preset\": \"${room}\", \"properties\": { \"title\": \"${room}!\" } }",
        "\"variables\": { \"room\": \"small\" }"))
    let setup = try #require(chain?.unit("p")).setup
    #expect(setup.state == .preset("urn:p:small"))
    #expect(setup.properties.first?.value == .text("small!"))
  }

  @Test func `an unknown preset is reported with the nearest and with all existing ones`() {
    let (_, diagnostics) = build(
      list("{ \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", \"preset\": \"Brigth Hall\" }"))
    #expect(
      diagnostics.all.first?.hints == [
        "did you mean 'Bright Hall'?",
        "it has: Bright Hall, small, Small, Twin, Twin, Broken",
      ])
  }

  @Test func `a value that does not fit causes a note, and the chain runs`() {
    let (chain, diagnostics) = build(
      list("{ \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", \"preset\": \"Bright Hall\" }"))
    #expect(chain != nil)
    #expect(diagnostics.all.map(\.severity) == [.note])
    #expect(diagnostics.all.first?.hints == ["it sets 'wobble', which the plugin does not have"])
  }

  @Test func `a built-in unit has no preset, state or properties`() {
    for key in ["\"state\": \"x\"", "\"properties\": {}"] {
      let (_, diagnostics) = build(list("{ \"unit\": \"gain\", \(key) }"))
      #expect(diagnostics.codes == [.unknownKey])
    }
  }
}
