import Foundation
import FxTestSupport
import Testing

/// Standard input and standard output.
@Suite struct StreamTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(9000), Signal.noise(9000, seed: 2)])

  private func samples(_ name: String) throws -> Sound { try folder.sound(name) }

  @Test func `WAV goes through a pipe as through a file`() throws {
    try folder.write(
      "chain.json", #"{ "version": 1, "tail": "10 ms", "chain": [{ "unit": "limiter" }] }"#)
    try folder.write("in.wav", sound, bits: 16)
    #expect(try folder.run("chain.json", "in.wav", "-o", "out.wav").exitCode == 0)
    let piped = try folder.run(
      "chain.json", "-", "-o", "-", input: .bytes(try folder.bytes("in.wav")))
    #expect(piped.exitCode == 0)
    #expect(piped.errorText.contains("standard output: peak"))
    let (ours, theirs) = (try Sound(wave: piped.output), try samples("out.wav"))
    #expect(theirs.frameCount == 9441)
    #expect(ours == theirs)
  }

  @Test func `MP3 on standard input gives what the file gives`() throws {
    try folder.write("chain.json", emptyChain)
    let input = Fixture.audio("mono-vbr.mp3")
    #expect(try folder.run("chain.json", input, "-o", "out.wav").exitCode == 0)
    let piped = try folder.run(
      "chain.json", "-", "-o", "piped.wav", input: .bytes(try folder.bytes(input)))
    #expect(piped.exitCode == 0)
    #expect(try folder.bytes("piped.wav") == folder.bytes("out.wav"))
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `all names of standard output give the same output`(_ name: String) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let named = try folder.run("chain.json", "in.wav", "-o", name, "--format", "wav")
    #expect(named.exitCode == 0 && named.errorText.contains("standard output: peak"))
    let usual = try folder.run("chain.json", "in.wav", "-o", "-")
    #expect(named.output == usual.output && !usual.output.isEmpty)
  }

  @Test func `an output whose name is not UTF-8 is refused, and no file is written`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let line = "exec '\(Program.path)' chain.json in.wav -o \"$(printf 'caf\\351.wav')\""
    let refused = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(refused.exitCode == 64 && refused.errorText.contains("is not UTF-8"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func `two programs in a pipeline give the same as one chain`() throws {
    try folder.write("a.json", #"{ "version": 1, "chain": [{ "unit": "highPass" }] }"#)
    try folder.write("b.json", #"{ "version": 1, "chain": [{ "unit": "compressor" }] }"#)
    try folder.write(
      "ab.json",
      #"{ "version": 1, "chain": [{ "unit": "highPass" }, { "unit": "compressor" }] }"#)
    try folder.write("in.wav", sound)
    let line =
      "'\(Program.path)' a.json in.wav -o - --bits 32 --duration 0.2 -q"
      + " | '\(Program.path)' b.json - -o two.wav --bits 32 -q"
    let shell = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect((shell.exitCode, shell.errorText) == (0, ""))
    #expect(
      try folder.run("ab.json", "in.wav", "-o", "one.wav", "--bits", "32", "--duration", "0.2")
        .exitCode == 0)
    let (one, two) = (try samples("one.wav"), try samples("two.wav"))
    #expect(one.frameCount >= 8820)
    #expect(one.prefix(8820) == two.prefix(8820))
  }

  private func sources(_ first: String, _ second: String) -> String {
    """
    { "version": 1, "tail": "none",
      "nodes": {
        "a": { "source": "\(first)" }, "b": { "source": "\(second)" },
        "out": { "sink": "main" } },
      "connections": ["a -> out", { "from": "b", "to": "out", "gain": -6 }] }
    """
  }

  @Test(arguments: [
    ("stdin", "main", ["-"], 64), ("stdin", "stdin", [], 2),
  ])
  func `standard input is not read twice`(
    _ first: String, _ second: String, _ arguments: [String], _ exitCode: Int32
  ) throws {
    try folder.write("chain.json", sources(first, second))
    let outcome = try Program.run(
      ["chain.json"] + arguments + ["-o", "out.wav"], in: folder.path,
      input: .bytes(sound.wave(bits: 16)))
    #expect(outcome.exitCode == exitCode)
    #expect(outcome.errorText.contains("read"))
    #expect(outcome.errorText.contains("standard input"))
    #expect(folder.names == ["chain.json"])
  }

  @Test func `two sources may read the same file`() throws {
    try folder.write("chain.json", sources("in.wav", "in.wav"))
    try folder.write("in.wav", sound)
    let outcome = try folder.run("chain.json", "-o", "out.wav", "--bits", "32")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let summed = Sound(sound.channels.map { $0.map { $0 + $0 * 0.501_187_2 } })
    #expect(try folder.sound("out.wav").distance(to: summed) < 1e-6)
  }

  @Test func `large blocks of many channels lose nothing`() throws {
    let wide = Sound((0..<24).map { Signal.noise(20_000, seed: UInt64($0)) })
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", wide)
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--bits", "32", "--block-size", "8192")
    #expect(outcome.exitCode == 0)
    #expect(!outcome.text.contains("lost"))
    #expect(try folder.sound("out.wav") == wide)
  }

  @Test(arguments: [16, 24, 32])
  func `standard output has the requested number of bits`(_ bits: Int) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "-", "--bits", "\(bits)", "--no-dither")
    let piped = try Sound(wave: outcome.output)
    #expect(piped.bits == bits)
    let step: Float = bits == 16 ? 1 / 65536 : bits == 24 ? 1 / 16_777_216 : 0
    #expect(piped.distance(to: sound) <= step * 1.001)
  }

  @Test func `a reader that goes away ends the render with an error, not a signal`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", Sound([Signal.noise(200_000)]))
    let line = "{ '\(Program.path)' chain.json in.wav -o - -q; echo $? >code; } | head -c 1000"
    let shell = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(shell.output.count == 1000)
    #expect(try folder.bytes("code") == Array("5\n".utf8))
    #expect(shell.errorText.contains("the program that reads it has ended"))
  }

  @Test func `a closed standard output gets nothing of the summary into the file`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let line = "'\(Program.path)' chain.json in.wav -o out.wav --bits 32 >&- 2>&- <&-"
    #expect(try Program.run(["-c", line], executable: "/bin/sh", in: folder.path).exitCode == 0)
    #expect(try samples("out.wav") == sound)
    let stream = "'\(Program.path)' chain.json in.wav -o - >&-"
    #expect(try Program.run(["-c", stream], executable: "/bin/sh", in: folder.path).exitCode == 5)
  }

  @Test func `named pipes are read and written like files, as WAV`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let line = """
      mkfifo from to; cat in.wav >from & cat to >out.wav &
      '\(Program.path)' chain.json from -o to --bits 32 -q; echo $? >code; wait
      """
    #expect(try Program.run(["-c", line], executable: "/bin/sh", in: folder.path).exitCode == 0)
    #expect(try folder.bytes("code") == Array("0\n".utf8))
    #expect(try samples("out.wav") == sound)
  }

  @Test func `audio is not written to a terminal`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    // The pseudo-terminal is standard error; it is made standard output as well.
    let outcome = try Program.run(
      ["-c", "'\(Program.path)' chain.json in.wav -o - 1>&2"], executable: "/bin/sh",
      in: folder.path, terminal: true)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("this is a terminal"))
  }

  @Test func `data after a stream's declared length is ignored, and a shorter stream is a warning`()
    throws
  {
    try folder.write("chain.json", emptyChain)
    let bytes = sound.wave(bits: 16)
    let longer = try folder.run(
      "chain.json", "-", "-o", "a.wav",
      input: .bytes(bytes + Array("LIST".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]))
    #expect(longer.exitCode == 0)
    #expect(try samples("a.wav").frameCount == 9000)
    let shorter = try folder.run(
      "chain.json", "-", "-o", "b.wav", input: .bytes(Array(bytes.prefix(44 + 4000))))
    #expect(shorter.exitCode == 0)
    #expect(shorter.errorText.contains("warning: standard input: truncated"))
    #expect(try samples("b.wav").frameCount == 1000)
  }

  @Test func `a start behind the end of a pipe is reported`() throws {
    try folder.write("chain.json", emptyChain)
    for (name, message) in [
      ("no-tag.mp3", "standard input: ends before the start at 20.00 s"),
      ("mono-vbr.mp3", "standard input: is 1.5 s long; --start 20 leaves nothing"),
    ] {
      let bytes = try folder.bytes(Fixture.audio(name))
      let outcome = try folder.run(
        "chain.json", "-", "-o", "out.wav", "--start", "20", input: .bytes(bytes))
      #expect(outcome.exitCode == 64)
      #expect(outcome.errorText.contains(message))
      #expect(folder.names == ["chain.json"])
    }
  }

  @Test func `a truncated file is rendered to its end, with a warning`() throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("cut.mp3", Array(try folder.bytes(Fixture.audio("voice.mp3")).prefix(60_000)))
    let cut = try folder.run("chain.json", "cut.mp3", "-o", "cut.wav", "--bits", "32")
    #expect(cut.exitCode == 0)
    #expect(cut.errorText.contains("warning: cut.mp3: truncated"))
    #expect(
      try folder.run(
        "chain.json", Fixture.audio("voice.mp3"), "-o", "whole.wav", "--bits", "32"
      ).exitCode == 0)
    let (part, whole) = (try samples("cut.wav"), try samples("whole.wav"))
    #expect(part.frameCount > 4 * 44100)
    #expect(part.frameCount < 5 * 44100)
    // The last frames differ, because the frames after them are missing.
    let length = part.frameCount - 2304
    #expect(part.prefix(length) == whole.prefix(length))

    try folder.write("part.wav", Array(sound.wave(bits: 16).prefix(44 + 4 * 5000)))
    let short = try folder.run(
      "chain.json", "part.wav", "-o", "out.wav", "--bits", "16", "--no-dither")
    #expect(short.exitCode == 0)
    #expect(short.errorText.contains("warning: part.wav: truncated"))
    #expect(try samples("out.wav").frameCount == 5000)
  }
}
