import Foundation
import FxTestSupport
import Testing

/// The findings of a lint, and chains without findings.
@Suite struct LintTests {
  private let folder = Folder()

  private func lint(_ chain: String, _ options: String...) throws -> Program.Outcome {
    try folder.write("chain.json", chain)
    return try Program.run(
      ["lint", "chain.json", "--duration", "0.5"] + options, in: folder.path,
      environment: TestPlugins.environment)
  }

  private func lint(plugin: String, _ keys: String = "", _ options: String...) throws
    -> Program.Outcome
  {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "chain": [
          { "id": "fx", "lv2": "urn:fxrun:test:\(plugin)"\(keys) }
        ] }
      """)
    return try Program.run(
      ["lint", "chain.json", "--duration", "0.5"] + options, in: folder.path,
      environment: TestPlugins.environment)
  }

  /// The codes and nodes of a report.
  private func findings(_ outcome: Program.Outcome) throws -> [String] {
    try allFindings(outcome).filter { !$0.hasPrefix("not-exercised ") }
  }

  private func allFindings(_ outcome: Program.Outcome) throws -> [String] {
    try JSONValue(outcome.output)["chains"][0]["findings"].elements.map {
      "\($0["code"].text ?? "") \($0["node"].text ?? "")"
    }
  }

  @Test func `a node without effect on the sound is a note`() throws {
    let outcome = try lint(
      """
      { "version": 1, "chain": [
        { "id": "trim", "unit": "gain" },
        { "id": "safe", "unit": "limiter", "parameters": { "ceiling": "-6 dB" } },
        { "id": "shut", "unit": "gain", "parameters": { "gain": "-6 dB" } } ] }
      """, "--json")
    #expect(outcome.exitCode == 0)
    #expect(try allFindings(outcome) == ["not-exercised trim"], "\(outcome.text)")
  }

  @Test(arguments: [
    ("forgetful:run", "heap-dependent"), ("counts", "instance-dependent"),
    ("blocky", "block-dependent"), ("offset", "dc-offset"), ("clock", "run-dependent"),
  ])
  func `an unreliable plugin is a warning at its node`(
    _ plugin: String, _ code: String
  ) throws {
    let outcome = try lint(plugin: plugin, "", "--json")
    #expect(outcome.exitCode == 7, "\(outcome.errorText)")
    #expect(try findings(outcome) == ["\(code) fx"], "\(outcome.text)")
  }

  @Test func `a warning of a render's process is a finding at its node`() throws {
    let outcome = try lint(plugin: "farewell", "", "--json")
    #expect(outcome.exitCode == 7, "\(outcome.errorText)")
    #expect(try findings(outcome).contains("render-warning fx"), "\(outcome.text)")
  }

  @Test(arguments: [("forgetful", "unwritten-memory"), ("fades", "denormals")])
  func `a fault that fxrun corrects is a note`(_ plugin: String, _ code: String) throws {
    let outcome = try lint(plugin: plugin, "", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try findings(outcome) == ["\(code) fx"], "\(outcome.text)")
  }

  @Test func `a finding has its place, its measured value and a remedy`() throws {
    let outcome = try lint(plugin: "offset")
    #expect(
      outcome.text == """
        chain.json:3:13: warning: 'fx' adds a DC offset of -26.0 dBFS (5.0 % of full scale) that \
        its input does not have
            { "id": "fx", "lv2": "urn:fxrun:test:offset" }
                    ^~~~
          a dcBlock behind it removes it
        1 warning

