import Foundation
import FxTestSupport
import Testing

/// `fxrun test` with a plugin that its developer builds again and again.
@Suite struct PluginGoldenTests {
  private let folder = Folder()

  init() throws {
    try folder.write(
      "mine.json",
      """
      { "version": 1, "tail": "none", "chain": [
        { "id": "mine", "lv2": "\(OwnPlugin.uri)" }, { "id": "after", "unit": "gain" } ] }
      """)
    try folder.write(
      "mine.test.json",
      #"{ "version": 1, "input": { "signal": "noise" }, "duration": "100 ms", "channels": 1 }"#)
  }

  private func run(_ arguments: String..., path: [String] = ["lv2"]) throws -> Program.Outcome {
    try Program.run(
      arguments, in: folder.path,
      environment: ["LV2_PATH": path.map { folder.file($0) }.joined(separator: ":")])
  }

  @Test func `the own build is tested although a folder earlier in the alphabet has the plugin`()
    throws
  {
    try OwnPlugin.build(in: folder.file("a-installed"))
    try OwnPlugin.build(in: folder.file("z-own"), "GAIN=0.05f")
    let (own, both) = (["z-own"], ["z-own", "a-installed"])
    let made = try run("test", "--update", path: both)
    #expect(made.exitCode == 0)
    #expect(
      made.text.contains("new   mine  has no golden yet\n      warning: LV2 plugin"), "\(made.text)"
    )
    #expect(try run("test", "--update", path: own).text.contains("same  mine\n"))
    let passed = try run("test", path: both)
    #expect(passed.exitCode == 0, "\(passed.text)")
    #expect(
      passed.text.contains(
        "warning: LV2 plugin '\(OwnPlugin.uri)' is in 2 bundles: '\(folder.file("z-own/own.lv2/"))' is "
          + "used, because it comes first in the search path; "
          + "'\(folder.file("a-installed/own.lv2/"))' is ignored"), "\(passed.text)")
    let differs = try run("test", path: both.reversed())
    #expect(differs.exitCode == 7)
    #expect(differs.text.contains("mine: 20.00 dB louder, nothing else"), "\(differs.text)")
    #expect(
      differs.text.contains(
        "; it is in 2 bundles, and '\(folder.file("a-installed/own.lv2/"))' is used, and was in 2 "
          + "bundles, and '\(folder.file("z-own/own.lv2/"))' was used"), "\(differs.text)")
    let updated = try run("test", "--update", path: both.reversed())
    #expect(updated.text.contains("is in 2 bundles"), "\(updated.text)")
    let manifest = try String(
      contentsOfFile: folder.file("golden/mine.golden.json"), encoding: .utf8)
    #expect(manifest.contains("\"\(folder.file("a-installed/own.lv2/"))\""), "\(manifest)")
  }

  @Test func `a list of plugins and a plugin name ignored bundles`() throws {
    try OwnPlugin.build(in: folder.file("a-installed"))
    try OwnPlugin.build(in: folder.file("z-own"))
    for arguments in [
      ["plugins"], ["plugins", OwnPlugin.uri], ["plugins", "show", OwnPlugin.uri],
    ] {
      for json in [false, true] {
        let outcome = try Program.run(
          arguments + (json ? ["--json"] : []), in: folder.path,
          environment: ["LV2_PATH": "\(folder.file("z-own")):\(folder.file("a-installed"))"])
        #expect(outcome.exitCode == 0)
        #expect(
          outcome.errorText.hasPrefix("warning: LV2 plugin '\(OwnPlugin.uri)' is in 2 bundles: "),
          "\(outcome.errorText)")
        if json {
          #expect(outcome.text.contains(#""ignoredBundles""#), "\(outcome.text)")
        }
      }
    }
  }

  @Test func `a plugin seeded by the time of day gets no exact golden`() throws {
    try OwnPlugin.build(in: folder.file("lv2"), "SEEDED")
    let refused = try run("test", "--update")
    #expect(refused.exitCode == 2, "\(refused.text)")
    #expect(
      refused.text.contains(
        "two renders of it differ: 'mine' (\(OwnPlugin.uri)) does not repeat itself"),
      "\(refused.text)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("golden/mine.wav")))
  }

  private static let farewell =
    "LV2 plugin '\(OwnPlugin.uri)' crashed while it was cleaned up; what was rendered is complete"

  @Test func `a crash in cleanup is a warning of the case, in JSON and in JUnit`() throws {
    try OwnPlugin.build(in: folder.file("lv2"), "FAREWELL")
    let made = try run("test", "--update")
    #expect(made.exitCode == 0, "\(made.text)")
    #expect(made.text.contains("warning: \(Self.farewell)\n"), "\(made.text)")
    let passed = try run("test", "--junit", "junit.xml")
    #expect(passed.exitCode == 0)
    #expect(passed.text.contains("warning: \(Self.farewell)\n"), "\(passed.text)")
    let report = try String(contentsOfFile: folder.file("junit.xml"), encoding: .utf8)
    #expect(report.contains("<system-out>LV2 plugin"), "\(report)")
    let json = try JSONValue(try run("test", "--json").output)
    #expect(json["cases"].elements[0]["warnings"].elements.map(\.text) == [Self.farewell])
  }

  @Test func `a crash in cleanup is a warning of each file of a batch`() throws {
    try OwnPlugin.build(in: folder.file("lv2"), "FAREWELL")
    for name in ["a", "b"] {
      try folder.write("in/\(name).wav", Sound([Signal.noise(4000)]))
    }
    let outcome = try run("batch", "mine.json", "in", "-o", "out/{path}.wav")
    #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errorText)")
    let records = try String(contentsOfFile: folder.file("out/fxrun-batch.jsonl"), encoding: .utf8)
    let ends = records.split(separator: "\n").filter {
      $0.contains("while it was cleaned up; what was rendered is complete")
    }
    #expect(ends.count == 2, "\(records)")
  }

  @Test func `a test that takes too long names the node that does not return`() throws {
    let chain = try String(contentsOfFile: folder.file("mine.json"), encoding: .utf8)
    try folder.write(
      "mine.json", chain.replacingOccurrences(of: OwnPlugin.uri, with: "urn:fxrun:test:hang"))
    let late = try Program.run(
      ["test", "--timeout", "2"], in: folder.path, environment: TestPlugins.environment)
    #expect(late.exitCode == 3, "\(late.errorText)")
    #expect(
      late.text.contains(
        "'mine' (urn:fxrun:test:hang) did not end within 2 s; --timeout gives it longer"),
      "\(late.text)")
  }

  @Test func `a changed latency is blamed on its node`() throws {
    try OwnPlugin.build(in: folder.file("lv2"))
    #expect(try run("test", "--update").exitCode == 0)
    let manifest = try String(
      contentsOfFile: folder.file("golden/mine.golden.json"), encoding: .utf8)
    #expect(manifest.contains(#""shapes""#))
    try OwnPlugin.build(in: folder.file("lv2"), "LATENCY=10", "GAIN=0.25f")
    let differs = try run("test")
    #expect(differs.exitCode == 7)
    #expect(
      differs.text.contains("the latency of 'mine' is 10 frames, was 0"), "\(differs.text)")
    #expect(differs.text.contains("begins at node 'mine'"), "\(differs.text)")
  }

  @Test func `more instances are named, and an earlier manifest blames nothing`() throws {
    try OwnPlugin.build(in: folder.file("lv2"))
    #expect(try run("test", "--update").exitCode == 0)
    try folder.write(
      "mine.test.json",
      #"{ "version": 1, "input": { "signal": "noise" }, "duration": "100 ms", "channels": 2 }"#)
    let differs = try run("test")
    #expect(differs.text.contains("the inputs of 'mine' are stereo, were mono"), "\(differs.text)")
    #expect(
      differs.text.contains("the plugin of 'mine' runs in 2 instances, ran in 1"),
      "\(differs.text)")
    let path = folder.file("golden/mine.golden.json")
    let earlier = try String(contentsOfFile: path, encoding: .utf8)
      .replacingOccurrences(of: "\"shapes\"", with: "\"forms\"")
    try earlier.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(!(try run("test").text.contains("instances")))
  }

  @Test func `the gain of a connection is compared in decibels`() throws {
    func write(_ gain: Int) throws {
      try folder.write(
        "mine.json",
        """
        { "version": 1, "tail": "none",
          "nodes": { "in": { "source": "main" }, "out": { "sink": "main" } },
          "connections": [{ "from": "in", "to": "out", "gain": "\(gain) dB" }] }
        """)
    }
    try write(-1)
    #expect(try run("test", "--update").exitCode == 0)
    try write(-2)
    let differs = try run("test")
    #expect(
      differs.text.contains("the chain differs: gain of in -> out is -2 dB, was -1 dB"),
      "\(differs.text)")
  }
}
