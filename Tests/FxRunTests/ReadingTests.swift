import Foundation
import FxTestSupport
import Testing

/// What plugins and units publish: in the summary, in answers of the control socket, in meters.
@Suite struct ReadingTests {
  private let folder = Folder()

  private static let installed = ["LV2_PATH": "/usr/lib/lv2"]
  private static let tuner = "http://gareus.org/oss/lv2/tuna#one"
  private static let loudness = "http://gareus.org/oss/lv2/meters#dr14mono"

  static let hasMeters = ["tuna.lv2", "meters.lv2"].allSatisfy {
    FileManager.default.fileExists(atPath: "/usr/lib/lv2/\($0)/manifest.ttl")
  }

  private func chain(_ nodes: String, seconds: Int? = nil, sink: String = "") -> String {
    let length = seconds.map { ", \"duration\": \"\($0) s\"" } ?? ""
    return """
      { "version": 1, "tail": "none", "sampleRate": 48000, "chain": [
        { "source": { "signal": "tone", "frequency": "440 Hz", "level": "-6 dB", "channels": 1\(length) } },
        \(nodes)\(sink) ] }
      """
  }

  /// Readings of a render by name.
  private func rendered(
    _ nodes: String, seconds: Int = 1, environment: [String: String] = TestPlugins.environment
  ) throws -> [String: JSONValue] {
    try folder.write("chain.json", chain(nodes, seconds: seconds))
    let outcome = try folder.run("chain.json", "-o", "out.wav", "--json", environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let readings = try JSONValue(outcome.output)["readings"].elements
    return Dictionary(readings.map { ($0["name"].text ?? "", $0) }) { first, _ in first }
  }

  /// Plays while `body` sends requests.
  private func playing(
    _ nodes: String, environment: [String: String] = TestPlugins.environment,
    _ body: (_ ask: (String...) throws -> Program.Outcome) throws -> Void
  ) throws {
    try folder.write("chain.json", chain(nodes, sink: #", { "sink": { "alsa": "null" } }"#))
    let socket = folder.file("control.sock")
    let program = try Program(
      ["chain.json", "--control", socket, "--quiet"], in: folder.path, environment: environment)
    for _ in 0..<1000 where !folder.names.contains("control.sock") { usleep(10_000) }
    defer { program.signal(SIGTERM) }
    try body { (words: String...) in
      try Program.run(["control", socket] + words, in: folder.path, limit: 30)
    }
  }

  @Test func `readings are those at the end of the sound at every block size`() throws {
    // 0.7 s are no whole number of blocks.
    for size in ["64", "256", "2048", "4096"] {
      try folder.write(
        "chain.json",
        """
        { "version": 1, "tail": "none", "sampleRate": 48000, "chain": [
          { "source": { "signal": "sine", "frequency": "1 kHz", "level": "-20 dB",
              "channels": 1, "duration": "0.7 s" } },
          { "id": "m", "unit": "meter" }, { "unit": "gain" } ] }
        """)
      let outcome = try folder.run(
        "chain.json", "-o", "out\(size).wav", "--json", "--block-size", size)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      let readings = try JSONValue(outcome.output)["readings"].elements
      let rms = try #require(readings.first { $0["name"].text == "m.rms" })
      #expect(abs((rms["value"].number ?? 0) - -23.01) < 0.005)
    }
  }

  @Test(arguments: ["", #", "isolated": true"#])
  func `a plugin's output ports are in the summary with name and unit`(_ isolated: String) throws {
    let readings = try rendered(
      #"{ "id": "n", "lv2": "urn:fxrun:test:named", "parameters": { "mk": 0.5 }\#(isolated) }"#)
    let level = try #require(readings["n.elm"])
    #expect(level["summary"].text == "Envelope level meter")
    #expect(level["unit"].text == "dB")
    #expect(abs((level["value"].number ?? 0) - -12.02) < 0.05)
    let count = try #require(readings["n.count"])
    #expect(count["unit"].text == "frames")
    #expect(abs((count["value"].number ?? 0) - 48000) <= 512)
  }

  @Test func `a plugin that runs once per channel has a list of values`() throws {
    try folder.write(
      "in.wav", Sound([[Float](repeating: 0.5, count: 999), [Float](repeating: 0, count: 999)]))
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "none", "chain": [ { "id": "n", "lv2": "urn:fxrun:test:named" } ] }"#
    )
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--json", environment: TestPlugins.environment)
    let readings = try JSONValue(outcome.output)["readings"].elements
    let values = readings.first { $0["name"].text == "n.elm" }?["value"].elements ?? []
    #expect(values.count == 2)
    #expect(values.first?.number == -6.02)
    #expect(values.last?.number == nil)
  }

  @Test(arguments: ["", #", "isolated": true"#])
  func `readings are read, listed and metered while the chain plays`(_ isolated: String) throws {
    let node =
      #"{ "id": "n", "lv2": "urn:fxrun:test:named", "parameters": { "mk": "-6 dB" }\#(isolated) }"#
    try playing(node) { ask in
      var level = ""
      for _ in 0..<50 where !level.hasPrefix("-12") {
        usleep(100_000)
        level = try ask("get", "n.elm").text
      }
      #expect(level.hasPrefix("-12") && level.hasSuffix(" dB\n"), "\(level)")
      #expect(try ask("get", "n.mk").text == "-6 dB\n")
      #expect(try ask("get", "n.count").text.hasSuffix(" frames\n"))
      let list = try ask("list").text
      #expect(list.contains("(reading) Envelope level meter"), "\(list)")
      #expect(list.contains("-60…12 dB"), "\(list)")
      let meters = try JSONValue(try ask("meters").output)["meters"]["nodes"][0]
      #expect(meters["units"]["elm"].text == "dB")
      #expect(meters["names"]["elm"].text == "Envelope level meter")
      #expect((meters["readings"]["elm"].number ?? 0) < -11)
      let set = try ask("set", "n.elm", "1")
      #expect(set.exitCode == 64)
      #expect(
        set.errorText.contains("'elm' (Envelope level meter) is a reading"), "\(set.errorText)")
    }
  }

  @Test(.enabled(if: hasMeters, "x42-plugins is not installed"))
  func `a tuner shows its note and a meter its levels after a render`() throws {
    let readings = try rendered(
      #"{ "id": "tuner", "lv2": "\#(Self.tuner)" }, { "id": "dr", "lv2": "\#(Self.loudness)" }"#,
      seconds: 4, environment: Self.installed)
    let frequency = try #require(readings["tuner.freq_out"])
    #expect(abs((frequency["value"].number ?? 0) - 440) < 0.5)
    #expect(frequency["unit"].text == "Hz")
    #expect(frequency["summary"].text == "Detected Frequency")
    #expect(readings["tuner.note"]?["value"].number == 9)
    #expect(readings["tuner.octave"]?["value"].number == 4)
    let peak = try #require(readings["dr.dBTP_p"])
    #expect(abs((peak["value"].number ?? 0) - -6) < 0.05)
    #expect(abs((readings["dr.dBRMS_m"]?["value"].number ?? 0) - -6) < 0.1)
    #expect(peak["unit"].text == "dB")
  }

  @Test(.enabled(if: hasMeters, "x42-plugins is not installed"))
  func `a tuner shows its note and a meter its levels while they play`() throws {
    try playing(
      #"{ "id": "tuner", "lv2": "\#(Self.tuner)" }, { "id": "dr", "lv2": "\#(Self.loudness)" }"#,
      environment: Self.installed
    ) { ask in
      var note = ""
      for _ in 0..<80 where note != "9 st\n" {
        usleep(100_000)
        note = try ask("get", "tuner.note").text
      }
      #expect(note == "9 st\n")
      #expect(try ask("get", "dr.dBTP_p").text == "-6 dB\n")
      let list = try ask("list").text
      #expect(list.contains("(reading) Detected Frequency"))
      #expect(list.contains("(reading) dBTP - peak"))
      let nodes = try JSONValue(try ask("meters").output)["meters"]["nodes"]
      #expect(abs((nodes[0]["readings"]["freq_out"].number ?? 0) - 440) < 0.5)
      #expect(nodes[0]["units"]["freq_out"].text == "Hz")
      #expect(nodes[1]["readings"]["dBTP_p"].number == -6)
    }
  }
}
