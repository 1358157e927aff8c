import Foundation
import FxTestSupport
import Testing

/// `--raw`, run as a user runs it.
@Suite struct RawTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(4800), Signal.noise(4800, seed: 2)])

  /// A WAV file of 16 bits, and its samples without the header.
  private func prepare() throws {
    try folder.write("a.wav", sound, bits: 16)
    let made = try folder.run(
      "none", "a.wav", "-o", "a.raw", "--bits", "16", "--no-dither")
    #expect(made.exitCode == 0, "\(made.errorText)")
  }

  private func check(_ arguments: [String], input: Program.Input = .nothing) throws {
    let made = try Program.run(arguments, in: folder.path, environment: [:], input: input)
    #expect(made.exitCode == 0 && made.errorText == "", "\(made.errorText)")
    let outcome = try folder.run("diff", "a.wav", "b.wav")
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  private let copy = ["-o", "b.wav", "--bits", "16", "--no-dither"]

  @Test func `samples of a file and of a pipe are read`() throws {
    try prepare()
    let format = ["--raw", "s16le,44100,2"]
    try check(["none", "a.raw"] + copy + format)
    try check(["none", "-"] + copy + format, input: .bytes(try folder.bytes("a.raw")))
    try check(["none", "a.raw"] + copy + ["--raw", "main=16,44100,stereo"])
  }

  @Test func `a chain and a batch describe their inputs`() throws {
    try prepare()
    try folder.write(
      "c.json",
      #"{ "version": 1, "chain": [{ "source": { "file": "a.raw", "raw": "s16le,44100,2" } }, { "sink": "main" }] }"#
    )
    try check(["c.json"] + copy)
    let batch = ["batch", "none", "-o", "b.wav", "--bits", "16", "--no-dither", "-q"]
    try check(batch + ["a.raw", "--raw", "s16le,44100,2"])
    try folder.write(
      "jobs.jsonl", #"{ "input": "a.raw", "raw": "s16le,44100,2", "output": "b.wav" }"#)
    try check(
      ["batch", "none", "--jobs", "jobs.jsonl", "--bits", "16", "--no-dither", "-q", "--again"])
    try folder.write("jobs.jsonl", #"{ "input": "a.raw", "raw": "s16" }"#)
    let wrong = try folder.run("batch", "none", "--jobs", "jobs.jsonl", "-o", "{name}.wav")
    #expect(wrong.exitCode == 64)
    #expect(wrong.errorText.contains("job 1 ('a.raw'): the raw format: 's16' lacks a coding"))
  }

  @Test func `a chain with a wrong format is a mistake at its place`() throws {
    try folder.write(
      "c.json",
      #"{ "version": 1, "chain": [{ "source": { "file": "a.raw", "raw": "s17le,44100,2" } }, { "sink": "main" }] }"#
    )
    let outcome = try folder.run("check", "c.json")
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("there is no coding 's17le'"))
    #expect(outcome.text.contains("one of: s8, u8, s16le"))
  }

  @Test func `raw files are described, measured and compared`() throws {
    try prepare()
    let info = try folder.run("info", "a.raw", "--raw", "s16le,44100,2")
    #expect(info.exitCode == 0 && info.text.contains("raw, PCM"), "\(info.text)")
    #expect(info.text.contains("4800 frames"))
    let stats = try folder.run("stats", "a.raw", "--raw", "s16le,44100,2")
    #expect(stats.exitCode == 0 && stats.text.contains("4800 frames at 44100 Hz"))
    let diff = try folder.run("diff", "a.wav", "a.raw", "--raw", "actual=s16le,44100,2")
    #expect(diff.exitCode == 0, "\(diff.text)\(diff.errorText)")
    #expect(try folder.run("diff", "a.raw", "a.raw", "--raw", "s16le,44100,2").exitCode == 0)
  }

  @Test func `a rest of a frame is a warning, and a wrong format a usage error`() throws {
    try prepare()
    try folder.write("odd.raw", try folder.bytes("a.raw") + [7])
    let odd = try folder.run("none", "odd.raw", "-o", "b.wav", "--raw", "s16le,44100,2")
    #expect(odd.exitCode == 0)
    #expect(odd.errorText.contains("odd.raw: the last 1 byte is no whole frame of 4 bytes"))
    for format in ["s16le", "s16le,44100,2,44", "x=s16le,44100,2"] {
      let wrong = try folder.run("none", "a.raw", "-o", "b.wav", "--raw", format)
      #expect(wrong.exitCode == 64, "\(wrong.errorText)")
    }
  }
}
