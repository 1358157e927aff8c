import Foundation
import FxTestSupport
import Testing

/// `fxrun batch`, run as a user runs it.
@Suite struct BatchTests {
  let folder = Folder()

  private static let chain = """
    { "version": 1, "chain": [
      { "id": "gain", "unit": "gain", "parameters": { "gain": "-3 dB" } }, { "unit": "reverb" } ] }
    """

  /// Sounds in a tree of folders.
  func sounds(_ count: Int, frames: Int = 4000) throws {
    try folder.write("chain.json", Self.chain)
    for part in ["in/a", "in/b/c"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(part), withIntermediateDirectories: true)
    }
    for index in 0..<count {
      let name = "in/\(index % 3 == 0 ? "a" : "b/c")/\(index).wav"
      try folder.write(
        name, Sound([Signal.noise(frames + index, seed: UInt64(index + 1))]), bits: 16)
    }
  }

  func files(_ root: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder.file(root))?.allObjects as? [String] ?? [])
      .filter { !$0.hasSuffix(".jsonl") && $0.contains(".") }.sorted()
  }

  func records(_ path: String) throws -> [JSONValue] {
    try folder.bytes(path).split(separator: 0x0A).map { try JSONValue(Array($0)) }
      .filter { $0["batch"] == .null }
  }

  func batch(
    _ arguments: String..., environment: [String: String] = [:], input: Program.Input = .nothing
  ) throws -> Program.Outcome {
    try Program.run(
      ["batch", "chain.json"] + arguments, in: folder.path, environment: environment, input: input)
  }

  @Test func `outputs are the same for any number of workers and shards, and for single renders`()
    throws
  {
    try sounds(7)
    for jobs in ["1", "2", "3"] {
      let outcome = try batch("in", "-o", "j\(jobs)/{path}.flac", "-j", jobs, "--bits", "16")
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      #expect(outcome.text.hasPrefix("7 done, 0 failed · "))
    }
    for number in 1...3 {
      _ = try batch("in", "-o", "s/{path}.flac", "--bits", "16", "--shard", "\(number)/3")
    }
    let names = files("in").map { $0.replacing(".wav", with: ".flac") }
    for root in ["j1", "j2", "j3", "s"] { #expect(files(root) == names) }
    for name in names {
      let input = "in/\(name.replacing(".flac", with: ".wav"))"
      _ = try folder.run("chain.json", input, "-o", "alone.flac", "--bits", "16")
      let alone = try folder.bytes("alone.flac")
      for root in ["j1", "j2", "j3", "s"] { #expect(try folder.bytes("\(root)/\(name)") == alone) }
    }
    let merged = try folder.run(
      "batch", "merge", "s/fxrun-batch.1of3.jsonl", "s/fxrun-batch.2of3.jsonl",
      "s/fxrun-batch.3of3.jsonl")
    #expect(merged.exitCode == 0, "\(merged.errorText)")
    #expect(merged.text.split(separator: "\n").count == 7)
    let short = try folder.run(
      "batch", "merge", "s/fxrun-batch.1of3.jsonl", "s/fxrun-batch.3of3.jsonl")
    #expect(short.exitCode == 8)
    #expect(short.text == "")
    #expect(short.errorText.contains("shard 2/3: no journal"))
  }

  @Test func `finished files are skipped until something that they depend on changes`() throws {
    try sounds(3)
    func run(_ more: String...) throws -> String {
      let outcome = try Program.run(
        ["batch", "chain.json", "in", "-o", "out/{path}.wav"] + more, in: folder.path)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      return outcome.text.prefix { $0 != "·" }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try run() == "3 done, 0 failed")
    #expect(try run() == "0 done, 3 done before, 0 failed")
    #expect(try run("--set", "gain.gain=-6 dB") == "3 done, 0 failed")
    #expect(try run("--set", "gain.gain=-6 dB", "--again") == "3 done, 0 failed")
    #expect(try run("--set", "gain.gain=-6 dB", "--resampling", "low") == "3 done, 0 failed")
    #expect(try run("--set", "gain.gain=-6 dB", "--reverse") == "3 done, 0 failed")
    #expect(try run("--set", "gain.gain=-6 dB") == "3 done, 0 failed")
    // The same bytes with a new modification time.
    let bytes = try folder.bytes("in/a/0.wav")
    try folder.write("in/a/0.wav", bytes)
    #expect(try run("--set", "gain.gain=-6 dB") == "0 done, 3 done before, 0 failed")
    try folder.write("in/a/0.wav", Sound([Signal.noise(999)]))
    #expect(try run("--set", "gain.gain=-6 dB") == "1 done, 2 done before, 0 failed")
    try FileManager.default.removeItem(atPath: folder.file("out/b/c/1.wav"))
    #expect(try run("--set", "gain.gain=-6 dB") == "1 done, 2 done before, 0 failed")
    try folder.write("chain.json", Self.chain.replacing("-3 dB", with: "-4 dB"))
    #expect(try run("--set", "gain.gain=-6 dB") == "3 done, 0 failed")
  }

  @Test func `files are rendered again when their cover picture has changed`() throws {
    try sounds(1)
    func run() throws -> String {
      try batch("in", "-o", "out/{path}.flac", "--cover", "c.png").text
    }
    func picture(_ byte: UInt8) -> [UInt8] {
      [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 1] + Array("IDAT".utf8)
        + [byte, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
    }
    try folder.write("c.png", picture(1))
    #expect(try run().hasPrefix("1 done, 0 failed"))
    #expect(try run().hasPrefix("0 done, 1 done before"))
    try folder.write("c.png", picture(2))
    #expect(try run().hasPrefix("1 done, 0 failed"))
  }

  @Test func `files are rendered again when a plugin's description has changed`() throws {
    try sounds(1)
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [ { "lv2": "urn:fxrun:test:gain" } ] }"#)
    try FileManager.default.copyItem(
      atPath: "\(TestPlugins.folder)/gain.lv2", toPath: folder.file("gain.lv2"))
    func run() throws -> String {
      try batch("in", "-o", "out/{path}.wav", environment: ["LV2_PATH": folder.path]).text
    }
    #expect(try run().hasPrefix("1 done, 0 failed"))
    #expect(try run().hasPrefix("0 done, 1 done before"))
    let text = String(decoding: try folder.bytes("gain.lv2/gain.ttl"), as: UTF8.self)
    try folder.write(
      "gain.lv2/gain.ttl", text.replacing("lv2:default 0.0", with: "lv2:default -6.0"))
    #expect(try run().hasPrefix("1 done, 0 failed"))
  }

  @Test func `a batch edits files like a single render`() throws {
    try sounds(2)
    let words = [
      "--channels", "1", "--reverse", "--repeat", "2", "--fade-in", "0.01", "--fade-out", "0.01",
      "--pad", "0.1,0.2", "--bits", "32",
    ]
    let outcome = try Program.run(
      ["batch", "chain.json", "in", "-o", "out/{path}.wav"] + words, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let alone = try Program.run(
      ["chain.json", "in/a/0.wav", "-o", "alone.wav"] + words, in: folder.path)
    #expect(alone.exitCode == 0)
    #expect(try folder.bytes("out/a/0.wav") == folder.bytes("alone.wav"))
  }

  @Test func `a file that cannot be read fails alone and is tried again`() throws {
    try sounds(3)
    try folder.write("in/a/0.wav", "no sound")
    let outcome = try batch("in", "-o", "out/{path}.flac", "--json")
    #expect(outcome.exitCode == 8)
    let lines = try outcome.output.split(separator: 0x0A).map { try JSONValue(Array($0)) }
    #expect(lines.count == 4)
    #expect(lines[3]["failed"].number == 1)
    let failed = try #require(lines.first { $0["status"].text == "failed" })
    #expect(failed["input"].text == "in/a/0.wav")
    #expect(failed["error"]["kind"].text == "input")
    #expect(failed["error"]["exitStatus"].number == 4)
    #expect(files("out") == ["b/c/1.flac", "b/c/2.flac"])
    try folder.write("in/a/0.wav", Sound([Signal.noise(999)]))
    #expect(
      try batch("in", "-o", "out/{path}.flac").text.hasPrefix("1 done, 2 done before, 0 failed"))
    let last = try #require(try records("out/fxrun-batch.jsonl").last)
    #expect(last["attempt"].number == 2)
  }

  @Test(arguments: ["1", "2"])
  func `a plugin that crashes or hangs fails its file and is named`(_ workers: String) throws {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none", "variables": { "plugin": "gain" }, "chain": [
        { "id": "fx", "lv2": "urn:fxrun:test:${plugin}" } ] }
      """)
    try folder.write("in.wav", Sound([Signal.noise(20000), Signal.noise(20000, seed: 2)]))
    let plugins = ["gain", "crash", "farewell", "gain", "harm:overflow", "hang", "gain"]
    let jobs = plugins.enumerated().map { index, plugin in
      #"{"input":"in.wav","id":\#(index),"define":{"plugin":"\#(plugin)"}}"#
    }
    let outcome = try batch(
      "--jobs", "-", "-o", "out/{id}.wav", "-j", workers, "--timeout", "5",
      environment: TestPlugins.environment,
      input: .bytes(Array(jobs.joined(separator: "\n").utf8)))
    #expect(outcome.exitCode == 8, "\(outcome.errorText)")
    #expect(files("out") == ["0.wav", "2.wav", "3.wav", "6.wav"])
    let failed = try records("out/fxrun-batch.jsonl").filter { $0["status"].text == "failed" }
      .sorted { ($0["id"].text ?? "") < ($1["id"].text ?? "") }
    #expect(failed.map { $0["error"]["exitStatus"].number } == [3, 3, 3])
    let message = "crashed: segmentation fault (SIGSEGV)"
    for (index, plugin) in ["crash", "harm:overflow"].enumerated() {
      let words = failed[index]["error"]["message"].text ?? ""
      #expect(words.hasPrefix("'fx' (urn:fxrun:test:\(plugin)) \(message)"), "\(words)")
    }
    #expect(failed[2]["error"]["code"].text == "timeout")
  }

  @Test func `a batch that is killed at any moment completes after a restart`()
    throws
  {
    try sounds(24, frames: 200_000)
    var kills = 0
    for moment in 0..<8 {
      let program = try Program(
        ["batch", "chain.json", "in", "-o", "out/{path}.flac", "-j", "2"], in: folder.path)
      program.pump(limit: 0.12 + Double(moment) * 0.03) { _ in false }
      program.signal(SIGKILL)
      if try program.finish(limit: 30).signal != nil { kills += 1 }
    }
    let outcome = try batch("in", "-o", "out/{path}.flac", "-j", "2")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(files("out") == files("in").map { $0.replacing(".wav", with: ".flac") })
    let records = try records("out/fxrun-batch.jsonl")
    #expect(records.allSatisfy { $0["status"].text == "done" })
    #expect(Set(records.compactMap { $0["output"].text }).count == 24)
    #expect(kills > 0)
    #expect(records.count == 24)
  }

  @Test
  func `an interrupted batch completes its current files, and the next start renders the rest`()
    throws
  {
    try sounds(24, frames: 400_000)
    let program = try Program(
      ["batch", "chain.json", "in", "-o", "out/{path}.flac", "-j", "1", "--json"], in: folder.path)
    program.pump(limit: 60) { $0.text.contains("\n") }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 60)
    #expect(outcome.exitCode == 130)
    let done = files("out").count
    #expect(done < 24)
    #expect(outcome.text.split(separator: "\n").count == done + 1)
    #expect(
      try batch("in", "-o", "out/{path}.flac").text.hasPrefix("\(24 - done) done, \(done) done"))
  }

  @Test func `a second interrupt ends a batch at once and leaves no incomplete file`() throws {
    try sounds(2, frames: 40_000)
    let program = try Program(
      ["batch", "chain.json", "in", "-o", "out/{path}.flac", "-j", "2", "--repeat", "1000"],
      in: folder.path)
    program.pump(limit: 60) { _ in !files("out").isEmpty }
    program.signal(SIGINT)
    program.pump(limit: 0.2) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 10)
    #expect(outcome.exitCode == 130)
    let whole = files("in").map { $0.replacing(".wav", with: ".flac") }
    #expect(files("out").filter { whole.contains($0) } == [])
    let again = try batch("in", "-o", "out/{path}.flac")
    #expect(again.exitCode == 0, "\(again.errorText)")
    #expect(files("out") == whole)
  }

  @Test func `a batch with a wrong set-up does not start`() throws {
    try sounds(3)
    let cases: [([String], Int32, String)] = [
      (["in"], 64, "-o"),
      (["in", "-o", "out/{nam}.wav"], 64, "there is no field {nam}"),
      (["in", "-o", "out/x.wav"], 64, "inputs with the same output:"),
      (["in/a/0.wav", "-o", "in/a/{name}.{ext}"], 64, "take the place of an input"),
      (["none", "-o", "out/{path}.wav"], 4, "none: no such file or folder"),
      (["in/*.mp3", "-o", "out/{path}.wav"], 4, "the pattern matches no sound file"),
      (["in", "-o", "out/{path}.wav", "--shard", "3/2"], 64, "--shard takes NUMBER/COUNT"),
      (["in", "-o", "out/{path}.wav", "-j", "0"], 64, "-j 1 to 256"),
      (["in", "-o", "out/{path}.wav", "--set", "gian.gain=3"], 64, "gian"),
      (["in", "-o", "out/{path}"], 64, "the name does not end in a format"),
      (["in", "-o", "out/{path}.xyz"], 64, "the name does not end in a format"),
      (["in", "-o", "out/{path}.flac", "--bits", "32"], 64, "FLAC stores 8, 16 or 24 bits"),
      (["in", "-o", "out/{path}.flac", "--bit-rate", "128"], 64, "a bit rate goes with"),
      (["in", "-o", "out/{path}.raw", "--tag", "title=x"], 64, "files have no tags"),
      (["in", "-o", "out/{path}.flac", "--cover", "none.png"], 4, "none.png: no such file"),
      (["in", "-o", "out/{path}.flac", "--cover", "chain.json"], 4, "this is no picture"),
      (["in", "-o", "out/{path}.wav", "--input", "x=in/a/0.wav"], 64, "has no input 'x'"),
    ]
    for (arguments, status, words) in cases {
      let outcome = try Program.run(["batch", "chain.json"] + arguments, in: folder.path)
      #expect(outcome.exitCode == status, "\(arguments)")
      #expect(outcome.errorText.contains(words), "\(arguments): \(outcome.errorText)")
      #expect(outcome.text == "")
    }
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [ { "sink": { "file": "x.wav" } } ] }"#)
    #expect(try batch("in", "-o", "out/{path}.wav").exitCode == 64)
    try folder.write("chain.json", #"{ "version": 1, "chain": [ { "unit": "revreb" } ] }"#)
    #expect(try batch("in", "-o", "out/{path}.wav").exitCode == 2)
    #expect(files("out") == [])
  }

  @Test func `a mistake in a job's settings fails only that job, in any position`() throws {
    try sounds(2)
    let wrong = #"{"input":"in/a/0.wav","output":"out/w.wav","set":{"gain.gain":"nonsense"}}"#
    let right = #"{"input":"in/a/0.wav","output":"out/r.wav"}"#
    for lines in [[wrong, right], [right, wrong]] {
      try folder.write("jobs.jsonl", lines.joined(separator: "\n"))
      let outcome = try batch("--jobs", "jobs.jsonl", "--again")
      #expect(outcome.exitCode == 8)
      #expect(outcome.errorText.contains("cannot be \"nonsense\"\n"))
      #expect(!outcome.errorText.contains("\\n"))
      #expect(files("out") == ["r.wav"])
    }
    try folder.write("jobs.jsonl", wrong)
    #expect(try batch("--jobs", "jobs.jsonl", "--again").exitCode == 64)
  }

  @Test func `names that differ only in the encoding of an accent are two files`() throws {
    try sounds(1)
    for name in ["caf\u{e9}", "cafe\u{301}"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/names", withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "\(folder.path)/in/a/0.wav", toPath: "\(folder.path)/names/\(name).wav")
    }
    let outcome = try batch("names", "-o", "out/{path}.wav")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.text.contains("2 done") || outcome.errorText.contains("2 done"))
    #expect(files("out").count == 2)
    #expect(
      try batch("names", "-o", "out/{path}.wav").errorText.contains("2 of 2 files done before"))
  }

  @Test func `files and folders whose names are not UTF-8 are rendered`() throws {
    try sounds(1)
    func bytes(_ name: [UInt8]) -> [CChar] {
      (Array("\(folder.path)/in/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
    }
    let sound = folder.file("in/a/0.wav")
    let strange = Array("a/".utf8) + [0xff] + Array(".wav".utf8)
    #expect(link(sound, bytes(strange)) == 0)
    #expect(mkdir(bytes([0xe9]), 0o700) == 0)
    #expect(link(sound, bytes([0xe9] + Array("/x.wav".utf8))) == 0)
    let outcome = try batch("in", "-o", "out/{path}.wav")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let expected = try folder.bytes("out/a/0.wav")
    #expect(try folder.bytes("out/a/%FF.wav") == expected)
    #expect(try folder.bytes("out/%E9/x.wav") == expected)
    #expect(
      try batch("in", "-o", "out/{path}.wav").errorText.contains("3 of 3 files done before"))
    #expect(try batch("in/*/*.wav", "-o", "glob/{path}.wav").exitCode == 0)
    #expect(try folder.bytes("glob/a/%FF.wav") == expected)
    try folder.write("list", Array("in/a/0.wav".utf8) + [0] + Array("in/".utf8) + strange + [0])
    #expect(try batch("--list", "list", "-o", "listed/{name}.wav").exitCode == 0)
    #expect(try folder.bytes("listed/%FF.wav") == expected)
    // A message has the name as the records do.
    unlink(sound)
    #expect(truncate(bytes(strange), 20) == 0)
    let damaged = try batch("in/a/*.wav", "-o", "bad/{name}.wav")
    #expect(damaged.exitCode == 8 && damaged.errorText.contains("in/a/%FF.wav: "))
    #expect(!damaged.errorText.contains("/proc/"), "\(damaged.errorText)")
  }

  @Test func `patterns, lists and folders name the same files`() throws {
    try sounds(6)
    _ = try batch("in", "-o", "out/{index}.wav")
    #expect(files("out") == (1...6).map { "\($0).wav" })
    _ = try batch("in/a/[03].wav", "-o", "glob/{path}.wav")
    #expect(files("glob") == ["0.wav", "3.wav"])
    let list = try batch(
      "--list", "-", "-o", "list/{path}.wav", input: .bytes(Array("in/a/0.wav\nin/a/9.wav\n".utf8)))
    #expect(list.exitCode == 8)
    #expect(list.errorText.contains("error: in/a/9.wav: no such file"))
    #expect(files("list") == ["in/a/0.wav"])
    // Outputs of an earlier run are not inputs of the next.
    _ = try batch(".", "-o", "all/{path}.wav")
    let count = files("all").count
    _ = try batch(".", "-o", "all/{path}.wav")
    #expect(files("all").count == count)
  }
}
