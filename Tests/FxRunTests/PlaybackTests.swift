import FxTestSupport
import Glibc
import Testing

/// Playing without hardware, on devices of alsa-lib that write their signal to a file.
@Suite struct PlaybackTests {
  private let folder = Folder()

  /// Devices `default`, `short` (16 bits) and `other`, which write to files of those names.
  private func configure() throws -> [String: String] {
    try folder.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.nowhere { type null }
      pcm.!default { type file slave.pcm nowhere file "\(folder.file("default.raw"))" format raw }
      pcm.other { type file slave.pcm nowhere file "\(folder.file("other.raw"))" format raw }
      pcm.short16 { type file slave.pcm nowhere file "\(folder.file("short.raw"))" format raw }
      pcm.short { type linear slave { pcm short16 format S16_LE } }
      """)
    return ["ALSA_CONFIG_PATH": folder.file("asound.conf")]
  }

  private func floats(_ name: String) throws -> [Float] {
    let bytes = try folder.bytes(name)
    return bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  private func interleaved(_ sound: Sound) -> [Float] {
    (0..<sound.frameCount).flatMap { frame in sound.channels.map { $0[frame] } }
  }

  private static let chain = #"""
    { "version": 1, "tail": "50 ms",
      "chain": [{ "unit": "highPass" }, { "unit": "compressor" }, { "unit": "limiter" }] }
    """#

  @Test(arguments: ["no-tag.mp3", "voice.mp3"])
  func `the played sound equals the rendered sound`(_ name: String) throws {
    let environment = try configure()
    try folder.write("chain.json", Self.chain)
    let played = try folder.run(
      "chain.json", Fixture.audio(name), "--duration", "6", "--block-size", "1024",
      environment: environment)
    #expect(played.exitCode == 0, "\(played.errorText)")
    #expect(played.text.contains("played on default: peak"))
    #expect(played.text.contains("0 xruns"))
    #expect(!played.text.contains("missing"))
    let rendered = try folder.run(
      "chain.json", Fixture.audio(name), "--duration", "6", "-o", "out.wav", "--bits", "32",
      "--json")
    #expect(rendered.exitCode == 0)
    let expected = interleaved(try folder.sound("out.wav"))
    let heard = try floats("default.raw")
    // The chain's latency is not removed on a device.
    let removed = try JSONValue(rendered.output)["latencyFrames"].number ?? 0
    let latency = 2 * Int(removed)
    #expect(latency >= 60)
    #expect(heard.prefix(latency).allSatisfy { $0 == 0 })
    #expect(heard.count >= latency + expected.count)
    let matches = heard.dropFirst(latency).prefix(expected.count).elementsEqual(expected)
    #expect(matches)
    #expect(heard.dropFirst(latency + expected.count).allSatisfy { abs($0) < 1e-3 })
  }

  @Test func `a device of 16 bits gets rounded samples`() throws {
    let environment = try configure()
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "none", "chain": [{ "sink": { "alsa": "short" } }] }"#)
    let sound = Sound([Signal.noise(5000), Signal.noise(5000, seed: 2)])
    try folder.write("in.wav", sound)
    let played = try folder.run("chain.json", "in.wav", environment: environment)
    #expect(played.exitCode == 0, "\(played.errorText)")
    let bytes = try folder.bytes("short.raw")
    let heard = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 2)).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
    }
    #expect(heard.count >= 10_000)
    let expected = interleaved(sound)
    let largest = zip(heard, expected).map { abs(Float($0) / 32768 - $1) }.max() ?? 1
    #expect(largest <= 2.5 / 32768)
  }

  @Test func `a chain plays on its device and writes files at the same time`() throws {
    let environment = try configure()
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "ears": { "sink": { "alsa": "other" } },
          "take": { "sink": { "file": "take.wav", "bits": 32 } } },
        "connections": ["in -> ears", "in -> take"] }
      """)
    let sound = Sound([Signal.noise(5000), Signal.noise(5000, seed: 2)])
    try folder.write("in.wav", sound)
    let played = try folder.run("chain.json", "in.wav", "--json", environment: environment)
    #expect(played.exitCode == 0, "\(played.errorText)")
    #expect(try folder.sound("take.wav") == sound)
    #expect(Array(try floats("other.raw").prefix(10_000)) == interleaved(sound))
    let summary = try JSONValue(played.output)
    #expect(summary["live"]["device"].text == "other")
    #expect(summary["live"]["xruns"].number == 0)
    #expect(
      summary["live"].keys == [
        "blockSeconds", "blockTimes", "bufferFrames", "captureXruns", "changeXruns", "device",
        "differences", "gaps", "involuntarySwitches", "lateXruns", "latestWakeupSeconds",
        "maximumBlockSeconds",
        "meanBlockSeconds", "nodes", "otherWaits", "ownXruns", "periodFrames", "playback",
        "returns",
        "starvedFrames", "suspensions", "voluntarySwitches", "xruns",
      ])
    // With -o the device's sound goes into a file instead.
    let rendered = try folder.run("chain.json", "in.wav", "-o", "ears.wav", "--bits", "32")
    #expect(rendered.exitCode == 0, "\(rendered.errorText)")
    #expect(try folder.sound("ears.wav") == sound)
  }

  @Test func `a device without a clock waits for a slow file of the same chain`() throws {
    let environment = try configure()
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "ears": { "sink": { "alsa": "nowhere" } },
          "take": { "sink": { "file": "pipe.wav", "bits": 32 } } },
        "connections": ["in -> ears", "in -> take"] }
      """)
    let sound = Sound((0..<16).map { Signal.noise(30_000, seed: UInt64($0)) })
    try folder.write("in.wav", sound)
    let line = """
      mkfifo pipe.wav; { sleep 0.7; cat; } <pipe.wav >take.wav &
      '\(Program.path)' chain.json in.wav; echo $? >code; wait
      """
    let shell = try Program.run(
      ["-c", line], executable: "/bin/sh", in: folder.path, environment: environment)
    #expect(try folder.bytes("code") == Array("0\n".utf8), "\(shell.errorText)")
    #expect(!shell.text.contains("lost"))
    #expect(try folder.sound("take.wav") == sound)
  }

  @Test func `a chain that waits for its first sound can be stopped`() throws {
    let environment = try configure()
    try folder.write("chain.json", emptyChain)
    let program = try Program(
      ["chain.json", "-"], in: folder.path, environment: environment, input: .pipe)
    program.send(Array(Sound([Signal.noise(90_000)]).wave(bits: 16).prefix(3000)))
    program.pump(limit: 0.7) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.signal == nil)
    #expect([0, 130].contains(outcome.exitCode))
  }

  @Test func `without the device fxrun suggests a file`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", Sound([Signal.noise(100)]))
    try folder.write(
      "asound.conf", "</usr/share/alsa/alsa.conf>\npcm.!default { type hw card 77 }\n")
    let outcome = try folder.run(
      "chain.json", "in.wav", environment: ["ALSA_CONFIG_PATH": folder.file("asound.conf")])
    #expect(outcome.exitCode == 6)
    #expect(outcome.errorText.contains("'default'"))
    #expect(outcome.errorText.contains("-o"))
    // alsa-lib prints no message of its own.
    #expect(outcome.errorText.split(separator: "\n").count == 1)
  }
}
