import Foundation
import FxTestSupport
import Testing

/// `fxrun batch` over CUE sheets and playlists, which name other files.
@Suite struct BatchListTests {
  private let folder = Folder()

  /// A sheet and a playlist that name `x-001.wav`.
  private func lists() throws {
    try folder.write("x-001.wav", Sound([Signal.noise(88200)]), bits: 16)
    try folder.write(
      "x.cue",
      "FILE \"x-001.wav\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n"
        + "  INDEX 01 00:01:00\n")
    try folder.write("x.m3u", "x-001.wav\n")
  }

  @Test(arguments: [
    ["x.cue", "-o", "{name}-{n}.wav", "--split", "chapters"],
    ["x.m3u", "-o", "{name}-{n}.wav", "--split", "1s"],
    ["x.cue", "other.wav", "-o", "x-001.wav"], ["--jobs", "jobs.jsonl", "-o", "{name}.wav"],
    ["x.cue", "-o", "out/{name}.flac", "--manifest", "x-001.wav"],
    ["x.cue", "-o", "out/{name}.flac", "--log", "x-001.wav"],
    ["x.cue", "-o", "out/{name}.flac", "--log", "x.m3u"],
  ])
  func `nothing that a batch writes replaces a file that an input names`(
    _ arguments: [String]
  ) throws {
    try lists()
    try folder.write("other.wav", Sound([Signal.noise(4410)]), bits: 16)
    try folder.write(
      "jobs.jsonl",
      #"{"input":"x.cue","output":"o.flac"}"# + "\n"
        + #"{"input":"other.wav","output":"x-001.wav"}"#)
    let before = try folder.bytes("x-001.wav")
    let playlist = try folder.bytes("x.m3u")
    let outcome = try Program.run(["batch", "none"] + arguments, in: folder.path)
    #expect([8, 64].contains(outcome.exitCode), "\(outcome.text)\(outcome.errorText)")
    #expect(try folder.bytes("x-001.wav") == before)
    #expect(try folder.bytes("x.m3u") == playlist)
  }

  @Test func `a list whose sound has changed or is gone is rendered again`() throws {
    try lists()
    func run() throws -> Program.Outcome {
      try folder.run("batch", "none", "x.cue", "x.m3u", "-o", "out/{name}-{ext}.wav")
    }
    #expect(try run().text.hasPrefix("2 done"))
    #expect(try run().text.contains("2 done before"))
    try folder.write("x-001.wav", Sound([Signal.noise(44100, seed: 5)]), bits: 16)
    #expect(try run().text.hasPrefix("2 done"))
    #expect(try folder.sound("out/x-m3u.wav").channels[0].count == 44100)
    try FileManager.default.removeItem(atPath: folder.file("x-001.wav"))
    #expect(try run().exitCode == 8)
  }
}
