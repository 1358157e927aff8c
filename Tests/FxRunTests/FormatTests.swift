import Foundation
import FxTestSupport
import Testing

/// Sample rates and channel counts that differ between a chain and its sounds.
@Suite struct FormatTests {
  private let folder = Folder()

  private func render(_ chain: String, _ options: String...) throws -> Sound {
    try folder.write("chain.json", chain)
    let outcome = try Program.run(
      ["chain.json", "-o", "out.wav", "--bits", "32"] + options, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    return try folder.sound("out.wav")
  }

  /// The power of a tone as a share of the total power.
  private func purity(_ samples: ArraySlice<Float>, _ hertz: Double, _ rate: Double) -> Double {
    var (sine, cosine, total) = (0.0, 0.0, 0.0)
    for (frame, sample) in zip(samples.indices, samples) {
      let angle = hertz * Double(frame) / rate * 2 * Double.pi
      sine += Double(sample) * sin(angle)
      cosine += Double(sample) * cos(angle)
      total += Double(sample * sample)
    }
    return 2 * (sine * sine + cosine * cosine) / (Double(samples.count) * total)
  }

  @Test func `a chain with its own rate gets its input resampled to the same duration`() throws {
    try folder.write("in.wav", Sound([Signal.tone(1000, sampleRate: 44100, 22050)]))
    let rendered = try render(
      #"{ "version": 1, "sampleRate": 48000, "tail": "none", "chain": [] }"#, "--input",
      "main=in.wav")
    #expect(rendered.rate == 48000)
    #expect(rendered.frameCount == 24000)
    // The level, the pitch and the start are kept.
    let tone = Signal.tone(1000, 24000)
    for frame in 2000..<22000 {
      guard abs(rendered.channels[0][frame] - tone[frame]) < 1e-3 else {
        Issue.record("frame \(frame): \(rendered.channels[0][frame]), not \(tone[frame])")
        return
      }
    }
    #expect(purity(rendered.channels[0][2000..<22000], 1000, 48000) > 0.99999)
  }

  @Test func `the rate and the resampling quality can be set in the chain and by options`() throws {
    try folder.write("in.wav", Sound([Signal.tone(18500, sampleRate: 44100, 22050)]))
    let plain = #""tail": "none", "chain": []"#
    func tone(_ chain: String, _ options: String...) throws -> [Float] {
      try folder.write("chain.json", #"{ "version": 1, \#(chain) }"#)
      let outcome = try Program.run(
        ["chain.json", "in.wav", "-o", "out.wav", "--bits", "32"] + options, in: folder.path)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      let sound = try folder.sound("out.wav")
      #expect(sound.rate == 48000)
      return sound.channels[0]
    }
    let low = try tone(#""sampleRate": 48000, "resampling": "low", "# + plain)
    let high = try tone(#""sampleRate": 48000, "# + plain)
    #expect(low.count == 24000)
    #expect(low[8000..<16000].max() ?? 1 < 0.98 * (high[8000..<16000].max() ?? 0))
    #expect(try tone(plain, "--sample-rate", "48000", "--resampling", "low") == low)
    #expect(try tone(plain, "--sample-rate", "48000") == high)
    let key = #""sampleRate": 44100, "resampling": "low", "#
    #expect(
      try tone(key + plain, "--sample-rate", "48000", "--resampling", "veryHigh") == high)
  }

  @Test(arguments: [["--resampling", "best"], ["--sample-rate", "12"]])
  func `an impossible rate and an unknown quality are refused`(_ options: [String]) throws {
    try folder.write("in.wav", Sound([Signal.silence(10)]))
    try folder.write("chain.json", #"{ "version": 1, "chain": [] }"#)
    let outcome = try Program.run(
      ["chain.json", "in.wav", "-o", "out.wav"] + options, in: folder.path)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains(options[1]))
  }

  @Test func `inputs of different rates and widths are converted to the main input's rate`() throws
  {
    try folder.write("in.wav", Sound([Signal.silence(4410), Signal.silence(4410)]))
    try folder.write("voice.wav", Sound([Signal.constant(0.25, 2400)], rate: 48000))
    let rendered = try render(
      """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "v": { "source": "voice" }, "out": { "sink": "main" } },
        "connections": ["in -> out", "v -> out"] }
      """, "--input", "main=in.wav", "--input", "voice=voice.wav")
    #expect(rendered.rate == 44100)
    #expect(rendered.channels.map(\.count) == [4410, 4410])
    // 2400 frames at 48 kHz are 2205 at 44.1 kHz; mono goes to both channels.
    #expect(rendered.channels[0] == rendered.channels[1])
    #expect(rendered.channels[0][100..<2100].allSatisfy { abs($0 - 0.25) < 1e-3 })
    #expect(rendered.channels[0][2300...].allSatisfy { abs($0) < 1e-3 })
  }

  @Test func `a mono sound stays mono until the chain is wider`() throws {
    let sound = Sound([Signal.noise(3000)])
    try folder.write("in.wav", sound)
    #expect(try render(emptyChain, "--input", "main=in.wav") == sound)
    let panned = try render(
      #"{ "version": 1, "tail": "none", "chain": [{ "unit": "pan", "parameters": { "pan": 1 } }] }"#,
      "--input", "main=in.wav")
    #expect(panned.channels.count == 2)
    #expect(panned.channels[0].allSatisfy { abs($0) < 1e-6 })
    let wide = try render(
      #"{ "version": 1, "tail": "none", "channels": 2, "chain": [{ "unit": "gain" }] }"#,
      "--input", "main=in.wav")
    #expect(wide.channels == [sound.channels[0], sound.channels[0]])
  }

  @Test func `a chain for two channels refuses three`() throws {
    try folder.write("in.wav", Sound((0..<3).map { Signal.noise(500, seed: $0 + 1) }))
    try folder.write(
      "chain.json", #"{ "version": 1, "channels": 2, "chain": [{ "unit": "gain" }] }"#)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("downmix"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `six channels stay six channels`() throws {
    let sound = Sound((0..<6).map { Signal.noise(1500, seed: $0 + 1) }, rate: 96000)
    try folder.write("in.wav", sound)
    #expect(
      try render(
        #"{ "version": 1, "tail": "none", "chain": [{ "unit": "gain" }, { "unit": "limiter", "bypass": true }] }"#,
        "--input", "main=in.wav") == sound)
  }

  @Test(arguments: ["voice.mp3", "mono-vbr.mp3", "no-tag.mp3", "free-format.mp3"])
  func `FLAC, AIFF and Ogg files are read like the sound that they were made from`(_ name: String)
    throws
  {
    try folder.write("chain.json", emptyChain)
    for (file, step) in [("a.flac", Float(0x1p-23)), ("a.aiff", 0x1p-23), ("a.ogg", 0.5)] {
      let write = try folder.run(
        "chain.json", Fixture.audio(name), "-o", file, "--duration", "0.5")
      #expect(write.exitCode == 0, "\(write.errorText)")
      #expect(try folder.run("chain.json", file, "-o", "b.wav", "--bits", "32").exitCode == 0)
      #expect(
        try folder.run(
          "chain.json", Fixture.audio(name), "-o", "c.wav", "--duration", "0.5", "--bits", "32"
        )
        .exitCode == 0)
      #expect(try folder.sound("b.wav").distance(to: folder.sound("c.wav")) <= step)
    }
  }
}
