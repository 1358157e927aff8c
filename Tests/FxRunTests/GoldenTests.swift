import Foundation
import FxTestSupport
import Testing

/// Texts that users read, compared with files in `Fixtures/golden`. `FXRUN_RECORD=1` writes these
/// again.
@Suite struct GoldenTests {
  private let folder = Folder()

  @Test(arguments: [
    "", "run", "control", "check", "plan", "profile", "plot", "diff", "info", "stats", "units",
    "plugins", "chains",
    "import", "export", "save-state", "schema", "test", "batch", "batch run", "batch merge",
  ])
  func `help`(_ command: String) throws {
    let arguments = command.split(separator: " ").map(String.init) + ["--help"]
    let outcome = try Program.run(arguments, environment: ["COLUMNS": "80"])
    #expect(outcome.exitCode == 0)
    try Golden.expect(
      outcome.text,
      is: command.isEmpty ? "help.txt" : "help-\(command.replacing(" ", with: "-")).txt")
  }

  static let chains = [
    "list": """
    { "version": 1, "name": "A list", "chain": [
      { "unit": "highPass", "parameters": { "frequency": "80 Hz" } },
      { "unit": "compressor", "lookahead": "5 ms" },
      { "unit": "reverb" }, { "unit": "limiter" } ] }
    """,
    "graph": """
    { "version": 1, "sampleRate": 48000,
      "nodes": {
        "in": { "source": "main" }, "duck": { "unit": "compressor", "lookahead": "5 ms" },
        "voice": { "source": "voice" }, "mix": { "unit": "mixer" }, "out": { "sink": "main" },
        "dry": { "sink": { "file": "dry.wav" } } },
      "connections": [
        "in -> duck -> mix -> out", "voice -> mix", "voice -> duck:sidechain",
        { "from": "in", "to": "dry", "gain": "-6 dB", "channels": [2, 1] } ] }
    """,
    "loop": """
    { "version": 1,
      "nodes": {
        "in": { "source": "main" }, "mix": { "unit": "mixer" },
        "tone": { "unit": "highPass" }, "out": { "sink": "main" } },
      "connections": [
        "in -> mix -> tone", "mix -> out",
        { "from": "tone", "to": "mix", "feedback": true, "delay": "250 ms", "gain": "-5 dB" } ] }
    """,
  ]

  @Test(arguments: chains.keys.sorted())
  func `plan`(_ name: String) throws {
    try folder.write("\(name).json", try #require(Self.chains[name]))
    let plan = try folder.run("plan", "\(name).json")
    #expect(plan.exitCode == 0, "\(plan.errorText)")
    try Golden.expect(plan.text, is: "plan-\(name).txt")
    let dot = try folder.run("plan", "--dot", "\(name).json")
    try Golden.expect(dot.text, is: "plan-\(name).dot")
  }

  @Test func `mistakes`() throws {
    try folder.write(
      "voice.json",
      """
      { "version": 1,
        "chian": [],
        "chain": [
          { "unit": "highPass", "parameters": { "freq": "80 Hz" } },
          { "unit": "gain", "parameters": { "gain": "60 dB" } },
          { "lv2": "urn:nothing:here" }
        ] }
      """)
    let check = try folder.run("check", "voice.json")
    #expect(check.exitCode == 2)
    try Golden.expect(check.text, is: "mistakes.txt")
    try Golden.expect(try folder.run("check", "voice.json", "--json").text, is: "mistakes.json")
  }
}
