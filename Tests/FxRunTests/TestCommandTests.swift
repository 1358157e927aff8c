import Foundation
import FxTestSupport
import Testing

/// `fxrun test`: suites of golden cases.
@Suite struct TestCommandTests {
  private let folder = Folder()

  init() throws {
    try write("voice", gain: -6)
    try folder.write(
      "voice.test.json",
      """
      { "version": 1, "input": { "signal": "noise" }, "duration": "50 ms", "channels": 1,
        "cases": { "plain": {}, "quiet": { "set": { "level.gain": "-20 dB" } } } }
      """)
    try write("bass", gain: -3)
    try folder.write(
      "bass.test.json",
      #"{ "version": 1, "duration": "50 ms", "channels": 1, "expect": "golden/bass.golden.json" }"#)
  }

  private func write(_ name: String, gain: Double) throws {
    try folder.write(
      "\(name).json",
      """
      { "version": 1, "tail": "none", "chain": [
        { "id": "cut", "unit": "highPass", "parameters": { "frequency": "100 Hz" } },
        { "id": "level", "unit": "gain", "parameters": { "gain": \(gain) } } ] }
      """)
  }

  private var goldens: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("golden"))) ?? []).sorted()
  }

  private func times() throws -> [Date] {
    try goldens.map {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("golden/\($0)"))
      return try #require(attributes[.modificationDate] as? Date)
    }
  }

  @Test func `a case without a golden is new, and passes once it has one`() throws {
    let new = try folder.run("test")
    #expect(new.exitCode == 7)
    #expect(new.text.contains("new   bass         has no golden yet\n"))
    #expect(new.text.contains("3 new ("))
    #expect(new.text.contains("fxrun test --update makes goldens of the new cases"))
    #expect(goldens == [])

    let made = try folder.run("test", "--update")
    #expect(made.exitCode == 0, "\(made.errorText)")
    #expect(
      goldens == [
        "bass.golden.json", "voice-plain.golden.json", "voice-plain.wav",
        "voice-quiet.golden.json", "voice-quiet.wav",
      ])
    let passed = try folder.run("test")
    #expect(passed.exitCode == 0)
    #expect(passed.text.hasPrefix("pass  bass         "))
    #expect(passed.text.contains("\n3 passed ("))
    #expect(passed.errorText == "")

    let before = try times()
    let again = try folder.run("test", "--update")
    #expect(again.exitCode == 0)
    #expect(again.text.contains("same  voice/plain\n") && again.text.contains("3 as before"))
    #expect(try times() == before)
  }

  @Test func `a changed value is reported with its node, and accepted by an update`() throws {
    #expect(try folder.run("test", "--update").exitCode == 0)
    let before = try times()
    try write("voice", gain: -5.9)
    let differs = try folder.run("test", "--output", "out", "--junit", "results/junit.xml")
    #expect(differs.exitCode == 7)
    #expect(
      differs.text.contains("FAIL  voice/plain  level: 0.10 dB louder, nothing else\n"),
      "\(differs.text)")
    let lines = differs.text.split(separator: "\n").map(String.init)
    let at = try #require(lines.firstIndex { $0.hasPrefix("FAIL  voice/plain") })
    #expect(lines[at + 1] == "      the chain differs: level.gain is -5.9, was -6")
    #expect(lines[at + 2] == "      the audio differs: 0.10 dB louder, nothing else")
    #expect(lines.contains { $0.hasPrefix("      begins at node 'level' (gain), frame 0: ") })
    #expect(differs.text.contains("2 passed, 1 differs ("))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted()
    #expect(
      left == [
        "index.html", "voice-plain.actual.golden.json", "voice-plain.actual.wav",
        "voice-plain.html",
      ])
    let index = String(decoding: try folder.bytes("out/index.html"), as: UTF8.self)
    #expect(index.contains("href=\"./voice-plain.html\""))
    #expect(index.contains("href=\"./voice-plain.actual.wav\""))
    #expect(index.contains("<h2>voice/plain</h2>") && index.contains(">bass</th>"))
    let junit = String(decoding: try folder.bytes("results/junit.xml"), as: UTF8.self)
    #expect(junit.contains("message=\"level: 0.10 dB louder, nothing else\""))

    let updated = try folder.run("test", "--update", "--filter", "voice")
    #expect(updated.exitCode == 0)
    #expect(updated.text.contains("diff  voice/plain  level: 0.10 dB louder"))
    #expect(try folder.run("test").exitCode == 0)
    let after = try times()
    // Only the files of voice/plain have changed.
    #expect(zip(before, after).map { $0 == $1 } == [true, false, false, true, true])
  }

  @Test func `a node that has become much slower is named if costs are measured`() throws {
    try folder.write(
      "bass.test.json",
      """
      { "version": 1, "duration": "50 ms", "channels": 1, "cost": 5,
        "expect": "golden/bass.golden.json" }
      """)
    func run(_ options: String...) throws -> Program.Outcome {
      try Program.run(["test", "bass.test.json"] + options, in: folder.path)
    }
    #expect(try run("--update").exitCode == 0)
    let manifest = String(decoding: try folder.bytes("golden/bass.golden.json"), as: UTF8.self)
    let cost = try #require(manifest.firstMatch(of: /"cut": ([0-9.]+)/))
    let figure = try #require(Double(cost.1))
    #expect(figure > 0)
    #expect(try run("--cost").exitCode == 0)
    try folder.write(
      "golden/bass.golden.json",
      manifest.replacingCharacters(in: cost.range, with: "\"cut\": \(figure / 1e4)"))
    let slower = try run("--cost")
    #expect(slower.exitCode == 7)
    #expect(slower.text.hasPrefix("FAIL  bass  node 'cut' takes "), "\(slower.text)")
    #expect(slower.text.contains(" times as long as in the golden\n"))
    #expect(try run().exitCode == 0)
  }

  @Test func `another version of a plugin is reported before the sound`() throws {
    let bundle = folder.file("lv2/gain.lv2")
    try FileManager.default.createDirectory(
      atPath: folder.file("lv2"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(TestPlugins.folder)/gain.lv2", toPath: bundle)
    try folder.write(
      "fx.json", #"{ "version": 1, "chain": [ { "id": "fx", "lv2": "urn:fxrun:test:gain" } ] }"#)
    try folder.write("fx.test.json", #"{ "version": 1, "duration": "50 ms" }"#)
    let environment = ["LV2_PATH": folder.file("lv2")]
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(
        ["test", "fx.test.json"] + arguments, in: folder.path, environment: environment)
    }
    #expect(try run("--update").exitCode == 0)
    #expect(try run().exitCode == 0)
    let file = "\(bundle)/gain.ttl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try
      (text.replacingOccurrences(of: "lv2:default 0.0", with: "lv2:default -6.0")
      + "\n<urn:fxrun:test:gain> lv2:minorVersion 2 ; lv2:microVersion 4 .\n")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let differs = try run()
    #expect(differs.exitCode == 7)
    let lines = differs.text.split(separator: "\n").map(String.init)
    let environmentLine = try #require(
      lines.firstIndex { $0.contains("the environment differs: the plugin of 'fx'") })
    #expect(lines[environmentLine].hasSuffix("has version 2.4, had 0.0"))
    let soundLine = try #require(lines.firstIndex { $0.contains("the audio differs: 6.00 dB") })
    let nodeLine = try #require(lines.firstIndex { $0.contains("begins at node 'fx'") })
    #expect(environmentLine < soundLine && soundLine < nodeLine)
  }

  @Test func `a plugin that crashes fails its case alone`() throws {
    try folder.write(
      "a.json", #"{ "version": 1, "chain": [ { "id": "fx", "lv2": "urn:fxrun:test:crash" } ] }"#)
    try folder.write("a.test.json", #"{ "version": 1, "duration": "50 ms" }"#)
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(
        ["test"] + arguments, in: folder.path, environment: TestPlugins.environment)
    }
    let made = try run("--update")
    #expect(made.exitCode == 3)
    #expect(made.text.contains("FAIL  a            'fx' (urn:fxrun:test:crash) crashed"))
    #expect(made.text.contains("3 new, 1 failed"))
    #expect(goldens.count == 5)
    #expect(try run().exitCode == 3)
    #expect(try run("--filter", "voice").exitCode == 0)
  }

  @Test func `a mistake in a case file is reported with its line, and the others run`() throws {
    #expect(try folder.run("test", "--update").exitCode == 0)
    try folder.write("bad.test.json", "{ \"version\": 1,\n  \"inptu\": \"a.wav\" }")
    let outcome = try folder.run("test")
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("bad.test.json:2:3: error: a case file has no key 'inptu'"))
    #expect(outcome.text.contains("did you mean 'input'?"))
    #expect(outcome.text.contains("3 passed, 1 failed"))
    let json = try JSONValue(try folder.run("test", "--json").output)
    // Empty lists are written too.
    for testCase in json["cases"].elements {
      #expect(Set(["warnings", "notes"]).isSubset(of: testCase.keys))
    }
    #expect(json["failed"] == .number(1) && json["passed"] == .number(3))
    #expect(json["diagnostics"][0]["code"].text == "unknown-key")
  }

  @Test func `filters select cases, and a filter without a match lists the cases`() throws {
    let some = try folder.run("test", "--list", "--filter", "quiet", "--filter", "b?ss")
    #expect(some.text == "bass\nvoice/quiet\n")
    let none = try folder.run("test", "--filter", "drums")
    #expect(none.exitCode == 64)
    #expect(none.errorText.contains("no case has a name like 'drums'; there are bass, voice/plain"))
    let nowhere = try folder.run("test", "bass.json", "nowhere")
    #expect(nowhere.exitCode == 64 && nowhere.errorText.contains("nowhere: there is no such file"))
  }

  @Test func `with --fail-fast the suite ends at the first case that does not pass`() throws {
    #expect(try folder.run("test", "--update", "--filter", "voice").exitCode == 0)
    let outcome = try folder.run("test", "--fail-fast")
    #expect(outcome.exitCode == 7)
    #expect(outcome.text.contains("new   bass"))
    #expect(outcome.text.contains("1 new, 2 not run"))
  }

  @Test func `a cache key changes with what a case depends on`() throws {
    func key() throws -> String { try folder.run("test", "--list", "--cache-key").text }
    let first = try key()
    let again = try key()
    #expect(first.count == 65 && again == first)
    try write("bass", gain: -2)
    let second = try key()
    #expect(second != first)
    #expect(try folder.run("test", "--update", "--filter", "bass").exitCode == 0)
    let third = try key()
    #expect(third != second)
    let json = try JSONValue(try folder.run("test", "--list", "--json", "--cache-key").output)
    #expect(json["cases"].elements.count == 3)
    #expect(json["cases"][0]["hasGolden"] == .bool(true))
  }

  @Test func `cases may share a golden`() throws {
    try folder.write(
      "bass.test.json",
      """
      { "version": 1, "duration": "50 ms", "expect": "golden/bass.wav", "cases": {
        "large": {}, "small": { "blockSize": 64 }, "loud": { "set": { "level.gain": 3 } } } }
      """)
    let made = try folder.run("test", "--update", "bass.test.json")
    #expect(made.exitCode == 7, "\(made.text)")
    #expect(made.text.contains("new   bass/large"))
    #expect(made.text.contains("same  bass/small"))
    #expect(made.text.contains("FAIL  bass/loud"))
  }

  @Test func `Ctrl-C ends a case that hangs and leaves nothing`() throws {
    try folder.write(
      "a.json", #"{ "version": 1, "chain": [ { "id": "fx", "lv2": "urn:fxrun:test:hang" } ] }"#)
    try folder.write("a.test.json", #"{ "version": 1, "duration": "50 ms" }"#)
    let names = folder.names
    let program = try Program(
      ["test", "--update", "a.test.json", "voice.test.json", "--jobs", "1"], in: folder.path,
      environment: TestPlugins.environment)
    program.pump(limit: 1) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(outcome.text.contains("stopped: 3 not run"))
    #expect(folder.names.filter { $0 != "golden" } == names && goldens == [])
  }

  @Test func `options that contradict each other are refused`() throws {
    for options in [["--update", "--output", "x"], ["--cache-key"], ["--jobs", "0"]] {
      let outcome = try Program.run(["test"] + options, in: folder.path)
      #expect(outcome.exitCode == 64, "\(options)")
    }
  }
}
