import Foundation
import FxTestSupport
import Testing

/// check, plan, units, plugins and schema.
@Suite struct ReportTests {
  private let folder = Folder()

  private static let hasDot = FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")

  /// A graph with all elements that a plan can show.
  private static let graph = """
    { "version": 1, "name": "Everything \\"quoted\\"",
      "nodes": {
        "in": { "source": "main" }, "key": { "source": "voice" },
        "comp": { "unit": "compressor", "lookahead": "5 ms", "wet": 0.5 },
        "mix": { "unit": "mixer" }, "lim": { "unit": "limiter" }, "level": { "unit": "meter" },
        "out": { "sink": "main" }, "kept": { "sink": { "file": "kept.wav" } } },
      "connections": [
        "in -> comp -> mix -> lim -> out", "key -> comp:sidechain", "in -> mix:dry", "lim -> level",
        { "from": "in", "to": "kept", "gain": "-6 dB", "channels": [2, 1] },
        { "from": "mix", "to": "mix:again", "feedback": true, "delay": "100 ms", "gain": "-9 dB" } ] }
    """

  @Test func `check reports mistakes and their absence`() throws {
    try folder.write("good.json", Self.graph)
    try folder.write("bad.json", #"{ "version": 1, "chain": [{ "unit": "gian" }, { "untt": 1 }] }"#)
    let good = try folder.run("check", "good.json")
    #expect((good.exitCode, good.text, good.errorText) == (0, "good.json: no mistakes\n", ""))
    let bad = try folder.run("check", "bad.json")
    #expect(bad.exitCode == 2)
    #expect(bad.text.contains("bad.json:1:37: error:"))
    #expect(bad.text.contains("did you mean 'gain'?"))
    #expect(bad.text.contains("errors\n"))
  }

  @Test func `check as JSON has each mistake with its place`() throws {
    try folder.write("bad.json", "{ \"version\": 1,\n  \"chain\": [{ \"unit\": \"gian\" }] }")
    let outcome = try folder.run("check", "bad.json", "--json")
    #expect(outcome.exitCode == 2)
    let report = try JSONValue(outcome.output)
    #expect(report.keys == ["diagnostics", "errors", "warnings"])
    #expect(report["errors"].number == 1)
    let mistake = report["diagnostics"][0]
    #expect(
      mistake.keys == [
        "code", "column", "file", "hints", "length", "line", "message", "path", "severity",
      ])
    #expect(mistake["file"].text == "bad.json")
    #expect(mistake["line"].number == 2)
    #expect(mistake["column"].number == 23)
    #expect(mistake["length"].number == 6)
    #expect(mistake["path"].text == "/chain/0/unit")
    try folder.write("good.json", Self.graph)
    let good = try JSONValue(try folder.run("check", "good.json", "--json").output)
    #expect(good["errors"].number == 0)
  }

