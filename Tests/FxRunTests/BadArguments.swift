import Foundation
import FxTestSupport

/// Mistakes in inputs, outputs and options.
extension BadInputTests {
  // MARK: - Inputs

  private static func input(_ name: String) -> [String] { ["chain.json", name, "-o", "out.wav"] }

  static let inputs: [BadInput] = [
    BadInput("no such input", 4, "no.mp3: no such file", arguments: input("no.mp3")),
    BadInput("an empty input", 4, "empty.wav: the file is empty", arguments: input("empty.wav")) {
      try $0.write("empty.wav", [])
    },
    BadInput("a WAV file without samples", 4, "cut.wav:", arguments: input("cut.wav")) {
      try $0.write("cut.wav", Array(BadInput.sound.wave(bits: 16).prefix(44)))
    },
    BadInput(
      "a WAV file that says it has no samples", 4, "none.wav: there is no sound in it",
      arguments: input("none.wav")
    ) {
      try $0.write("none.wav", Sound([[], []]).wave(bits: 16))
    },
    BadInput("half a WAV header", 4, "cut.wav:", arguments: input("cut.wav")) {
      try $0.write("cut.wav", Array(BadInput.sound.wave(bits: 16).prefix(30)))
    },
    BadInput("the first bytes of an MP3 file", 4, "cut.mp3:", arguments: input("cut.mp3")) {
      try $0.write("cut.mp3", Array(try $0.bytes(Fixture.audio("no-tag.mp3")).prefix(90)))
    },
    BadInput("a picture", 4, "cat.mp3: no audio in it", arguments: input("cat.mp3")) {
      let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]
      try $0.write("cat.mp3", signature + Array("IHDR".utf8) + [UInt8](repeating: 7, count: 4000))
    },
    BadInput("a text", 4, "notes.wav: this is a text, not audio\n", arguments: input("notes.wav")) {
      try $0.write("notes.wav", String(repeating: "To be or not to be. ", count: 200))
    },
    BadInput("random bytes", 4, "noise.wav: no audio in it", arguments: input("noise.wav")) {
      var random = SeededRandom(3)
      try $0.write("noise.wav", (0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    },
    BadInput("zeros", 4, "zeros.raw: no audio in it", arguments: input("zeros.raw")) {
      try $0.write("zeros.raw", [UInt8](repeating: 0, count: 20_000))
    },
    BadInput("a folder for an input", 4, "music: this is a folder", arguments: input("music")) {
      try FileManager.default.createDirectory(
        atPath: $0.file("music"), withIntermediateDirectories: false)
    },
    BadInput(
      "the chain as its input", 4, "chain.json: this is a text, not audio", "goes after the chain",
      arguments: input("chain.json")),
    BadInput(
      "a pointer of Git LFS", 4, "voice.wav: this is a pointer of Git LFS", "'git lfs pull'",
      arguments: input("voice.wav")
    ) {
      try $0.write(
        "voice.wav", "version https://git-lfs.github.com/spec/v1\noid sha256:0a1b\nsize 12345\n")
    },
    BadInput(
      "an input without a name", 4, "the file for the input 'main' is empty", arguments: input("")),
    BadInput(
      "two inputs on standard input", 64, "standard input is to be read by 'main' and 'voice'",
      arguments: input("-") + ["--input", "voice=-"]),
    BadInput("nothing on standard input", 4, "standard input", arguments: input("-")),
    BadInput(
      "a name that is too long", 4, "too long",
      arguments: input(String(repeating: "a", count: 5000))),
    BadInput(
      "no input", 64, "nothing is bound to the input 'main'", "name a file",
      arguments: ["chain.json", "-o", "out.wav"]),
    BadInput(
      "a start behind the end", 64, "in.wav: is 0.05 s long", "--start",
      arguments: input("in.wav") + ["--start", "2"]),
    BadInput(
      "a second input without a file",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "v": { "source": "voice" }, "out": { "sink": "main" } },
          "connections": ["in -> out", "v -> out"] }
        """, 64, "nothing is bound to the input 'voice'", "--input voice=FILE"),
    BadInput(
      "a source that is not there",
      chain: #"{ "version": 1, "chain": [{ "source": "gone.wav" }] }"#, 4, "gone.wav: no such file",
      arguments: ["chain.json", "-o", "out.wav"]),
  ]

  // MARK: - Outputs

  private static func output(_ name: String) -> [String] { ["chain.json", "in.wav", "-o", name] }

  static let outputs: [BadInput] = [
    BadInput(
      "no such folder", 5, "no/out.wav: its folder does not exist", "create it",
      arguments: output("no/out.wav")),
    BadInput("a folder for an output", 5, "music: this is a folder", arguments: output("music")) {
      try FileManager.default.createDirectory(
        atPath: $0.file("music"), withIntermediateDirectories: false)
    },
    BadInput("an unknown ending", 5, "out.xyz:", ".wav or .flac", arguments: output("out.xyz")),
    BadInput("no ending", 5, "out:", ".wav or .flac", arguments: output("out")),
    BadInput("an MP4 file", 5, "out.m4a:", ".wav or .flac", arguments: output("out.m4a")),
    BadInput("an empty name", 5, "file name", arguments: output("")),
    BadInput(
      "the input as the output", 5, "in.wav: is the file that is read", "another name",
      arguments: output("in.wav")),
    BadInput(
      "the chain as the output", 5, "chain.json: is a file that the chain is made of",
      "another name", arguments: output("chain.json") + ["--format", "wav"]),
    BadInput(
      "the input by another way", 5, "is the file that is read",
      arguments: output(".//in.wav")),
    BadInput(
      "a link to the input", 5, "link.wav: is the file that is read",
      arguments: output("link.wav")
    ) {
      try FileManager.default.createSymbolicLink(
        atPath: $0.file("link.wav"), withDestinationPath: "in.wav")
    },
    BadInput(
      "a second name of the input", 5, "twin.wav: is the file that is read",
      arguments: output("twin.wav")
    ) {
      try FileManager.default.linkItem(atPath: $0.file("in.wav"), toPath: $0.file("twin.wav"))
    },
    BadInput("a full device", 5, "/dev/full: ", arguments: output("/dev/full")),
    BadInput(
      "no sound card", 6, "'default'", "-o", arguments: ["chain.json", "in.wav"],
      environment: ["ALSA_CONFIG_PATH": "/nonexistent"]),
    BadInput(
      "a second output without a file or a sound card",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "a": { "sink": "main" }, "b": { "sink": "stems" } },
          "connections": ["in -> a", "in -> b"] }
        """, 6, "output 'stems'", "--output stems=FILE",
      environment: ["ALSA_CONFIG_PATH": "/nonexistent"]),
    BadInput(
      "an unknown sound card",
      chain: #"{ "version": 1, "chain": [{ "sink": { "alsa": "hw:77" } }] }"#,
      6, "'hw:77'", "fxrun devices", "-o", arguments: ["chain.json", "in.wav"]),
    BadInput(
      "a second output that cannot be written",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "a": { "sink": "main" },
            "b": { "sink": { "file": "no/b.wav" } } },
          "connections": ["in -> a", "in -> b"] }
        """, 5, "no/b.wav: its folder does not exist"),
  ]

  // MARK: - Options

  private static func option(_ words: String...) -> [String] {
    ["chain.json", "in.wav", "-o", "out.wav"] + words
  }

  private static let gain = BadInput.list(#"{ "unit": "gain" }"#)

  static let options: [BadInput] = [
    BadInput(
      "a chain without a name", 2, "the name of the chain file is empty",
      arguments: ["", "in.wav", "-o", "out.wav"]),
    BadInput("nothing at all", 64, "fxrun chain.json talk.mp3 -o talk.wav", arguments: []),
    BadInput(
      "a command with a typing mistake", 64, "there is no command 'chek'",
      "did you mean: fxrun check", arguments: ["chek"]),
    BadInput(
      "a command with a typing mistake, and its arguments", 64,
      "did you mean: fxrun check chain.json --quiet", arguments: ["chek", "chain.json", "--quiet"]),
    BadInput(
      "a command of other programs", 64, "there is no command 'render'",
      "did you mean: fxrun run none in.wav -o out.wav",
      arguments: ["render", "none", "in.wav", "-o", "out.wav"]),
    BadInput("version as a command", 64, "did you mean: fxrun --version", arguments: ["version"]),
    BadInput(
      "a short option that does not exist", 64, "Unknown option '-v'",
      "did you mean '--version'?", arguments: ["-v"]),
    BadInput(
      "an option with a typing mistake and no chain", 64, "Unknown option '--verison'",
      "did you mean '--version'?", arguments: ["--verison"]),
    BadInput(
      "an option with one dash", 64, "Unknown option '-loudness'", "did you mean '--loudness'?",
      arguments: ["-loudness", "-16"]),
    BadInput(
      "an output without -o", 64, "Unexpected argument 'new.wav'",
      "fxrun none in.wav -o new.wav", arguments: ["none", "in.wav", "new.wav"]),
    BadInput(
      "several inputs", 64, "fxrun batch none in.wav b.wav c.wav -o 'rendered/{name}.wav'",
      "regions of a \"player\"", arguments: ["none", "in.wav", "b.wav", "c.wav", "-o", "out.wav"]),
    BadInput(
      "an address in place of the chain", 2, "the chain comes first",
      "fxrun none http://localhost/take.mp3", arguments: ["http://localhost/take.mp3"]),
    BadInput(
      "a missing sound in place of the chain", 2, "there is no file 'take.wav'",
      "fxrun none take.wav", arguments: ["take.wav", "-o", "out.wav"]),
    BadInput(
      "bits of a format without samples", 5, "a number of bits goes with formats of samples",
      ".mp3 has none", arguments: ["none", "in.wav", "-o", "out.mp3", "--bits", "16"]),
    BadInput(
      "noise shaping of a format without samples", 5, "noise shaping goes with",
      arguments: ["none", "in.wav", "-o", "out.ogg", "--shape-noise"]),
    BadInput(
      "no dither of a format without samples", 5, "a choice of dither goes with",
      arguments: ["none", "in.wav", "-o", "out.mp3", "--no-dither"]),
    BadInput(
      "bits of a copy without samples", 5, "out.mp3: a number of bits",
      arguments: ["none", "in.wav", "-o", "out.wav", "-o", "out.mp3", "--bits", "16"]),
    BadInput(
      "bits of a chain's own file without samples",
      chain: BadInput.list(##"{ "sink": { "file": "x.mp3", "bits": 16 } }"##), 5,
      "x.mp3: a number of bits", arguments: ["chain.json", "in.wav"]),
    BadInput(
      "a text for a ratio",
      chain: BadInput.list(##"{ "unit": "compressor", "parameters": { "ratio": "foo" } }"##),
      2, "a number (ratio: 1…100, default 4), or one of: infinite"),
    BadInput(
      "no duration", 64, "--duration must be above 0", arguments: option("--duration", "0")),
    BadInput(
      "help of a command with a typing mistake", 64, "did you mean 'check'?",
      arguments: ["help", "chek"]),
    BadInput("an unknown option", 64, "Unknown option '--loud'", arguments: option("--loud")),
    BadInput(
      "help with no such command", 64, "there is no command 'nope'", arguments: ["help", "nope"]),
    BadInput("an argument too many", 64, "Unexpected argument", arguments: option("more.wav")),
    BadInput("an unknown command of an unknown file", 2, "frobnicate", arguments: ["frobnicate"]),
    BadInput(
      "--set of an unknown node", chain: gain, 64, "--set gian.gain", "did you mean 'gain'?",
      arguments: option("--set", "gian.gain=1")),
    BadInput(
      "--set of an unknown parameter", chain: gain, 64, "--set gain.level", "'level'",
      arguments: option("--set", "gain.level=1")),
    BadInput(
      "--set of no value", chain: gain, 64, "--set takes name=value, not 'gain.gain'",
      arguments: option("--set", "gain.gain")),
    BadInput(
      "--set of a value out of range", chain: gain, 64, "--set gain.gain", "48 dB",
      arguments: option("--set", "gain.gain=99")),
    BadInput(
      "--set of a value that is none", chain: gain, 64, "--set gain.gain", "loud",
      arguments: option("--set", "gain.gain=loud")),
    BadInput(
      "--set of the wrong unit of measure", chain: gain, 64, "--set gain.gain", "dB",
      arguments: option("--set", "gain.gain=3 Hz")),
    BadInput(
      "--bypass of an unknown node", chain: gain, 64, "--bypass gian", "did you mean 'gain'?",
      arguments: option("--bypass", "gian")),
    BadInput(
      "--input of an unknown name", 64, "--input voice: ", "'voice'", "its inputs: main",
      arguments: option("--input", "voice=in.wav")),
    BadInput(
      "--output of an unknown name", 64, "no output 'stems'", "its outputs: main",
      arguments: option("--output", "stems=s.wav")),
    BadInput(
      "--define of an unknown name", 64, "--define room", "room",
      arguments: option("--define", "room=1")),
    BadInput(
      "--define twice", 64, "names 'a' twice",
      arguments: option("--define", "a=1", "--define", "a=2")),
    BadInput("the main input twice", 64, "main", arguments: option("--input", "main=in.wav")),
    BadInput("the main output twice", 64, "main", arguments: option("--output", "main=x.wav")),
    BadInput("--start of no time", 64, "--start", arguments: option("--start", "soon")),
    BadInput(
      "--block-size of zero", 64, "--block-size 0 is below the minimum of 1",
      arguments: option("--block-size", "0")),
    BadInput(
      "--bits of eleven", 64, "--bits takes 8, 16, 24, 32", arguments: option("--bits", "11")),
  ]
}
