import Foundation
import FxTestSupport
import Testing

/// `fxrun batch --album`, run as a user runs it.
@Suite struct AlbumBatchTests {
  let folder = Folder()

  /// Two albums of tones: `a` with -20, -26 and -32 dB, `b` with -14 and -30 dB.
  private static let levels = [
    "a/1": -20.0, "a/2": -26, "a/3": -32, "b/1": -14, "b/2": -30,
  ]

  private func sounds() throws {
    for name in ["in/a", "in/b", "t/a", "t/b"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    for (name, level) in Self.levels {
      let tone = Signal.tone(997, decibels: level, 48000)
      try folder.write("in/\(name).wav", Sound([tone, tone], rate: 48000))
    }
  }

  private func batch(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["batch", "none"] + arguments, in: folder.path)
  }

  private func tags(_ path: String) throws -> [String: Double] {
    let info = try folder.run("info", path, "--json").text.lowercased()
    var tags: [String: Double] = [:]
    for match in info.matches(of: /"((?:replaygain|r128)_[a-z_]+)": "(-?[0-9.]+)/) {
      tags[String(match.1)] = Double(match.2)
    }
    return tags
  }

  private func loudness(_ path: String) throws -> Double {
    let stats = try folder.run("stats", path, "--json").text
    let found = try #require(stats.firstMatch(of: /"integrated": (-?[0-9.]+)/))
    return try #require(Double(found.1))
  }

  private func records(_ path: String) throws -> [JSONValue] {
    try folder.bytes(path).split(separator: 0x0A).map { try JSONValue(Array($0)) }
      .filter { $0["batch"] == .null }
  }

  /// The loudness of tones of the same length: the mean of those within 10 LU of their mean.
  private static func mean(_ levels: [Double]) -> Double {
    func mean(_ levels: [Double]) -> Double {
      10 * log10(levels.map { pow(10, $0 / 10) }.reduce(0, +) / Double(levels.count))
    }
    return mean(levels.filter { $0 >= mean(levels) - 10 })
  }

  @Test(arguments: ["flac", "mp3", "ogg", "opus", "wav", "aiff"])
  func `tags have the gains and the peaks of the track and of its album`(_ ending: String) throws {
    try sounds()
    let outcome = try batch("in", "-o", "out/{path}.\(ending)", "--album")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    for name in ["a/2", "b/1"] {
      let tags = try tags("out/\(name).\(ending)")
      let album = Self.mean(
        Self.levels.filter { $0.key.first == name.first }.map(\.value))
      let track = Self.levels[name] ?? 0
      if ending == "opus" {
        #expect(abs((tags["r128_track_gain"] ?? 0) / 256 - (-23 - track)) < 0.08)
        #expect(abs((tags["r128_album_gain"] ?? 0) / 256 - (-23 - album)) < 0.09)
        continue
      }
      #expect(abs((tags["replaygain_track_gain"] ?? 0) - (-18 - track)) < 0.09)
      #expect(abs((tags["replaygain_album_gain"] ?? 0) - (-18 - album)) < 0.09)
    }
    guard ending != "opus" else { return }
    // The first track is the loudest.
    let peak = try #require(try tags("out/a/1.\(ending)")["replaygain_track_peak"])
    #expect(try tags("out/a/2.\(ending)")["replaygain_album_peak"] == peak)
  }

  @Test func `an album is brought to a loudness by one gain, and the levels of its tracks stay`()
    throws
  {
    try sounds()
    let outcome = try batch("in", "-o", "out/{path}.wav", "--album", "--loudness", "-23")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    for (album, names) in [("a", ["a/1", "a/2", "a/3"]), ("b", ["b/1", "b/2"])] {
      let levels = names.compactMap { Self.levels[$0] }
      let gain = -23 - Self.mean(levels)
      for name in names {
        let reached = try loudness("out/\(name).wav")
        #expect(abs(reached - (Self.levels[name] ?? 0) - gain) < 0.02, "\(album) \(name)")
        let tags = try tags("out/\(name).wav")
        #expect(abs((tags["replaygain_album_gain"] ?? 0) - 5) < 0.02)
        #expect(abs((tags["replaygain_track_gain"] ?? 0) - (-18 - reached)) < 0.02)
      }
    }
    let records = try records("out/fxrun-batch.jsonl")
    #expect(Set(records.compactMap { $0["album"].text }) == ["in/a", "in/b"])
    #expect(records.allSatisfy { abs(($0["albumGain"]["loudness"].number ?? 0) + 23) < 0.001 })
    let loud = try batch("in/a", "-o", "loud/{path}.wav", "--album", "--loudness", "-3")
    #expect(loud.exitCode == 0)
    #expect(loud.errorText.contains("album 'in/a': target missed by"), "\(loud.errorText)")
    #expect(abs(try loudness("loud/1.wav") + 1) < 0.05)
    #expect(abs(try loudness("loud/3.wav") + 13) < 0.05)
  }