  @Test func `check uses the given sample rate and channel count`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [{ "unit": "lowPass", "parameters": { "frequency": "20 kHz" } }] }"#
    )
    #expect(try folder.run("check", "chain.json").exitCode == 0)
    let low = try folder.run("check", "chain.json", "--sample-rate", "22050")
    #expect(low.exitCode == 2)
    #expect(low.text.contains("20 kHz"))
    #expect(try folder.run("check", "chain.json", "--sample-rate", "0").exitCode == 64)
    #expect(try folder.run("check", "chain.json", "--input-channels", "0").exitCode == 64)
    #expect(try folder.run("check", "chain.json", "--input-channels", "6").exitCode == 0)
  }

  @Test func `a missing plugin has an exit code of its own in check too`() throws {
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "lv2": "urn:nothing" }] }"#)
    #expect(try folder.run("check", "chain.json").exitCode == 3)
    #expect(try folder.run("plan", "chain.json").exitCode == 3)
  }

  @Test func `plan as JSON names nodes, steps and latencies`() throws {
    try folder.write("chain.json", Self.graph)
    let outcome = try folder.run("plan", "chain.json", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let plan = try JSONValue(outcome.output)
    #expect(
      plan.keys == [
        "blockSize", "buffers", "latency", "measuresFirst", "memory", "nodes", "sampleRate",
        "sections", "sinks", "sources", "tail", "tasks",
      ])
    #expect(plan["measuresFirst"].elements.isEmpty)
    #expect(plan["latency"].number == 298)
    #expect(plan["nodes"].elements.count == 8)
    let steps = plan["sections"].elements.flatMap { $0["steps"].elements }
    #expect(steps.compactMap { $0["run"].text }.sorted() == ["comp", "level", "lim", "mix"])
    #expect(steps.contains { $0["blend"].text == "comp" })
    #expect(steps.contains { $0.keys.contains("feedbackRead") })
    #expect(plan["sinks"].elements.compactMap { $0["node"].text }.sorted() == ["kept", "out"])
  }

  @Test func `a plan names what is measured before the render`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [{ "id": "loud", "unit": "normalize" }, { "unit": "gain" }] }"#)
    let plan = try JSONValue(try folder.run("plan", "chain.json", "--json").output)
    #expect(plan["measuresFirst"].elements.compactMap { $0["node"].text } == ["loud"])
    #expect(plan["measuresFirst"].elements.compactMap { $0["what"].text } == ["peak"])
    let text = String(decoding: try folder.run("plan", "chain.json").output, as: UTF8.self)
    #expect(text.hasPrefix("first: peak of loud\n"))
  }

  @Test func `dot prints a graph for Graphviz`() throws {
    try folder.write("chain.json", Self.graph)
    let outcome = try folder.run("plan", "chain.json", "--dot")
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.hasPrefix("digraph "))
    #expect(outcome.text.filter { $0 == "{" }.count == outcome.text.filter { $0 == "}" }.count)
    #expect(outcome.text.contains(#"Everything \"quoted\""#))
    for node in ["comp", "mix", "lim", "level", "kept"] { #expect(outcome.text.contains(node)) }
    #expect(outcome.text.components(separatedBy: " -> ").count - 1 == 9)
  }

  @Test(.enabled(if: hasDot, "Graphviz is not installed"))
  func `Graphviz draws the output of dot`() throws {
    try folder.write("chain.json", Self.graph)
    let outcome = try folder.run("plan", "chain.json", "--dot")
    let drawn = try Program.run(
      ["-Tsvg"], executable: "/usr/bin/dot", in: folder.path, input: .bytes(outcome.output))
    #expect((drawn.exitCode, drawn.errorText) == (0, ""))
    #expect(drawn.text.contains("<svg"))
  }

  @Test func `units lists every unit, and each can be shown`() throws {
    let list = try folder.run("units")
    #expect(list.exitCode == 0)
    let names = list.text.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    let units = try JSONValue(try folder.run("units", "--json").output).elements
    #expect(units.compactMap { $0["id"].text } == names.map(String.init))
    #expect(names.count >= 20)
    for unit in units {
      let name = try #require(unit["id"].text)
      let shown = try folder.run("units", name)
      #expect(shown.exitCode == 0)
      #expect(shown.text.hasPrefix("\(name): \(unit["summary"].text ?? "?")"))
      for parameter in unit["parameters"].elements {
        let id = try #require(parameter["id"].text)
        #expect(shown.text.contains("\n  \(id)"))
        #expect(parameter["default"] != .null)
        #expect(parameter["summary"].text?.isEmpty == false)
      }
    }
  }

  @Test func `plugins lists what is installed, and shows one by its URI`() throws {
    let list = try folder.run("plugins", environment: TestPlugins.environment)
    #expect(list.exitCode == 0)
    #expect(list.text.contains("urn:fxrun:saturator:stereo"))
    #expect(list.text.contains("urn:fxrun:test:needy"))
    #expect(list.text.contains("(cannot be used)"))
    let some = try folder.run("plugins", "saturator", "mono", environment: TestPlugins.environment)
    #expect(some.text.split(separator: "\n").count == 1)
    let one = try folder.run(
      "plugins", "urn:fxrun:saturator:mono", environment: TestPlugins.environment)
    #expect(one.text.contains("reports a latency"))
    #expect(one.text.contains("drive"))
    let needy = try folder.run(
      "plugins", "urn:fxrun:test:needy", environment: TestPlugins.environment)
    #expect(needy.text.contains("telepathy"))
    let missing = try folder.run(
      "plugins", "urn:fxrun:saturator:mno", environment: TestPlugins.environment)
    #expect(missing.exitCode == 3)
    #expect(missing.errorText.contains("nearest: urn:fxrun:saturator:mono"))
    let none = try folder.run("plugins")
    #expect(none.exitCode == 0)
    #expect(none.text == "")
    #expect(none.errorText.contains("searched: /nonexistent"))
  }

  @Test func `plugins as JSON says whether each can be used`() throws {
    let outcome = try folder.run("plugins", "--json", environment: TestPlugins.environment)
    let plugins = try JSONValue(outcome.output).elements
    let saturator = try #require(
      plugins.first { $0["uri"].text == "urn:fxrun:saturator:stereo" })
    #expect(saturator["canHost"] == .bool(true))
    #expect(saturator["reportsLatency"] == .bool(true))
    #expect(saturator["audioInputs"].elements.count == 2)
    #expect(
      saturator["parameters"].elements.compactMap { $0["id"].text } == ["drive", "mix", "output"])
    let needy = try #require(plugins.first { $0["uri"].text == "urn:fxrun:test:needy" })
    #expect(needy["canHost"] == .bool(false))
    #expect(needy["refusal"].text?.contains("telepathy") == true)
  }

  @Test func `schema is JSON that knows every unit`() throws {
    let outcome = try folder.run("schema")
    #expect(outcome.exitCode == 0)
    let schema = try JSONValue(outcome.output)
    #expect(schema["$schema"].text == "https://json-schema.org/draft/2020-12/schema")
    for unit in try JSONValue(try folder.run("units", "--json").output).elements {
      let name = try #require(unit["id"].text)
      #expect(outcome.text.contains("\"\(name)\""))
    }
  }

  @Test func `an unknown unit is reported with the nearest name`() throws {
    let outcome = try folder.run("units", "compresor")
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("did you mean 'compressor'?"))
    #expect(outcome.text == "")
  }

  @Test func `every command prints its version and help`() throws {
    let version = try folder.run("--version")
    #expect(version.exitCode == 0)
    #expect(
      version.text.wholeMatch(of: /\d+\.\d+\.\d+ \((debug|release), build [0-9a-f]{10}\)\n/) != nil)
    for shell in ["bash", "zsh", "fish"] {
      let script = try folder.run("--generate-completion-script", shell)
      #expect(script.exitCode == 0)
      #expect(script.text.contains("__complete"))
    }
  }
}
