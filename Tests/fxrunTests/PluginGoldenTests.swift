import FxTestSupport
import Foundation
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
}
