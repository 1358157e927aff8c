import FxTestSupport
import Testing

/// Plugins that fail while they render, sources with samples that are not finite, and latencies
/// that change: the written file, the messages and the exit status.
@Suite struct FaultTests {
  private let folder = Folder()

  private func chain(_ nodes: String, _ more: String = "") -> String {
    #"{ "version": 1, "tail": "none", "chain": [\#(nodes)]\#(more) }"#
  }

  private func nan(_ parameters: String) -> String {
    #"{ "id": "bad", "lv2": "urn:fxrun:test:nan", "parameters": { \#(parameters) } }"#
  }

  private let name = "'bad' (urn:fxrun:test:nan)"

  @Test func `a sample that is not a number ends a render, with the plugin's name and the frame`()
    throws
  {
    try folder.write("chain.json", chain(nan(#""after": 30000"#)))
    try folder.write("in.wav", Sound([Signal.noise(44100), Signal.noise(44100, seed: 2)]))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText
        == "error: \(name) made a sample that is not a number at 0:00.680 (frame 30000)\n")
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `as JSON the failure has a code, and an infinite sample is named`() throws {
    try folder.write("chain.json", chain(nan(#""after": 0, "infinite": true"#)))
    try folder.write("in.wav", Sound([Signal.noise(1000)]))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--json", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 3)
    let error = try JSONValue(outcome.output)["error"]
    #expect(error["kind"].text == "plugin")
    #expect(error["code"].text == "not-finite")
    #expect(error["message"].text == "\(name) made an infinite sample at 0:00.000 (frame 0)")
    #expect(!folder.names.contains("out.wav"))
  }

  @Test func `a signal that grows without limit is a mistake of the chain`() throws {
    let gains = [String](
      repeating: #"{ "unit": "gain", "parameters": { "gain": "24 dB" } }"#, count: 40)
    try folder.write("chain.json", chain(gains.joined(separator: ",")))
    try folder.write("in.wav", Sound([Signal.noise(1000)]))
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("made an infinite sample at 0:00.000 (frame "))
    #expect(outcome.errorText.contains("the signal grows beyond what a sample can hold"))
    #expect(!folder.names.contains("out.wav"))
  }

  @Test func `bad samples of a source become silence with a warning and are no fault`() throws {
    var samples = Signal.noise(20000)
    samples[12345] = .nan
    samples[12346] = .infinity
    try folder.write("chain.json", chain(#"{ "lv2": "urn:fxrun:test:gain" }"#))
    try folder.write("in.wav", Sound([samples]))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--bits", "32",
      environment: TestPlugins.environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(
      outcome.errorText.contains(
        "in.wav: 2 samples are not a number or infinite, the first at 0:00.279 (frame 12345): "
          + "taken as silence"), "\(outcome.errorText)")
    let written = try folder.sound("out.wav").channels[0]
    #expect(written.count == 20000)
    #expect(written[12345] == 0)
    #expect(written[12346] == 0)
  }

  /// Plays a second on a device without a clock, so that a plugin has time to be restarted.
  private func play(_ nodes: String, _ options: String...) throws -> Program.Outcome {
    try folder.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.!default { type null }
      """)
    try folder.write("chain.json", chain(nodes))
    var environment = TestPlugins.environment
    environment["ALSA_CONFIG_PATH"] = folder.file("asound.conf")
    return try Program.run(
      ["chain.json", Fixture.audio("voice.mp3")] + options, in: folder.path,
      environment: environment)
  }

  @Test func `a plugin that fails while playing is silenced, restarted and reported once`() throws {
    let outcome = try play(nan(#""after": 30000, "times": 1"#), "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let line = "\(name) made a sample that is not a number at 0:00.680 (frame 30000)"
    let objects = try outcome.text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    let told = objects.compactMap { $0["message"].text }.filter { $0.contains(line) }
    #expect(told == ["\(line); it was silent until it had been restarted"])
    let faults = try #require(objects.last)["faults"].elements
    #expect(faults.count == 1)
    #expect(faults.first?["node"].text == "bad")
    #expect(faults.first?["kind"].text == "not-finite")
    #expect(faults.first?["frame"].number == 30000)
    #expect(faults.first?["outcome"].text == "restarted")
  }

  @Test func `a change of latency shifts neither the sound nor the end of the file`() throws {
    var impulses = [Float](repeating: 0, count: 44100)
    for frame in stride(from: 500, to: 44100, by: 1000) { impulses[frame] = 0.5 }
    try folder.write("in.wav", Sound([impulses]))
    for (from, to) in [(100, 2000), (2000, 100)] {
      try folder.write(
        "chain.json",
        chain(
          #"{ "id": "late", "lv2": "urn:fxrun:test:latency", "wet": "50 %" }"#,
          #"""
          , "automation": [
            { "parameter": "late.length", "points": [ [0, \#(from)], ["0.5 s", \#(to)] ] }
          ]
          """#))
      let outcome = try folder.run(
        "chain.json", "in.wav", "-o", "out.wav", "--bits", "32", "--json",
        environment: TestPlugins.environment)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      let written = try folder.sound("out.wav").channels[0]
      #expect(written.count == impulses.count)
      // Dry and wet are aligned except around the change of the latency.
      let torn = 19500..<23000
      for (frame, sample) in written.enumerated() where !torn.contains(frame) {
        guard sample == impulses[frame] else {
          Issue.record("\(from) to \(to): frame \(frame)")
          break
        }
      }
      let changes = try JSONValue(outcome.output)["latencyChanges"].elements
      // The first latency was read before the automation began.
      #expect(changes.map { $0["latencyFrames"].number } == [Double(from), Double(to)])
    }
  }
}
