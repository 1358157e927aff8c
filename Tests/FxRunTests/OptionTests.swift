import FxTestSupport
import Testing

/// The effect of a render's options on the sound.
@Suite struct OptionTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(9000), Signal.noise(9000, seed: 2)])

  private func render(_ chain: String, _ options: String...) throws -> Sound {
    try folder.write("chain.json", chain)
    try folder.write("in.wav", sound)
    let outcome = try Program.run(
      ["chain.json", "in.wav", "-o", "out.wav", "--bits", "32"] + options, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    return try folder.sound("out.wav")
  }

  private func list(_ nodes: String) -> String {
    #"{ "version": 1, "chain": [\#(nodes)], "tail": "none" }"#
  }

  @Test func `mono is the mean of the channels, and a channel that is left out is reported`() throws
  {
    let mean = zip(sound.channels[0], sound.channels[1]).map { ($0 + $1) / 2 }
    #expect(try render(list(""), "--mono").isClose(to: [mean]))
    #expect(try render(list(""), "--mono", "--channels", "2,1").isClose(to: [mean]))
    #expect(try render(list(""), "--mono", "--channels", "2").channels == [sound.channels[1]])
    let part = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--channels", "1")
    #expect(part.exitCode == 0)
    #expect(part.errorText.contains("only channel 1 of 2 is played; --mono mixes them"))
    #expect(try folder.run("none", "in.wav", "-o", "x.wav", "--channels", "2").errorText.isEmpty)
    try folder.write("mono.wav", Sound([Signal.noise(900)]))
    #expect(try folder.run("none", "mono.wav", "-o", "x.wav", "--channels", "1").errorText.isEmpty)
  }

  @Test(arguments: ["check", "plan", "lint", "plot", "profile", "run"])
  func `none stands for a chain in every command`(_ command: String) throws {
    try folder.write("in.wav", sound)
    let more = ["run": ["in.wav", "-o", "x.wav"], "plot": ["-o", "x.svg"]][command] ?? []
    let outcome = try Program.run([command, "none"] + more, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }

  @Test func `set replaces the chain's values`() throws {
    let set = try render(
      list(
        """
        { "unit": "gain", "parameters": { "gain": "-20 dB" } },
        { "unit": "equalizer", "bands": [{ "id": "air", "type": "highShelf" }, {}] },
        { "id": "room", "unit": "reverb" }
        """),
      "--set", "gain.gain=-3 dB", "--set", "equalizer.bands.air.gain=4",
      "--set", "equalizer.bands.2.frequency=3.2 kHz", "--set", "equalizer.bands.2.gain=-5dB",
      "--set", "room.wet=50 %", "--set", "gain.gain=-6 dB")
    let written = try render(
      list(
        """
        { "unit": "gain", "parameters": { "gain": "-6 dB" } },
        { "unit": "equalizer",
          "bands": [{ "id": "air", "type": "highShelf", "gain": 4 }, { "frequency": 3200, "gain": -5 }] },
        { "id": "room", "unit": "reverb", "wet": 0.5 }
        """))
    #expect(set == written)
    #expect(set != (try render(list(#"{ "unit": "gain" }"#))))
  }

  @Test func `a bypassed node passes its input on and keeps its latency`() throws {
    let chain = list(
      #"{ "unit": "gain", "parameters": { "gain": "-6 dB" } }, { "unit": "limiter" }"#)
    #expect(try render(chain, "--bypass", "gain", "--bypass", "limiter") == sound)
    #expect(try render(chain, "--bypass", "limiter") != sound)
  }

  @Test func `define gives variables their values`() throws {
    let chain =
      #"{ "version": 1, "tail": "none", "variables": { "level": "-20 dB" }, "chain": [{ "unit": "gain", "parameters": { "gain": "${level}" } }] }"#
    let defined = try render(chain, "--define", "level=-6 dB")
    let written = try render(list(#"{ "unit": "gain", "parameters": { "gain": "-6 dB" } }"#))
    #expect(defined == written)
    #expect(try render(chain) != written)
  }

  @Test(arguments: [("0.05", 2205), ("0:00.1", 4410), ("100ms", 4410), ("0.1s", 4410)])
  func `start leaves out the beginning of the input`(_ time: String, _ frames: Int) throws {
    let cut = try render(emptyChain, "--start", time)
    #expect(cut.channels == sound.channels.map { Array($0.dropFirst(frames)) })
  }

  @Test func `start and duration select a part of the input, and the tail follows it`() throws {
    let chain = #"{ "version": 1, "chain": [], "tail": "300 frames" }"#
    let part = try render(chain, "--start", "0.05", "--duration", "0.1")
    #expect(part.frameCount == 4410 + 300)
    #expect(part.prefix(4410).channels == sound.channels.map { Array($0[2205..<(2205 + 4410)]) })
    #expect(part.channels.allSatisfy { $0.suffix(300).allSatisfy { $0 == 0 } })
    // A duration longer than the input takes all of it.
    #expect(try render(chain, "--start", "0.15", "--duration", "9").frameCount == 9000 - 6615 + 300)
  }

  @Test func `a second input that ends before the start is silent`() throws {
    try folder.write("in.wav", sound)
    try folder.write("short.wav", Sound([Signal.constant(0.25, 1000)]))
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "nodes": { "in": { "source": "main" }, "b": { "source": "b" }, "out": { "sink": "main" } },
        "connections": ["in -> out", "b -> out"] }
      """)
    for (start, first) in [("0.01", 441), ("0.1", 4410)] {
      let outcome = try folder.run(
        "chain.json", "in.wav", "--input", "b=short.wav", "-o", "out.wav", "--bits", "32",
        "--start", start)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      let rendered = try folder.sound("out.wav")
      let level = { (frame: Int) -> Float in first + frame < 1000 ? 0.25 : 0 }
      let expected = sound.channels.map { channel in
        channel.dropFirst(first).enumerated().map { $1 + level($0) }
      }
      #expect(rendered.channels == expected)
    }
  }

  @Test func `start cuts an MP3 file at the same frame`() throws {
    try folder.write("chain.json", emptyChain)
    let input = Fixture.audio("voice.mp3")
    #expect(
      try folder.run("chain.json", input, "-o", "a.wav", "--bits", "32", "--duration", "3")
        .exitCode == 0)
    #expect(
      try folder.run(
        "chain.json", input, "-o", "b.wav", "--bits", "32", "--start", "2.5", "--duration", "0.5"
      )
      .exitCode == 0)
    let (whole, part) = (try folder.sound("a.wav"), try folder.sound("b.wav"))
    #expect(part.frameCount == 22050)
    #expect(part.channels == whole.channels.map { Array($0.suffix(22050)) })
  }

  @Test func `automation counts from the beginning of the input, whatever the start`() throws {
    let chain = #"""
      { "version": 1, "tail": "none", "chain": [{ "id": "g", "unit": "gain" }],
        "automation": [{ "parameter": "g.gain",
          "points": [["0:00", "-20 dB"], ["0.2 s", "0 dB", "linear"]] }] }
      """#
    let (whole, part) = (try render(chain), try render(chain, "--start", "0.1"))
    #expect(part.channels == whole.channels.map { Array($0.dropFirst(4410)) })
  }

  private static let moving = #"""
    { "version": 1,
      "nodes": {
        "in": { "source": "main" },
        "cut": { "unit": "highPass", "parameters": { "frequency": 120 } },
        "eq": { "unit": "equalizer", "bands": [{ "id": "a", "gain": 3 }, { "type": "highShelf" }] },
        "comp": { "unit": "compressor", "lookahead": "3 ms" },
        "room": { "unit": "reverb" }, "echo": { "unit": "delay" },
        "mix": { "unit": "mixer", "strips": { "comp": { "pan": -0.3 }, "echo": {} } },
        "lim": { "unit": "limiter", "parameters": { "gain": "6 dB" } },
        "out": { "sink": "main" } },
      "connections": [
        "in -> cut -> eq -> comp -> mix -> lim -> out", "eq -> echo -> mix:echo",
        "eq -> room -> mix:room",
        { "from": "mix", "to": "mix:loop", "feedback": true, "delay": "11 ms", "gain": "-12 dB" } ],
      "automation": [
        { "parameter": "cut.frequency", "points": [[0, 80], ["0.1 s", "2 kHz", "linear"]] },
        { "parameter": "eq.bands.a.gain", "points": [["20 ms", -6], ["130 ms", 9, "linear"]] },
        { "parameter": "comp.threshold", "points": [["31 ms", "-40 dB"]] },
        { "parameter": "mix.strips.echo.gain", "points": [["50 ms", "-inf dB"], ["90 ms", "0 dB"]] },
        { "parameter": "room.wet", "points": [[0, 0], ["0.2 s", 1, "linear"]] } ],
      "tail": "0.1 s" }
    """#

  @Test func `any block size gives the same bits, while parameters move`() throws {
    let reference = try render(Self.moving)
    let bytes = try folder.bytes("out.wav")
    #expect(reference.frameCount == 9000 + 4410)
    #expect(reference.channels.joined().contains { abs($0) > 0.01 })
    for size in ["1", "7", "64", "1024", "8192"] {
      _ = try render(Self.moving, "--block-size", size)
      #expect(try folder.bytes("out.wav") == bytes, "blocks of \(size)")
    }
  }

  @Test func `two runs give the same file`() throws {
    _ = try render(Self.moving, "--bits", "16")
    let first = try folder.bytes("out.wav")
    _ = try render(Self.moving, "--bits", "16")
    #expect(try folder.bytes("out.wav") == first)
  }

  @Test(arguments: [("a.wav", 16), ("a.wav", 24), ("a.flac", 16), ("a.flac", 24), ("a.aiff", 24)])
  func `integer samples are read back within half a step`(
    _ name: String, _ bits: Int
  ) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    #expect(
      try folder.run("chain.json", "in.wav", "-o", name, "--bits", "\(bits)", "--no-dither")
        .exitCode == 0)
    #expect(try folder.run("chain.json", name, "-o", "back.wav", "--bits", "32").exitCode == 0)
    let back = try folder.sound("back.wav")
    #expect(back.distance(to: sound) <= (bits == 16 ? 0x1p-16 : 0x1p-24) * 1.001)
  }

  @Test func `dither is on for 16 bits unless switched off`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", Sound([Signal.constant(0.4 / 32768, 5000)]))
    #expect(try folder.run("chain.json", "in.wav", "-o", "a.wav", "--bits", "16").exitCode == 0)
    let dithered = try folder.sound("a.wav").channels[0]
    #expect(dithered.contains { $0 != 0 })
    let mean = dithered.reduce(0, +) / 5000 * 32768
    #expect(abs(mean - 0.4) < 0.05)
    #expect(
      try folder.run("chain.json", "in.wav", "-o", "b.wav", "--bits", "16", "--no-dither")
        .exitCode == 0)
    #expect(try folder.sound("b.wav").channels == [Signal.silence(5000)])
  }

  @Test func `named inputs and outputs use the given files`() throws {
    try folder.write("in.wav", sound)
    try folder.write("voice.wav", Sound([Signal.tone(440, 4000)]))
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "nodes": {
          "in": { "source": "main" }, "v": { "source": "voice" },
          "mix": { "sink": "main" }, "dry": { "sink": "stems" },
          "kept": { "sink": { "file": "kept.wav", "bits": 32 } } },
        "connections": ["in -> mix", "v -> mix", "v -> dry", "in -> kept"] }
      """)
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "mix.wav", "--input", "voice=voice.wav", "--output",
      "stems=stems.wav", "--bits", "32")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(
      folder.names == [
        "chain.json", "in.wav", "kept.wav", "mix.wav", "stems.wav", "voice.wav",
      ])
    #expect(try folder.sound("kept.wav") == sound)
    let voice = try folder.sound("voice.wav").channels[0] + Signal.silence(5000)
    #expect(try folder.sound("stems.wav").channels == [voice])
    #expect(
      try folder.sound("mix.wav").channels
        == sound.channels.map { channel in zip(channel, voice).map { $0 + $1 } })
  }

  @Test func `a cover must be a picture, and a missing one is a missing input`() throws {
    try folder.write("in.wav", sound)
    try folder.write(
      "a.webp", Array("RIFF".utf8) + [14, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [2, 0, 0, 0, 1, 2])
    for (file, message) in [
      ("in.wav", "no picture"), ("nothere.png", "no such file"), (".", "name a picture in it"),
    ] {
      let outcome = try folder.run("none", "in.wav", "-o", "x.mp3", "--cover", file)
      #expect(outcome.exitCode == 4 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
    let outcome = try folder.run("none", "in.wav", "-o", "x.mp3", "--cover", "a.webp")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try folder.run("info", "x.mp3").text.contains("image/webp"))
  }

  @Test func `a tag with an empty text is removed, and one without an equals sign is refused`()
    throws
  {
    try folder.write("in.wav", sound)
    _ = try folder.run(
      "none", "in.wav", "-o", "a.flac", "--tag", "title=Noise", "--tag", "artist=Ada")
    let outcome = try folder.run("none", "a.flac", "-o", "b.flac", "--tag", "title=")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let info = try folder.run("info", "b.flac").text
    #expect(info.contains("Ada") && !info.contains("Noise"), "\(info)")
    let refused = try folder.run("none", "a.flac", "-o", "b.flac", "--tag", "title")
    #expect(refused.exitCode == 64 && refused.errorText.contains("'title=' takes it away"))
  }
}

extension Sound {
  fileprivate func isClose(to expected: [[Float]]) -> Bool {
    channels.count == expected.count
      && zip(channels, expected).allSatisfy { found, expected in
        found.count == expected.count
          && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }
      }
  }
}
