import Foundation
import FxTestSupport
import Testing

/// `fxrun profile`.
@Suite struct ProfileTests {
  private let folder = Folder()

  /// Two branches, one with latency, into a file and the main output.
  private static let chain = """
    { "version": 1, "sampleRate": 48000, "blockSize": 128,
      "nodes": {
        "in": { "source": "main" },
        "comp": { "unit": "compressor", "lookahead": "5 ms" },
        "verb": { "unit": "reverb" },
        "mix": { "unit": "mixer" },
        "out": { "sink": "main" },
        "tap": { "sink": { "file": "tap.wav" } } },
      "connections": ["in -> comp -> mix -> out", "in -> verb -> mix", "comp -> tap"] }
    """

  @Test func `nodes, steps and threads are measured, and no file is written`() throws {
    try folder.write("chain.json", Self.chain)
    let outcome = try folder.run(
      "profile", "chain.json", "--duration", "0.3", "--threads", "2", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let profile = try JSONValue(outcome.output)
    let nodes = profile["nodes"].elements
    let units = Dictionary(
      nodes.map { ($0["node"].text ?? "", $0["nanosecondsPerFrame"].number ?? 0) }
    ) { first, _ in first }
    #expect(Set(units.keys) == ["in", "comp", "verb", "mix", "out", "tap"])
    #expect((units["verb"] ?? 0) > 0 && (units["comp"] ?? 0) > 0)
    #expect((units["verb"] ?? 0) > (units["mix"] ?? 0))
    #expect(nodes.allSatisfy { ($0["memory"].number ?? 0) > 0 })
    let steps = profile["steps"].elements
    #expect(Set(steps.compactMap { $0["kind"].text }) == ["delay"])
    #expect(steps.allSatisfy { $0["frames"].number == 240 && $0["node"].text == "mix" })
    let total = profile["nanosecondsPerFrame"].number ?? 0
    let parts = (nodes + steps).reduce(0) { $0 + ($1["nanosecondsPerFrame"].number ?? 0) }
    #expect(abs(total - parts) < 1e-6 * total)
    let threads = profile["threads"].elements
    #expect(threads.compactMap { $0["threads"].number } == [1, 2])
    #expect(threads.allSatisfy { ($0["seconds"].number ?? 0) > 0 })
    #expect(threads.allSatisfy { $0["activities"].elements.count == 2 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["chain.json"])
  }

  @Test(arguments: [(8192, true), (16, false)])
  func `live work is divided among threads if that saves enough time`(
    _ blockSize: Int, _ saves: Bool
  ) throws {
    // Two branches that do not depend on each other.
    try folder.write(
      "wide.json",
      """
      { "version": 1, "sampleRate": 48000, "blockSize": \(blockSize),
        "nodes": {
          "in": { "source": "main" }, "a": { "unit": "reverb" }, "b": { "unit": "reverb" },
          "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
        "connections": ["in -> a -> mix -> out", "in -> b -> mix"] }
      """)
    let outcome = try folder.run(
      "profile", "wide.json", "--duration", "0.3", "--threads", "2", "--json")
    let threads = try JSONValue(outcome.output)["threads"].elements
    let shares = threads.compactMap { $0["periodShare"].number }
    #expect((shares[1] < 0.9 * shares[0]) == saves, "\(shares)")
    #expect(threads.map { $0["liveTasks"].number == 1 } == [true, !saves])
  }

  @Test func `renders that are too short do not compare threads`() throws {
    try folder.write(
      "chain.json", #"{ "version": 1, "tail": "none", "chain": [ { "unit": "gain" } ] }"#)
    let outcome = try folder.run("profile", "chain.json", "--duration", "0.0001", "--threads", "2")
    #expect(outcome.text.contains("too short to compare threads"), "\(outcome.text)")
  }

  @Test func `the table names each node and the gain of more threads`() throws {
    try folder.write("chain.json", Self.chain)
    let outcome = try folder.run(
      "profile", "chain.json", "--duration", "0.2", "--threads", "2", "-o", "profile.svg")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let text = String(decoding: outcome.output, as: UTF8.self)
    #expect(text.hasPrefix("chain.json: "))
    for part in ["verb ", "delay of 240 before mix", "threads ", "into a file", "KiB"] {
      #expect(text.contains(part), "\(text)")
    }
    let picture = try String(contentsOfFile: folder.file("profile.svg"), encoding: .utf8)
    #expect(picture.contains("<svg") && picture.contains("Memory of nodes"))
  }

  @Test(arguments: [
    (["-o", "x.pdf"], 64), (["--threads", "0"], 64), (["missing.wav"], 4),
    (["--set", "nobody.gain=1"], 64), (["-"], 64), (["--input", "main=-"], 64),
    (["--duration", "0"], 64),
  ])
  func `wrong requests are refused`(_ arguments: [String], _ status: Int) throws {
    try folder.write("chain.json", Self.chain)
    let outcome = try Program.run(["profile", "chain.json"] + arguments, in: folder.path)
    #expect(outcome.exitCode == Int32(status), "\(outcome.errorText)")
  }
}
