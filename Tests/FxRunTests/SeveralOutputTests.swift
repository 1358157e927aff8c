import FxTestSupport
import Testing

/// Formats on standard output, several files at once, and loudness tags.
@Suite struct SeveralOutputTests {
  private let folder = Folder()

  private func prepare() throws {
    try folder.write("chain.json", emptyChain)
    // -20 dB in both channels: -20 LUFS (ITU-R BS.1770).
    let tone = Signal.tone(997, decibels: -20, 48000)
    try folder.write("in.wav", Sound([tone, tone], rate: 48000))
  }

  @Test func `standard output has the format that is asked for`() throws {
    try prepare()
    #expect(try folder.run("chain.json", "in.wav", "-o", "out.flac").exitCode == 0)
    let piped = try folder.run("chain.json", "in.wav", "-o", "-", "--format", "flac")
    #expect(piped.exitCode == 0)
    #expect(Array(piped.output.prefix(4)) == Array("fLaC".utf8))
    try folder.write("piped", Array(piped.output))
    for name in ["out.flac", "piped"] {
      #expect(try folder.run("chain.json", name, "-o", "\(name).wav").exitCode == 0)
    }
    #expect(try folder.sound("piped.wav") == folder.sound("out.flac.wav"))
    let refused = try folder.run("chain.json", "in.wav", "-o", "-", "--format", "caf")
    #expect(refused.exitCode == 74 || refused.exitCode == 5)
    #expect(refused.errorText.contains("caf cannot be written into a pipe"))
    let unknown = try folder.run("chain.json", "in.wav", "-o", "x", "--format", "mp4")
    #expect(unknown.exitCode == 64)
    #expect(unknown.errorText.contains("--format cannot be \"mp4\""))
  }

  @Test func `one render writes several files`() throws {
    try prepare()
    let run = try folder.run(
      "chain.json", "in.wav", "-o", "a.wav", "-o", "b.wav", "-o", "c.mp3", "--normalize", "-3")
    #expect((run.exitCode, run.errorText) == (0, ""))
    for name in ["a.wav", "b.wav", "c.mp3"] { #expect(run.text.contains("\(name): peak")) }
    #expect(try folder.bytes("a.wav") == folder.bytes("b.wav"))
    #expect(Measured.peak(try folder.sound("a.wav").channels[0]) > 0.7)
    let twice = try folder.run("chain.json", "in.wav", "-o", "a.wav", "-o", "./a.wav")
    #expect(twice.exitCode != 0)
    #expect(twice.errorText.contains("is written by another output as well"))
  }

  @Test(arguments: [
    ("a.flac", "replaygain_track_gain", 2.0, 0.05), ("a.mp3", "replaygain_track_gain", 2.0, 0.05),
    ("a.flac", "replaygain_track_peak", 0.1, 0.001), ("a.opus", "r128_track_gain", -768, 13),
  ])
  func `tags hold the loudness of a file`(
    _ name: String, _ key: String, _ value: Double, _ tolerance: Double
  ) throws {
    try prepare()
    let run = try folder.run("chain.json", "in.wav", "-o", name, "--loudness-tags", "--json")
    #expect(run.exitCode == 0)
    let loudness = try #require(run.text.firstMatch(of: /"loudness": (-?[0-9.]+)/)?.1)
    #expect(abs((Double(loudness) ?? 0) + 20) < 0.05)
    let info = try folder.run("info", name, "--json").text.lowercased()
    let found = try #require(info.firstRange(of: "\"\(key)\": \""))
    let number = info[found.upperBound...].prefix { !" \"".contains($0) }
    #expect(abs((Double(number) ?? 0) - value) < tolerance)
  }
}
