import Foundation
import FxTestSupport
import Testing

/// `fxrun plugins`: filters, one plugin in full, and probes.
@Suite struct PluginsCommandTests {
  private let folder = Folder()

  private func plugins(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      ["plugins"] + arguments, in: folder.path, environment: TestPlugins.environment)
  }

  private func uris(_ arguments: String...) throws -> [String] {
    try JSONValue(
      try Program.run(
        ["plugins", "list", "--json"] + arguments, in: folder.path,
        environment: TestPlugins.environment
      ).output
    ).elements.compactMap { $0["uri"].text }
  }

  @Test func `a mistake in a description is printed once, with its control characters written out`()
    throws
  {
    let bundle = "\(folder.path)/bad.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try folder.write(
      "bad.lv2/manifest.ttl",
      "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n<urn:fxrun:test:bad> a \u{1B}[31mlv2:Plugin .\n"
    )
    let outcome = try Program.run(
      ["plugins"], in: folder.path, environment: ["LV2_PATH": folder.path])
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("manifest.ttl:2:"))
    #expect(!outcome.errors.contains(0x1B), "\(outcome.errorText)")
    let lines = outcome.errorText.split(separator: "\n")
    #expect(Set(lines).count == lines.count, "\(outcome.errorText)")
  }

  @Test func `filters narrow the list down together`() throws {
    let all = try uris()
    #expect(all.count > 5)
    #expect(try uris("--channels", "2-2") == ["urn:fxrun:saturator:stereo"])
    #expect(try uris("--inputs", "2") == ["urn:fxrun:saturator:stereo"])
    #expect(try uris("--class", "delay").contains("urn:fxrun:test:latent"))
    #expect(try uris("--class", "delay", "--channels", "2-2").isEmpty)
    #expect(try uris("--name", "test crash start") == ["urn:fxrun:test:crash:instantiate"])
    #expect(try uris("--feature", "telepathy") == ["urn:fxrun:test:needy"])
    #expect(try uris("--usable").count < all.count)
    #expect(try uris("--instruments").contains("urn:fxrun:test:midi"))
    #expect(try uris("--instruments", "--effects").isEmpty)
    #expect(try uris("saturator", "mono") == ["urn:fxrun:saturator:mono"])
    let wrong = try plugins("list", "--channels", "stereo")
    #expect(wrong.exitCode == 64)
    #expect(wrong.errorText.contains("as in 1-2"))
  }

  @Test func `the lines of the list are aligned`() throws {
    let lines = try plugins("saturator").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(Set(lines.map { $0.prefix { $0 != ":" }.count }).count == 1)
  }

  @Test func `show lists ports, ranges, features and the probe's result`() throws {
    let text = try plugins("show", "urn:fxrun:saturator:mono").text
    #expect(text == (try plugins("urn:fxrun:saturator:mono").text))
    for words in ["licence", "bundle", "binary", "audio inputs:", "audio outputs:", "parameters:"] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(text.contains("not tried: fxrun plugins probe urn:fxrun:saturator:mono"))
    let json = try JSONValue(try plugins("show", "--json", "urn:fxrun:test:crash").output)
    let ports = json["ports"].elements
    #expect(ports.compactMap { $0["symbol"].text } == ["in", "out", "at"])
    #expect(ports[2]["unit"].text == "frames")
    #expect(ports[2]["maximum"].number == 10_000_000)
  }

  @Test func `a probe reports one line per plugin and keeps the result`() throws {
    let outcome = try plugins("probe", "urn:fxrun:test:gain", "urn:fxrun:test:crash")
    #expect(outcome.exitCode == 3)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("urn:fxrun:test:gain   ok, "))
    #expect(lines[1].contains("crashed in run: segmentation fault (SIGSEGV)"))
    #expect(outcome.errorText == "")
    #expect(FileManager.default.fileExists(atPath: folder.file(".cache/fxrun/verdicts")))
    #expect(
      try plugins("show", "urn:fxrun:test:crash").text
        .contains("crashed in run: segmentation fault (SIGSEGV)"))
    #expect(try plugins("crash").text.contains("(crashed when probed)"))
    #expect(try plugins("probe", "urn:fxrun:test:gain").exitCode == 0)
  }

  @Test func `all plugins are probed and counted, whatever their result`() throws {
    let outcome = try plugins("probe", "--all", "--timeout", "2", "--jobs", "4", "--json")
    #expect(outcome.exitCode == 0)
    let verdicts = try JSONValue(outcome.output).elements
    func verdict(_ name: String) -> String? {
      verdicts.first { $0["uri"].text == "urn:fxrun:test:\(name)" }?["verdict"]["outcome"].text
    }
    #expect(verdict("hang") == "hung")
    #expect(verdict("hang:instantiate") == "hung")
    #expect(verdict("crash:cleanup") == "crashed")
    #expect(verdict("needy") == "refused")
    #expect(verdict("unwilling") == "failed")
    #expect(verdict("invalid") == "nonFinite")
    let table = try plugins("probe", "--all")
    #expect(table.text.contains("  hung\n"))
    #expect(table.text.contains("crashed in cleanup: segmentation fault (SIGSEGV)"))
  }

  @Test func `a probe without a plugin or of an unknown plugin is a mistake`() throws {
    #expect(try plugins("probe").exitCode == 64)
    #expect(try plugins("probe", "--all", "urn:fxrun:test:gain").exitCode == 64)
    let missing = try plugins("probe", "urn:fxrun:test:gian")
    #expect(missing.exitCode == 3)
    #expect(missing.errorText.contains("nearest: urn:fxrun:test:gain"))
  }

  @Test func `a word with a colon is a search word unless it is a URI`() throws {
    let outcome = try plugins("word:with:colon")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.contains("no plugin matches"))
    #expect(try plugins("fxrun:test:crash").text.split(separator: "\n").count == 4)
    #expect(try plugins("urn:fxrun:test:nothing").exitCode == 3)
  }

  @Test(arguments: [
    (["--feature", ""], "--feature is empty"), (["--class", ""], "--class is empty"),
    (["--inputs", "-1"], "--inputs is 0 or more channels, not -1"),
    (["--outputs=-2"], "--outputs is 0 or more channels, not -2"),
  ])
  func `an impossible filter is refused`(_ filter: [String], _ message: String) throws {
    let outcome = try Program.run(
      ["plugins", "list"] + filter, in: folder.path, environment: TestPlugins.environment)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
  }

  @Test func `an unknown class is reported with the known classes`() throws {
    #expect(try plugins("--class", "Nonsense").errorText.contains("there are: "))
    #expect(try plugins("--class", "Delya").errorText.contains("'Delya'; did you mean 'Delay'?"))
  }
}