        """)
  }

  @Test func `an ignored finding is not reported`() throws {
    let outcome = try lint(plugin: "offset", "", "--ignore", "dc-offset")
    #expect(outcome.text == "no findings\n")
    #expect(outcome.exitCode == 0)
    let unknown = try lint(plugin: "offset", "", "--ignore", "dc-ofset")
    #expect(unknown.exitCode == 64)
    #expect(unknown.errorText.contains("did you mean 'dc-offset'?"))
  }

  @Test func `a latency that is not reported is found beside a dry signal`() throws {
    let mixed = try lint(plugin: "late", ", \"wet\": 0.5", "--json")
    #expect(try findings(mixed) == ["unaligned-latency fx"], "\(mixed.text)")
    let alone = try lint(plugin: "late", "", "--json")
    #expect(try findings(alone) == [], "\(alone.text)")
    let told = try lint(plugin: "late", ", \"wet\": 0.5, \"latency\": \"40 frames\"", "--json")
    #expect(try findings(told) == [], "\(told.text)")
  }

  @Test func `wrong levels are found at the node that makes them`() throws {
    let outcome = try lint(
      """
      { "version": 1, "tail": "none",
        "chain": [
          { "id": "up", "unit": "gain", "parameters": { "gain": "30 dB" } },
          { "id": "clips", "lv2": "urn:fxrun:test:clips" },
          { "id": "down", "unit": "gain", "parameters": { "gain": "-60 dB" } },
          { "id": "again", "unit": "gain", "parameters": { "gain": "30 dB" } },
          { "id": "over", "unit": "gain", "parameters": { "gain": "36 dB" } }
        ] }
      """, "--json")
    #expect(
      try findings(outcome) == ["clipping output", "overload clips", "weak-signal down"],
      "\(outcome.text)")
    #expect(outcome.exitCode == 7)
  }

  @Test func `a float file does not clip`() throws {
    let outcome = try lint(
      """
      { "version": 1, "tail": "none", "chain": [
        { "unit": "gain", "parameters": { "gain": "24 dB" } },
        { "sink": { "file": "out.wav" } } ] }
      """)
    #expect(outcome.text == "no findings\n")
    #expect(folder.names == ["chain.json"])
  }

  @Test func `silence is followed to the node that makes it`() throws {
    let outcome = try lint(
      """
      { "version": 1, "chain": [
        { "unit": "gain" },
        { "id": "shut", "unit": "gain", "parameters": { "gain": "-inf dB" } },
        { "unit": "highPass" } ] }
      """, "--json")
    #expect(try findings(outcome) == ["silent-output shut"], "\(outcome.text)\(outcome.errorText)")
  }

  @Test func `a tail that is cut off is a finding, a long tail that fades out is not`() throws {
    func echo(_ tail: String) -> String {
      """
      { "version": 1, "tail": \(tail), "chain": [
        { "unit": "delay", "parameters": { "time": "200 ms", "feedback": "50 %" } } ] }
      """
    }
    #expect(try findings(try lint(echo("\"none\""), "--json")) == ["tail-cut output"])
    #expect(try findings(try lint(echo("\"auto\""), "--json")) == [])
  }

  @Test func `a plugin that is not real-time capable is a warning in live use`() throws {
    let live = try lint(plugin: "gain", "", "--live", "--json")
    #expect(try findings(live) == ["not-realtime fx"], "\(live.text)")
    #expect(try findings(try lint(plugin: "gain", "", "--json")) == [])
    let device = try lint(
      """
      { "version": 1, "chain": [
        { "id": "fx", "lv2": "urn:fxrun:test:gain" }, { "sink": { "alsa": "default" } } ] }
      """, "--json")
    #expect(try findings(device) == ["not-realtime fx"], "\(device.text)\(device.errorText)")
  }

  @Test func `a chain that cannot be rendered fails with the usual error`() throws {
    let mistaken = try lint("{ \"version\": 1, \"chain\": [ { \"unit\": \"gian\" } ] }")
    #expect(mistaken.exitCode == 2)
    #expect(mistaken.errorText.contains("did you mean 'gain'?"))
    let crashing = try lint(plugin: "crash")
    #expect(crashing.exitCode == 3)
    #expect(crashing.errorText.contains("urn:fxrun:test:crash"))
    let unwilling = try lint(plugin: "unwilling")
    #expect(unwilling.exitCode == 3)
    #expect(unwilling.errorText.contains("chain.json:3:13: error: 'fx' cannot start"))
    let nonFinite = try lint(plugin: "nan")
    #expect(nonFinite.exitCode == 3)
  }

  @Test func `several chains are reported one after the other, with a file for their input`() throws
  {
    try folder.write("good.json", "{ \"version\": 1, \"chain\": [ { \"unit\": \"highPass\" } ] }")
    try folder.write(
      "loud.json",
      "{ \"version\": 1, \"chain\": [ { \"unit\": \"gain\", \"parameters\": { \"gain\": \"12 dB\" } } ] }"
    )
    try folder.write("in.wav", Sound([Signal.impulse(900, at: 3)]))
    // A shell expands *.json to this file too.
    try folder.write("good.test.json", #"{ "version": 1 }"#)
    let outcome = try Program.run(
      ["lint", "good.json", "good.test.json", "loud.json", "in.wav"], in: folder.path,
      environment: TestPlugins.environment)
    #expect(outcome.exitCode == 7)
    #expect(outcome.text.hasPrefix("good.json: no findings\n"), "\(outcome.text)")
    #expect(outcome.text.hasSuffix("loud.json: 1 warning\n"))
    #expect(folder.names == ["good.json", "good.test.json", "in.wav", "loud.json"])
  }

  @Test func `a stopped lint leaves no file`() throws {
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "reverb" }] }"#)
    try FileManager.default.createDirectory(
      atPath: folder.file("scratch"), withIntermediateDirectories: true)
    func scratch() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("scratch"))
    }
    let program = try Program(
      ["lint", "chain.json", "--duration", "3600", "--json"], in: folder.path,
      environment: ["TMPDIR": folder.file("scratch")])
    program.pump(limit: 30) { _ in (try? scratch().isEmpty) == false }
    #expect(try scratch().count == 1)
    program.signal(SIGTERM)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(outcome.text == "")
    #expect(try scratch() == [])
  }

  @Test(arguments: [
    "de-harsh", "dub-delay", "headphones", "karaoke", "mastering", "night-listening", "opening",
    "podcast-voice", "publish", "radio", "sing-along", "three-way-crossover",
    "vocal-parallel-compression",
    "voice-over-music",
  ])
  func `our own chains of built-in units have no findings`(_ name: String) throws {
    let outcome = try Program.run(
      [
        "lint", "\(Fixture.repository)/chains/\(name).json", "--duration", "1", "--ignore",
        "not-exercised",
      ],
      in: folder.path)
    #expect(outcome.text == "no findings\n", "\(outcome.text)\(outcome.errorText)")
  }
}