  @Test func `albums are the same for any number of workers, and over shards`() throws {
    try sounds()
    for jobs in ["1", "2", "4"] {
      let outcome = try batch(
        "in", "-o", "j\(jobs)/{path}.mp3", "--album", "--loudness", "-20", "-j", jobs)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    func shard(_ number: Int, _ more: String...) throws -> Program.Outcome {
      try Program.run(
        [
          "batch", "none", "in", "-o", "s/{path}.mp3", "--album", "--loudness", "-20", "--shard",
          "\(number)/3", "--measurements", "m",
        ] + more, in: folder.path)
    }
    // Alone, a shard does not know the others' tracks.
    let alone = try (1...3).map { number in
      try? FileManager.default.removeItem(atPath: folder.file("m"))
      return try shard(number)
    }
    for outcome in alone where outcome.exitCode != 0 {
      #expect(outcome.exitCode == 75)
      #expect(outcome.errorText.contains("is not measured completely"))
      #expect(outcome.errorText.contains("no measurement of shard "))
      #expect(outcome.errorText.contains("--measure-only"))
    }
    #expect(alone.contains { $0.exitCode == 75 })
    try FileManager.default.removeItem(atPath: folder.file("s"))
    try FileManager.default.removeItem(atPath: folder.file("m"))
    for number in 1...3 {
      let measured = try shard(number, "--measure-only")
      #expect(measured.exitCode == 0 && measured.text.contains(" measured, 0 failed"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("s/a/1.mp3")))
    for number in 1...3 {
      let outcome = try shard(number)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    for name in Self.levels.keys {
      let expected = try folder.bytes("j1/\(name).mp3")
      for root in ["j2", "j4", "s"] { #expect(try folder.bytes("\(root)/\(name).mp3") == expected) }
    }
    // Merged measurements serve as well.
    let merged = try folder.run(
      "batch", "merge", "m/fxrun-album.1of3.jsonl", "m/fxrun-album.2of3.jsonl",
      "m/fxrun-album.3of3.jsonl", "-o", "n/fxrun-album.jsonl")
    #expect(merged.exitCode == 0, "\(merged.errorText)")
    let outcome = try batch(
      "in", "-o", "t/{path}.mp3", "--album", "--loudness", "-20", "--measurements", "n", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }

  @Test func `an album is rendered again when one of its tracks has changed`() throws {
    try sounds()
    func run(_ loudness: String = "-20") throws -> String {
      String(
        try batch("in", "-o", "out/{path}.flac", "--album", "--loudness", loudness).text
          .prefix { $0 != "·" }.trimmingCharacters(in: .whitespaces))
    }
    #expect(try run() == "5 done, 0 failed")
    #expect(try run().hasPrefix("0 done, 5 done before, 0 failed"))
    let tone = Signal.tone(997, decibels: -12, 48000)
    try folder.write("in/b/2.wav", Sound([tone, tone], rate: 48000))
    #expect(try run() == "2 done, 3 done before, 0 failed")
    // Another target needs no new measurement.
    let measurements = try records("out/fxrun-album.jsonl").count
    #expect(try run("-21") == "5 done, 0 failed")
    #expect(try records("out/fxrun-album.jsonl").count == measurements)
    #expect(measurements == 6)
  }

  @Test func `a damaged track fails its album, and the other albums are done`() throws {
    try sounds()
    try folder.write("in/a/2.wav", "no sound")
    let outcome = try batch("in", "-o", "out/{path}.flac", "--album")
    #expect(outcome.exitCode == 8)
    #expect(outcome.text.hasPrefix("2 done, 3 failed"))
    #expect(
      outcome.errorText.contains(
        "in/a/1.wav: its album 'in/a' has no loudness, because 'in/a/2.wav' cannot be measured: "),
      "\(outcome.errorText)")
    let codes = try records("out/fxrun-batch.jsonl").compactMap { $0["error"]["code"].text }
    #expect(codes.sorted() == ["album-failed", "album-failed", "not-audio"])
    let tone = Signal.tone(997, decibels: -26, 48000)
    try folder.write("in/a/2.wav", Sound([tone, tone], rate: 48000))
    let again = try batch("in", "-o", "out/{path}.flac", "--album")
    #expect(again.exitCode == 0 && again.text.hasPrefix("3 done, 2 done before"))
  }

  @Test func `a silent track has no gain of its own, and a silent album has none`() throws {
    try sounds()
    let silence = [Float](repeating: 0, count: 48000)
    try folder.write("in/a/2.wav", Sound([silence, silence], rate: 48000))
    for name in ["in/b/1.wav", "in/b/2.wav"] {
      try folder.write(name, Sound([silence], rate: 48000))
    }
    let outcome = try batch("in", "-o", "out/{path}.flac", "--album", "--loudness", "-20")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("album 'in/b': no part of it is above -70 LUFS"))
    let silent = try tags("out/a/2.flac")
    #expect(silent["replaygain_track_gain"] == nil)
    #expect(abs((silent["replaygain_album_gain"] ?? 0) - 2) < 0.02)
    #expect(try tags("out/b/1.flac") == [:])
    let record = try #require(
      try records("out/fxrun-batch.jsonl").first { $0["input"].text == "in/a/2.wav" })
    #expect("\(record["result"]["warnings"])".contains("has no track gain"))
  }

  @Test func `a sound that is near the loudness is copied, or rendered without a gain`() throws {
    try sounds()
    let words = ["--loudness", "-20.2", "--skip-within", "0.3"]
    let outcome = try Program.run(
      ["batch", "none", "in", "-o", "out/{path}.wav"] + words, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.text.hasPrefix("5 done, 1 of them already right, 0 failed"))
    #expect(try folder.bytes("out/a/1.wav") == folder.bytes("in/a/1.wav"))
    #expect(abs(try loudness("out/a/2.wav") + 20.2) < 0.05)
    let right = try records("out/fxrun-batch.jsonl").filter { $0["alreadyRight"] == .bool(true) }
    #expect(right.map { $0["input"].text } == ["in/a/1.wav"])
    #expect(abs((right.first?["result"]["loudness"].number ?? 0) + 20) < 0.02)
    let other = try Program.run(
      ["batch", "none", "in/a/1.wav", "-o", "other/{path}.flac"] + words, in: folder.path)
    #expect(other.text.hasPrefix("1 done, 1 of them already right"))
    #expect(abs(try loudness("other/1.flac") + 20) < 0.02)
    let album = try Program.run(
      [
        "batch", "none", "in/b", "-o", "b/{path}.wav", "--album", "--loudness", "-14.2",
        "--skip-within", "0.3",
      ], in: folder.path)
    #expect(album.text.hasPrefix("2 done, 2 of them already right"), "\(album.errorText)")
    #expect(try folder.bytes("b/2.wav") == folder.bytes("in/b/2.wav"))
    #expect(
      try Program.run(
        ["batch", "none", "in", "-o", "out/{path}.wav"] + words, in: folder.path
      ).text.hasPrefix("0 done, 5 done before"))
  }

  @Test func `tags choose the album where they are asked for`() throws {
    try sounds()
    for (name, album) in [("a/1", "X"), ("a/2", "Y"), ("b/1", "X"), ("b/2", "Y")] {
      let tagged = try Program.run(
        ["none", "in/\(name).wav", "-o", "t/\(name).flac", "--tag", "album=\(album)"],
        in: folder.path)
      #expect(tagged.exitCode == 0)
    }
    let outcome = try batch("t", "-o", "out/{path}.flac", "--album-by", "tag")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    for (names, levels) in [(["a/1", "b/1"], [-20.0, -14]), (["a/2", "b/2"], [-26, -30])] {
      for name in names {
        let gain = try tags("out/\(name).flac")["replaygain_album_gain"] ?? 0
        #expect(abs(gain - (-18 - Self.mean(levels))) < 0.02)
      }
    }
  }

  @Test(arguments: [
    (["--skip-within", "0.3"], "--skip-within needs --loudness"),
    (["--loudness", "-16", "--skip-within", "-1"], "--skip-within must be 0 to 20 LU"),
    (["--measure-only"], "--measure-only goes with --album"),
    (["--measurements", "m"], "--measurements goes with --album"),
    (["--album-by", "artist"], "--album-by must be folder or tag"),
    (["--album", "--normalize", "-3"], "--normalize changes each file by itself"),
  ]) func `options that do not go together are refused`(_ words: [String], _ message: String)
    throws
  {
    try sounds()
    let outcome = try Program.run(
      ["batch", "none", "in", "-o", "out/{path}.flac"] + words, in: folder.path)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
  }

  @Test func `an album needs tags or a loudness`() throws {
    try sounds()
    #expect(try batch("in", "-o", "out/{path}.caf", "--album").exitCode == 64)
    let outcome = try batch("in", "-o", "out/{path}.caf", "--album", "--loudness", "-20")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }
}
