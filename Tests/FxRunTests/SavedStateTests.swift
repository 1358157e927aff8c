import Foundation
import FxTestSupport
import Testing

/// Presets, properties and saved states of plugins, from the command line.
@Suite struct SavedStateTests {
  private let folder = Folder()
  private let plugin = "urn:fxrun:test:state"

  private func chain(_ more: String) -> String {
    #"{ "version": 1, "tail": "none", "chain": [{ "id": "p", "lv2": "\#(plugin)"\#(more) }] }"#
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, in: folder.path, environment: TestPlugins.environment)
  }

  /// The gain of a chain, measured with a constant signal.
  private func level(_ chain: String) throws -> Float {
    try folder.write("level.json", chain)
    try folder.write("in.wav", Sound([[Float](repeating: 0.125, count: 1000)]))
    let outcome = try run("level.json", "in.wav", "-o", "out.wav", "--bits", "32")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let sound = try folder.sound("out.wav")
    #expect(Set(sound.channels[0]).count == 1)
    return (sound.channels[0].first ?? 0) * 8
  }

  @Test func `a preset applies from the first frame, and parameters override it`() throws {
    #expect(try level(chain(#", "preset": "Hall""#)) == 2)
    #expect(try level(chain(#", "preset": "Hall", "parameters": { "amount": "50 %" }"#)) == 1)
    #expect(try level(chain(#", "preset": "quiet""#)) == 0.125)
  }

  @Test func `a moved saved state gives the same sound in a new process`() throws {
    try folder.write("gain.txt", "3.0\n")
    let original = chain(
      #", "parameters": { "amount": 0.25 }, "properties": { "Gain File": "gain.txt" }"#)
    let expected = try level(original)
    #expect(expected == 0.75)
    try folder.write("chain.json", original)
    let saved = try run("save-state", "chain.json", "p", "-o", "room.lv2", "--label", "Room")
    #expect(saved.exitCode == 0, "\(saved.errorText)")
    try FileManager.default.removeItem(atPath: "\(folder.path)/gain.txt")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/moved", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: "\(folder.path)/room.lv2", toPath: "\(folder.path)/moved/room")
    #expect(try level(chain(#", "state": "moved/room""#)) == expected)
    #expect(
      try level(chain(#", "state": "moved/room", "parameters": { "amount": 1 }"#)) == 3)
  }

  @Test func `no temporary file of a plugin is left at the end`() throws {
    try folder.write("chain.json", chain(""))
    try folder.write("in.wav", Sound([[Float](repeating: 0.125, count: 1000)]))
    let temporary = "\(folder.path)/temporary"
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: true)
    let environment = TestPlugins.environment.merging(["TMPDIR": temporary]) { $1 }
    for arguments in [
      ["chain.json", "in.wav", "-o", "out.wav"], ["save-state", "chain.json", "p", "-o", "a.lv2"],
    ] {
      let outcome = try Program.run(arguments, in: folder.path, environment: environment)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }
  }

  @Test func `save-state refuses an existing folder, a built-in unit and an unknown node`() throws {
    try folder.write("chain.json", chain(""))
    #expect(try run("save-state", "chain.json", "p", "-o", "a.lv2").exitCode == 0)
    let again = try run("save-state", "chain.json", "p", "-o", "a.lv2", "--json")
    #expect(again.exitCode == 5)
    #expect(again.text.contains("unwritable") && again.text.contains("exists already"))
    #expect(try run("save-state", "chain.json", "p", "-o", "a.lv2", "--force").exitCode == 0)
    let homeless = try run("save-state", "chain.json", "p", "-o", "states/a.lv2")
    #expect(homeless.exitCode == 5)
    #expect(homeless.errorText.contains("create it first"), "\(homeless.errorText)")
    let unknown = try run("save-state", "chain.json", "q", "-o", "b.lv2")
    #expect(unknown.exitCode == 64)
    #expect(unknown.errorText.contains("no node 'q'"))
    try folder.write("gain.json", #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#)
    let builtIn = try run("save-state", "gain.json", "gain", "-o", "b.lv2")
    #expect(builtIn.exitCode == 64)
    #expect(builtIn.errorText.contains("no LV2 plugin"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("b.lv2") || $0.hasPrefix("a.lv2.") })
  }

  @Test func `plugins shows presets and properties, with values in JSON`() throws {
    let text = try run("plugins", plugin).text
    #expect(text.contains("presets:\n  Hall\n  Odd  (Odd ones)\n  Quiet\n"))
    #expect(text.contains("properties:\n"))
    #expect(text.contains("file    a file  Gain File"))
    let json = try JSONValue(try run("plugins", plugin, "--json").output)
    let presets = json["presets"].elements
    let quiet = try #require(presets.first { $0["label"].text == "Quiet" })
    #expect(quiet["ports"]["amount"] == .number(12.5))
    #expect(quiet["propertyCount"] == .number(0))
    let properties = json["properties"].elements
    #expect(properties.first { $0["name"].text == "file" }?["type"].text == "file")
  }

  @Test func `the plan says what a plugin's control inputs start with`() throws {
    try folder.write("chain.json", chain(#", "preset": "Quiet""#))
    let outcome = try run("plan", "--json", "chain.json", "--input-channels", "1")
    let json = try JSONValue(outcome.output)
    let node = try #require(json["nodes"].elements.first { $0["id"].text == "p" })
    #expect(node["controls"]["amount"] == .number(12.5))
    #expect(node["controls"]["mode"] == .number(2))
  }

  @Test func `a missing state is reported at its line, with exit code 2`() throws {
    try folder.write("chain.json", chain(#", "state": "nowhere""#))
    let outcome = try run("check", "chain.json")
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("chain.json:1:") && outcome.text.contains("nowhere"))
  }
}
