import Foundation
import FxTestSupport
import Testing

/// `fxrun batch` over data sets: inputs that are split, and keys and manifests of job files.
@Suite struct DataSetBatchTests {
  let folder = Folder()
  private static let rate = 44100.0

  /// Three takes of different lengths: tones of half a second with silence between them.
  private func takes() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("in/b"), withIntermediateDirectories: true)
    for (name, count) in [("in/a", 2), ("in/b/a", 3), ("in/c", 1)] {
      var samples: [Float] = []
      for part in 0..<count {
        samples += [Float](repeating: 0, count: part == 0 ? 4410 : 44100)
        samples += Signal.noise(22050, seed: UInt64(part + count))
      }
      try folder.write("\(name).wav", Sound([samples]), bits: 16)
    }
  }

  private func batch(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["batch", "none"] + arguments, in: folder.path)
  }

  private func files(_ root: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder.file(root))?.allObjects as? [String] ?? [])
      .filter { !$0.hasSuffix(".jsonl") && $0.contains(".") }.sorted()
  }

  private func lines(_ path: String) throws -> [JSONValue] {
    try folder.bytes(path).split(separator: 0x0A).map { try JSONValue(Array($0)) }
  }

  private func records(_ path: String) throws -> [JSONValue] {
    try lines(path).filter { $0["batch"] == .null }
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try folder.bytes(path), as: UTF8.self)
  }

  @Test func `a manifest replaces no part, journal or input`() throws {
    try takes()
    let split = ["in", "-o", "out/{name}-{n}.wav", "--split", "0.7s"]
    for manifest in ["out/c-001.wav", "out/fxrun-batch.jsonl"] {
      let outcome = try Program.run(
        ["batch", "none"] + split + ["--manifest", manifest, "--again"], in: folder.path)
      #expect(outcome.exitCode != 0, "\(manifest)")
    }
    #expect(try batch("in", "-o", "out/{path}-{n}.wav", "--split", "0.7s").exitCode == 0)
    for manifest in ["out/c-001.wav", "out/fxrun-batch.jsonl", "in/a.wav"] {
      let before = try folder.bytes(manifest)
      let outcome = try folder.run(
        "batch", "merge", "out/fxrun-batch.jsonl", "--manifest", manifest)
      #expect(outcome.exitCode != 0, "\(manifest)")
      #expect(try folder.bytes(manifest) == before)
    }
  }

  @Test(arguments: ["silence", "0.7s", "0:0.5,0:1.2", "1MB"])
  func `parts, records and manifests are the same for any number of workers and shards`(
    _ rule: String
  ) throws {
    try takes()
    let split =
      ["--split", rule, "--bits", "24"] + (rule == "silence" ? ["--silence-time", "0.5"] : [])
    for jobs in ["1", "3"] {
      let outcome = try Program.run(
        ["batch", "none", "in", "-o", "out/{path}-{n}.wav", "-j", jobs, "--log", "j\(jobs).jsonl"]
          + ["--manifest", "m\(jobs).jsonl", "--again"] + split, in: folder.path)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      #expect(outcome.text.hasPrefix("3 done ("))
      #expect(files(".").filter { $0.contains(".fxrun") } == [])
    }
    #expect(try folder.bytes("m1.jsonl") == folder.bytes("m3.jsonl"))
    // The parts of a single render.
    var alone: [String: [UInt8]] = [:]
    for name in ["a", "b/a", "c"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("alone/b"), withIntermediateDirectories: true)
      let outcome = try Program.run(
        ["none", "in/\(name).wav", "-o", "alone/\(name)-{n}.wav"] + split, in: folder.path)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    #expect(files("out") == files("alone"))
    for name in files("alone") {
      alone[name] = try folder.bytes("alone/\(name)")
      #expect(try folder.bytes("out/\(name)") == alone[name])
    }
    let manifest = try lines("m1.jsonl")
    #expect(manifest.map { $0["input"].text ?? "" }.sorted() == files("out").map { "out/\($0)" })
    let sources = manifest.compactMap { $0["source"].text }
    #expect(
      sources
        == ["in/a.wav", "in/b/a.wav", "in/c.wav"].flatMap { input in
          sources.filter { $0 == input }
        })
    let whole = try folder.bytes("m1.jsonl")
    for number in 1...3 {
      let outcome = try Program.run(
        ["batch", "none", "in", "-o", "out/{path}-{n}.wav", "--shard", "\(number)/3"] + split,
        in: folder.path)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    let merged = try folder.run(
      "batch", "merge", "out/fxrun-batch.1of3.jsonl", "out/fxrun-batch.2of3.jsonl",
      "out/fxrun-batch.3of3.jsonl", "--manifest", "merged.jsonl")
    #expect(merged.exitCode == 0, "\(merged.errorText)")
    #expect(try folder.bytes("merged.jsonl") == whole)
  }

  @Test func `a part has its place in the input, whatever the rate of the output`() throws {
    try takes()
    let outcome = try batch(
      "in/b/*.wav", "-o", "out/{name}-{n}.flac", "--split", "silence", "--silence-time", "0.5",
      "--silence-keep", "0", "--sample-rate", "16000", "--start", "0.2", "--bits", "16")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let records = try records("out/fxrun-batch.jsonl")
    #expect(records.map { $0["part"]["number"].number } == [1, 2, 3])
    #expect(records.allSatisfy { $0["part"]["of"].number == 3 && $0["input"].text == "in/b/a.wav" })
    // Tones from 0.1 s, and every 1.5 s; resampling spreads their edges a little.
    for (index, record) in records.enumerated() {
      let part = record["part"]
      let start = index == 0 ? 0.2 : 0.1 + 1.5 * Double(index)
      let end = 0.6 + 1.5 * Double(index)
      #expect(abs((part["start"].number ?? 0) - start) < 0.01, "\(record)")
      #expect(abs((part["end"].number ?? 0) - end) < 0.01, "\(record)")
      #expect(
        part["startFrame"].number == ((part["start"].number ?? 0) * Self.rate).rounded())
      #expect(part["endFrame"].number == ((part["end"].number ?? 0) * Self.rate).rounded())
      #expect(record["output"].text == "out/a-00\(index + 1).flac")
      #expect(record["result"]["sampleRate"].number == 16000)
      #expect((record["result"]["peak"].number ?? -99) > -9)
      #expect(
        record["result"]["bytes"].number
          == Double(try folder.bytes("out/a-00\(index + 1).flac").count))
    }
    // Reversed sound has no such place.
    _ = try batch(
      "in/c.wav", "-o", "r/{name}.wav", "--split", "0.2s", "--reverse", "--manifest", "r.jsonl")
    let reversed = try #require(try self.records("r/fxrun-batch.jsonl").first)
    #expect(reversed["part"]["start"] == .null && reversed["part"]["frame"].number == 0)
    #expect(reversed["output"].text == "r/c-001.wav")
    #expect(try lines("r.jsonl")[0]["start"] == .null)
  }

  @Test func `chapters name the parts`() throws {
    try takes()
    #expect(
      try folder.run(
        "none", "in/b/a.wav", "-o", "in/book.flac", "--chapter", "0=One", "--chapter", "2=A {b}"
      ).exitCode == 0)
    let outcome = try batch(
      "in/book.flac", "-o", "out/{name}/{n} {title}.flac", "--split", "chapters")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(files("out") == ["book/001 One.flac", "book/002 A {b}.flac"])
    #expect(
      try records("out/fxrun-batch.jsonl").map { $0["part"]["title"].text } == ["One", "A {b}"])
    #expect(
      try batch("in/book.flac", "-o", "out/{name}/{n} {title}.flac", "--split", "chapters").text
        .hasPrefix("0 done, 1 done before"))
    let none = try batch("in/a.wav", "-o", "none/{name}-{n}.flac", "--split", "chapters")
    #expect(none.exitCode == 8 && none.errorText.contains("has no chapters"))
    #expect(files("none") == [])
  }

  @Test func `an input is done when all its parts are, and parts of an earlier rule are removed`()
    throws
  {
    try takes()
    func run(_ rule: String) throws -> String {
      let outcome = try batch("in", "-o", "out/{path}.wav", "--split", rule)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      return outcome.text.prefix { $0 != "·" }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try run("0.5s") == "3 done (15 parts), 0 failed")
    #expect(try run("0.5s") == "0 done, 3 done before, 0 failed")
    let before = try Dictionary(
      uniqueKeysWithValues: files("out").map { ($0, try folder.bytes("out/\($0)")) })
    try FileManager.default.removeItem(atPath: folder.file("out/b/a-002.wav"))
    #expect(try run("0.5s") == "1 done (8 parts), 2 done before, 0 failed")
    for (name, bytes) in before { #expect(try folder.bytes("out/\(name)") == bytes) }
    // The same sound with a new time.
    try folder.write("in/c.wav", folder.bytes("in/c.wav"))
    #expect(try run("0.5s") == "0 done, 3 done before, 0 failed")
    // A record that is lost costs its input only.
    var journal = try text("out/fxrun-batch.jsonl").split(separator: "\n")
    let lost = try #require(journal.lastIndex { $0.contains("\"output\":\"out/c-001.wav\"") })
    journal.remove(at: lost)
    try folder.write("out/fxrun-batch.jsonl", journal.joined(separator: "\n") + "\n")
    #expect(try run("0.5s").hasPrefix("1 done (2 parts), 2 done before"))
    // A file that somebody has changed stays.
    try folder.write("out/b/a-007.wav", "mine")
    #expect(try run("1s") == "3 done (8 parts), 0 failed")
    #expect(
      files("out") == [
        "a-001.wav", "a-002.wav", "a-003.wav", "b/a-001.wav", "b/a-002.wav", "b/a-003.wav",
        "b/a-004.wav", "b/a-007.wav", "c-001.wav",
      ])
    #expect(try text("out/b/a-007.wav") == "mine")
  }

  @Test func `a batch of split inputs that is killed at any moment completes after a restart`()
    throws
  {
    try FileManager.default.createDirectory(
      atPath: folder.file("in"), withIntermediateDirectories: true)
    for index in 0..<6 {
      try folder.write(
        "in/\(index).wav", Sound([Signal.noise(400_000, seed: UInt64(index + 1))]), bits: 16)
    }
    let arguments = [
      "batch", "none", "in", "-o", "out/{path}-{n}.flac", "--split", "1s", "-j", "2", "--manifest",
      "m.jsonl",
    ]
    var kills = 0
    for moment in 0..<6 {
      let program = try Program(arguments, in: folder.path)
      program.pump(limit: 0.1 + Double(moment) * 0.04) { _ in false }
      program.signal(SIGKILL)
      if try program.finish(limit: 30).signal != nil { kills += 1 }
      // No part has its name before all parts of its input are complete.
      for (_, parts) in Dictionary(
        grouping: files("out").filter { !$0.contains("/") }, by: { $0.prefix(1) })
      where !parts[0].hasPrefix(".") {
        for part in parts { #expect(try folder.run("info", "out/\(part)").exitCode == 0) }
      }
    }
    let outcome = try Program.run(arguments, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(kills > 0)
    let expected = (0..<6).flatMap { input in
      (1...10).map { "\(input)-\($0 < 10 ? "00" : "0")\($0).flac" }
    }
    #expect(files("out") == expected)
    #expect(try lines("m.jsonl").map { $0["input"].text } == expected.map { "out/\($0)" })
    // Each input has been recorded once.
    #expect(try records("out/fxrun-batch.jsonl").count == 60)
  }

  @Test func `two inputs never write a part of the same name`() throws {
    try takes()
    let same = try batch("in", "-o", "out/{name}-{n}.wav", "--split", "1s")
    #expect(same.exitCode == 64)
    #expect(
      same.errorText.contains(
        "inputs with the same output: out/a-{n}.wav from in/a.wav, in/b/a.wav"))
    #expect(files("out") == [])
    // Different templates, the same name in the end: fxrun knows it when both are rendered.
    try FileManager.default.moveItem(
      atPath: folder.file("in/c.wav"), toPath: folder.file("in/001c.wav"))
    let input = try folder.bytes("in/001c.wav")
    try folder.write(
      "jobs.jsonl",
      """
      {"input":"in/a.wav","output":"out/x{n}.wav"}
      {"input":"in/001c.wav","output":"out/x{title}.wav"}
      {"input":"in/b/a.wav","output":"in/{title}c.wav"}
      """)
    let outcome = try batch(
      "--jobs", "jobs.jsonl", "--split", "1s", "-j", "1", "--log", "log.jsonl", "--manifest",
      "m.jsonl")
    #expect(outcome.exitCode == 8)
    #expect(
      outcome.errorText.contains("out/x001.wav: this name of a part belongs to in/a.wav already"))
    #expect(
      outcome.errorText.contains(
        "in/001c.wav: this name of a part belongs to a file that the batch"))
    #expect(try folder.bytes("in/001c.wav") == input)
    #expect(files(".").filter { $0.contains(".fxrun") } == [])
    // What failed is not in the manifest.
    #expect(
      try lines("m.jsonl").map { $0["source"].text } == Array(repeating: "in/a.wav", count: 3))
  }

  @Test func `wrong set-ups of a split are refused`() throws {
    try takes()
    let cases: [([String], String)] = [
      (["-o", "out/{path}-{n}.wav"], "has {n}, which numbers the parts of --split"),
      (["-o", "out/{n}/{path}.wav", "--split", "1s"], "belong to the name of the file"),
      (["-o", "out/{path}.wav", "--split", "1s", "--album"], "--split does not go with --album"),
      (["-o", "out/{path}.wav", "--split", "sometimes"], "--split"),
      (["-o", "out/{path}.wav", "--carry"], "--carry is about the lines of --jobs"),
      (["-o", "out/{path}.wav", "--manifest", "in/a.wav"], "would replace in/a.wav"),
    ]
    for (arguments, words) in cases {
      let outcome = try Program.run(["batch", "none", "in"] + arguments, in: folder.path)
      #expect(outcome.exitCode == 64, "\(arguments)")
      #expect(outcome.errorText.contains(words), "\(arguments): \(outcome.errorText)")
    }
    #expect(files("out") == [])
  }

  @Test func `keys of a job are carried into its record and the manifest as they are`() throws {
    try takes()
    let line = """
      {"text": "caf\\u00e9 \\"q\\"", "audio_filepath": "in/a.wav", "duration": 99, "label": 3, \
      "big": 12345678901234567890, "x": 1.50, "nested": {"b": [1, null], "a": {"input": 1}}, \
      "speaker": "p225", "set": {"gain.gain": "-6 dB"}, "status": "new", "id": 7}
      """
    try folder.write(
      "in.jsonl",
      line + "\n" + #"{"audio_filepath": "in/none.wav", "speaker": "p1"}"# + "\n"
        + #"{"audio_filepath": "in/c.wav", "speaker": "p2"}"# + "\n")
    try folder.write(
      "chain.json", #"{ "version": 2, "chain": [ { "id": "gain", "unit": "gain" } ] }"#)
    func run(_ more: String...) throws -> Program.Outcome {
      try Program.run(
        ["batch", "chain.json", "--jobs", "in.jsonl", "--input-key", "audio_filepath", "-o"]
          + ["out/{path}.flac"] + more, in: folder.path)
    }
    let refused = try run()
    #expect(refused.exitCode == 64)
    #expect(refused.errorText.contains("in.jsonl:1: there is no key 'text'"))
    #expect(refused.errorText.contains("--carry"))
    let outcome = try run("--carry", "--manifest", "out.jsonl")
    #expect(outcome.exitCode == 8 && outcome.text.hasPrefix("2 done, 1 failed"))
    let record = try #require(
      try text("out/fxrun-batch.jsonl").split(separator: "\n").first { $0.contains("p225") })
    #expect(record.contains(#""big":12345678901234567890,"x":1.50,"nested":{"b": [1, null], "a""#))
    let failed = try #require(
      try records("out/fxrun-batch.jsonl").first { $0["status"].text == "failed" })
    #expect(failed["job"]["speaker"].text == "p1")
    let seconds = "2.1"
    #expect(
      try text("out.jsonl").split(separator: "\n") == [
        #"{"text":"caf\u00e9 \"q\"","audio_filepath":"out/in/a.flac","duration":\#(seconds),"label":3,"#
          + #""big":12345678901234567890,"x":1.50,"nested":{"b": [1, null], "a": {"input": 1}},"#
          + #""speaker":"p225","status":"new","id":7}"#,
        #"{"audio_filepath":"out/in/c.flac","speaker":"p2","duration":0.6}"#,
      ])
    // Another label renders nothing again, and is in the records and the manifest.
    try folder.write("in.jsonl", try text("in.jsonl").replacing("p225", with: "p226"))
    #expect(try run("--carry", "--manifest", "out.jsonl").text.hasPrefix("0 done, 2 done before"))
    #expect(try text("out.jsonl").contains(#""speaker":"p226""#))
    let merged = try folder.run(
      "batch", "merge", "out/fxrun-batch.jsonl", "--manifest", "merged.jsonl")
    #expect(merged.exitCode == 8)
    #expect(try folder.bytes("merged.jsonl") == folder.bytes("out.jsonl"))
    // The manifest is a job file.
    let next = try batch(
      "--jobs", "out.jsonl", "--carry", "--input-key", "audio_filepath", "-o", "cut/{path}.flac",
      "--split", "0.25s", "--manifest", "cut.jsonl")
    #expect(next.exitCode == 0, "\(next.errorText)")
    let cut = try lines("cut.jsonl")
    #expect(cut.count == 12)
    #expect(cut[1]["speaker"].text == "p226" && cut[1]["duration"].number == 0.25)
    #expect(cut[1]["audio_filepath"].text == "cut/out/in/a-002.flac")
    #expect(cut[1]["source"].text == "out/in/a.flac" && cut[1]["segment"].number == 2)
    #expect(cut[1]["start"].number == 0.25 && cut[1]["end"].number == 0.5)
  }
}
