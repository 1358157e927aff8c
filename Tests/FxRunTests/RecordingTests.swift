import FxTestSupport
import Glibc
import Testing

/// Recording and device options without hardware: devices of alsa-lib's own that read a file.
@Suite struct RecordingTests {
  private let folder = Folder()

  private func configure(_ sound: Sound) throws -> [String: String] {
    let frames = (0..<sound.frameCount).flatMap { frame in sound.channels.map { $0[frame] } }
    try folder.write("mic.raw", frames.withUnsafeBytes { Array($0) })
    try folder.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.nowhere { type null }
      pcm.mic {
        type file slave.pcm nowhere file "/dev/null" infile "\(folder.file("mic.raw"))" format raw
      }
      pcm.ears { type file slave.pcm nowhere file "\(folder.file("ears.raw"))" format raw }
      pcm.!default { type asym playback.pcm ears capture.pcm mic }
      """)
    return ["ALSA_CONFIG_PATH": folder.file("asound.conf")]
  }

  @Test func `a chain that begins with a device records into a file`() throws {
    let sound = Sound([Signal.noise(20_000), Signal.noise(20_000, seed: 2)])
    let environment = try configure(sound)
    try folder.write(
      "chain.json",
      #"{ "version": 1, "sampleRate": 44100, "chain": [{ "source": { "alsa": "mic" } }] }"#)
    let outcome = try folder.run(
      "chain.json", "-o", "take.wav", "--bits", "32", "--duration", "0.25", "--json",
      environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let take = try folder.sound("take.wav")
    #expect(take.frameCount == 11025)
    #expect(!sound.channels[1][441..<11025].allSatisfy { $0 == 0 })
    // The first hundredth of a second is faded in.
    #expect(Array(take.channels[1][441...]) == Array(sound.channels[1][441..<11025]))
    let summary = try JSONValue(outcome.output)
    #expect(summary["live"]["captureDevice"].text == "mic")
    #expect(summary["live"]["capture"]["format"].text == "FLOAT_LE")
    #expect(summary["live"]["capture"]["sampleRate"].number == 44100)
    #expect(summary["deviceEvents"].elements.isEmpty)
  }

  @Test func `without files the chain records from the device and plays on it`() throws {
    let environment = try configure(Sound([Signal.noise(20_000), Signal.noise(20_000, seed: 2)]))
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "limiter" }] }"#)
    let outcome = try folder.run(
      "chain.json", "--duration", "0.1", "--period", "64", "--periods", "2", "--json",
      environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let summary = try JSONValue(outcome.output)
    #expect(summary["live"]["device"].text == "default")
    #expect(summary["live"]["captureDevice"].text == "default")
    let latency = try #require(summary["latencyFrames"].number)
    #expect(summary["live"]["roundTripFrames"].number == 128 + latency)
    #expect(summary["live"]["periodFrames"].number == 64)
  }

  @Test func `with -o an input needs a file or a device to record`() throws {
    let environment = try configure(Sound([Signal.noise(20_000), Signal.noise(20_000)]))
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#)
    let refused = try folder.run("chain.json", "-o", "x.wav", environment: environment)
    #expect(refused.exitCode == 64)
    #expect(refused.errorText.contains("nothing is bound to the input 'main'"))
    let recorded = try folder.run(
      "chain.json", "-o", "x.wav", "--capture", "mic", "--capture-channels", "1", "--duration",
      "0.1", environment: environment)
    #expect(recorded.exitCode == 0, "\(recorded.errorText)")
    #expect(try folder.sound("x.wav").channels.count == 1)
  }

  @Test func `a missing microphone is named with remedies`() throws {
    let environment = try configure(Sound([[0], [0]]))
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [{ "source": { "alsa": "nobody" } }] }"#)
    let outcome = try folder.run("chain.json", "-o", "x.wav", environment: environment)
    #expect(outcome.exitCode == 6)
    #expect(outcome.errorText.contains("cannot record from the sound device 'nobody'"))
    #expect(outcome.errorText.contains("fxrun devices"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
  }

  @Test func `devices are listed as text and as JSON`() throws {
    let environment = try configure(Sound([[0], [0]]))
    let text = try folder.run("devices", environment: environment)
    #expect(text.exitCode == 0)
    #expect(text.text.contains("mic\n"))
    #expect(text.text.contains("  records FLOAT_LE"))
    let list = try JSONValue(try folder.run("devices", "--json", environment: environment).output)
    #expect(list[0]["name"].text == "default")
    #expect(list[0]["capture"]["state"].text == "available")
  }

  @Test(arguments: [
    ["--period", "0"], ["--periods", "1"], ["--capture-channels", "0"], ["--on-lost", "cry"],
    ["--cpu", "3-2"], ["--cpu", "1,,2"], ["--cpu", "5000"],
  ])
  func `settings that no device has are refused`(_ arguments: [String]) throws {
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#)
    let outcome = try Program.run(["chain.json"] + arguments, in: folder.path)
    #expect(outcome.exitCode == 64)
  }
}
