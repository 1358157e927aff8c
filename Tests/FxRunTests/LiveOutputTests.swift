import Foundation
import FxTestSupport
import Testing

/// The view and the reports while a chain plays, on a device of alsa-lib without a clock.
@Suite struct LiveOutputTests {
  private let folder = Folder()
  private let noise = Sound([Signal.noise(20_000), Signal.noise(20_000, seed: 2)])

  private func configure() throws -> [String: String] {
    try folder.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.!default { type null }
      pcm.integers { type linear slave { pcm { type null } format S16_LE } }
      """)
    try folder.write(
      "chain.json",
      #"""
      { "version": 1, "name": "Test", "tail": "none",
        "chain": [{ "unit": "compressor" }, { "unit": "limiter" }] }
      """#)
    return ["ALSA_CONFIG_PATH": folder.file("asound.conf")]
  }

  private func lines(_ outcome: Program.Outcome) throws -> [JSONValue] {
    try outcome.text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
  }

  @Test func `JSON while playing has one object per line, the summary last`() throws {
    let environment = try configure()
    try folder.write("in.wav", noise)
    let outcome = try folder.run(
      "chain.json", "in.wav", "--json", "--meters", "0.1", environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let lines = try lines(outcome)
    #expect(lines.last?["event"].text == "summary")
    #expect(lines.last?["live"]["device"].text == "default")
    let meters = try #require(lines.first { $0["event"].text == "meters" })
    #expect(meters["chain"].text == "Test")
    #expect(meters["state"].text == "playing")
    #expect(meters["sinks"][0]["channels"].elements.count == 2)
    #expect(meters["nodes"][0]["node"].text == "compressor")
    #expect(meters["nodes"][0]["readings"].keys == ["gainReduction"])
    #expect(
      meters["nodes"][1]["load"].keys == ["max", "mean", "now", "p50", "p99", "p999"])
    #expect(meters["blocks"]["max"].number != nil)
    let nodes = try #require(lines.last?["live"]["nodes"].elements)
    // The third entry is the work between the nodes.
    #expect(Set(nodes.map { $0["node"].text }) == ["compressor", "limiter", nil])
    #expect(
      nodes[0].keys == [
        "max", "mean", "nanosecondsPerFrame", "node", "p50", "p99", "p999", "share", "unit",
      ])
  }

  @Test func `a device that accepts all settings is not reported`() throws {
    let environment = try configure()
    try folder.write("in.wav", noise)
    // Tests/Live has devices that fail; this one takes every period.
    let outcome = try folder.run(
      "chain.json", "in.wav", "--json", "--device", "integers", "--period", "77",
      environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let lines = try lines(outcome)
    #expect(lines.map { $0["event"].text } == ["summary"])
    #expect(lines.last?["live"]["periodFrames"].number == 77)
    #expect(lines.last?["deviceEvents"].elements.isEmpty == true)
  }

  @Test func `a failure while playing is one line, too`() throws {
    let environment = try configure()
    try folder.write("in.wav", noise)
    let outcome = try folder.run(
      "chain.json", "in.wav", "--json", "--device", "nowhere", environment: environment)
    #expect(outcome.exitCode == 6)
    #expect(try lines(outcome).map { $0["error"]["kind"].text } == ["device"])
  }

  @Test(arguments: ["0", "0.05", "nan", "9999"])
  func `an impossible interval is refused`(_ interval: String) throws {
    let environment = try configure()
    try folder.write("in.wav", noise)
    let outcome = try folder.run(
      "chain.json", "in.wav", "--meters", interval, environment: environment)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("--meters must be 0.1 to 3600 seconds"))
  }

  /// Plays a chain without an end.
  private func endless(
    _ options: [String] = [], settings: [String: String] = [:], terminal: Bool = true
  ) throws -> Program {
    let environment = try configure()
    try folder.write(
      "endless.json",
      #"""
      { "version": 1, "name": "Test", "chain": [
        { "source": "null" }, { "unit": "limiter" }, { "sink": { "alsa": "default" } } ] }
      """#)
    return try Program(
      ["endless.json"] + options, in: folder.path,
      environment: environment.merging(settings) { $1 }, terminal: terminal)
  }

  @Test func `a terminal shows the view in place and is restored at the end`() throws {
    let program = try endless()
    #expect(program.pump(limit: 30) { $0.errorText.components(separatedBy: "0 xruns").count > 3 })
    program.signal(SIGINT)
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let drawn = outcome.errorText
    #expect(drawn.contains("Test · default · "))
    #expect(drawn.contains("limiter"))
    // Each view overwrites the previous one, and the cursor is shown again each time.
    #expect(drawn.contains(/\u{1B}\[\?25l\r\u{1B}\[\d+A/))
    #expect(
      drawn.components(separatedBy: "\u{1B}[?25l").count
        == drawn.components(separatedBy: "\u{1B}[?25h").count)
    // The last view is erased.
    #expect(drawn.contains(/\u{1B}\[\d+A\u{1B}\[J[^\u{1B}]*$/))
    #expect(outcome.text.contains("heaviest: limiter"))
  }

  @Test(arguments: ["--no-view", "-q", "--json", "TERM=dumb", "no terminal"])
  func `no view is shown where it is switched off or there is no terminal`(_ case: String) throws {
    let program = try endless(
      `case`.hasPrefix("-") ? [`case`] : [],
      settings: `case` == "TERM=dumb" ? ["TERM": "dumb"] : [:], terminal: `case` != "no terminal")
    program.pump(limit: 1) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(!outcome.errorText.contains("\u{1B}[?25l"))
  }

  @Test func `a profile is a table after the summary, and a list in its JSON`() throws {
    try folder.write("in.wav", noise)
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [{ "unit": "reverb" }, { "unit": "gain" }] }"#)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--profile")
    #expect(outcome.exitCode == 0)
    let lines = outcome.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines[2].map(String.init) == ["node", "unit", "share", "ns/frame", "longest", "block"])
    #expect(lines[3].first == "reverb")
    #expect(lines[4].first == "gain")
    #expect(lines[5].first == "all")
    let json = try JSONValue(
      try folder.run("chain.json", "in.wav", "-o", "out.wav", "--profile", "--json").output)
    #expect(json["nodes"].elements.map { $0["node"].text } == ["reverb", "gain"])
    let share = json["nodes"].elements.compactMap { $0["share"].number }.reduce(0, +)
    #expect(abs(share - 1) < 1e-5)
  }
}
