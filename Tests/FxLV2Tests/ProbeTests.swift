import Foundation
import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// Plugins that are tried in their own processes.
@Suite struct ProbeTests {
  private func verdict(_ name: String, timeout: Double = 20) throws -> PluginVerdict {
    let description = try #require(
      FixtureBundles.world().describe(uri: "urn:fxrun:test:\(name)"))
    var probe = PluginProbe(searchPath: FixtureBundles.searchPath)
    probe.host = IsolationTests.settings.host
    probe.timeout = timeout
    return try probe.verdict(of: description)
  }

  @Test func `a plugin that runs is ok, with its latency and its cost`() throws {
    let verdict = try verdict("latent")
    #expect(verdict.outcome == .ok)
    #expect(verdict.latency == 48)
    #expect((verdict.nanosecondsPerFrame ?? 0) > 0)
    #expect((verdict.peak ?? 0) > 0.1)
    #expect(!verdict.prints)
  }

  @Test(arguments: [
    ("crash", PluginVerdict.Stage.run), ("crash:instantiate", .instantiate),
    ("crash:cleanup", .cleanup),
  ])
  func `a crash says where`(_ name: String, _ stage: PluginVerdict.Stage) throws {
    let verdict = try verdict(name)
    #expect(verdict.outcome == .crashed)
    #expect(verdict.stage == stage)
    #expect(verdict.detail == "segmentation fault (SIGSEGV)")
    #expect(verdict.sentence == "crashed in \(stage): segmentation fault (SIGSEGV)")
  }

  @Test(arguments: [
    ("hang", PluginVerdict.Stage.run), ("hang:instantiate", .instantiate),
  ])
  func `a plugin that never returns is reported as hanging`(
    _ name: String, _ stage: PluginVerdict.Stage
  ) throws {
    let verdict = try verdict(name, timeout: 2)
    #expect(verdict.outcome == .hung)
    #expect(verdict.stage == stage)
  }

  @Test func `each other failure has its verdict and its reason`() throws {
    #expect(try verdict("invalid").outcome == .nonFinite)
    #expect(try verdict("needy").outcome == .refused)
    #expect(try verdict("needy").detail?.contains("telepathy") == true)
    #expect(try verdict("unwilling").outcome == .failed)
    #expect(try verdict("broken").outcome == .failed)
    #expect(try verdict("missing").outcome == .refused)
    #expect(try verdict("crash:exit").sentence == "crashed in instantiate: exit status 7")
  }

  @Test func `a plugin that prints is reported`() throws {
    #expect(try verdict("rude").prints)
  }

  @Test func `several plugins are tried at a time`() throws {
    let world = FixtureBundles.world()
    let names = ["gain", "sum", "crash", "needy", "latent", "rude"]
    let plugins = try names.map { try #require(world.describe(uri: "urn:fxrun:test:\($0)")) }
    var probe = PluginProbe(searchPath: FixtureBundles.searchPath)
    probe.host = IsolationTests.settings.host
    let found = Found()
    probe.verdicts(of: plugins, jobs: 3) { found.outcomes[$0] = $1.outcome }
    #expect(
      found.outcomes == [0: .ok, 1: .ok, 2: .crashed, 3: .refused, 4: .ok, 5: .ok])
  }

  private final class Found: @unchecked Sendable {
    // Sendable: verdicts come one at a time.
    var outcomes: [Int: PluginVerdict.Outcome] = [:]
  }

  @Test func `a verdict is kept until the plugin changes`() throws {
    let folder = FixtureBundles.temporaryFolder("verdicts")
    let bundles = FixtureBundles.temporaryFolder("changing")
    let bundle = "\(bundles)/gain.lv2"
    try FixtureBundles.build(
      bundle: "\(Fixture.repository)/Tests/Fixtures/bundles/gain.lv2", into: bundle)
    let gain = try #require(
      LV2World(searchPath: bundles).describe(uri: "urn:fxrun:test:gain"))
    let path = "\(folder)/deep/down/verdicts"
    var cache = VerdictCache(path: path)
    #expect(cache[gain] == nil)
    let verdict = PluginVerdict(
      .crashed, detail: "word: Übung", stage: .cleanup, latency: 3, nanosecondsPerFrame: 1.5,
      peak: 0.25, prints: true)
    cache[gain] = verdict
    #expect(cache.write())
    #expect(VerdictCache(path: path)[gain] == verdict)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/deep/down").count == 1)
    try Data("other".utf8).write(to: URL(filePath: "\(bundle)/gain.so"))
    #expect(VerdictCache(path: path)[gain] == nil)
  }

  @Test(arguments: ["", "nonsense", "fxrun verdicts 1"])
  func `an invalid cache is empty`(_ text: String) throws {
    let path = "\(FixtureBundles.temporaryFolder("bad-verdicts"))/verdicts-\(text.count)"
    try Data(text.utf8).write(to: URL(filePath: path))
    let gain = try #require(FixtureBundles.world().describe(uri: "urn:fxrun:test:gain"))
    var cache = VerdictCache(path: path)
    #expect(cache[gain] == nil)
    cache[gain] = PluginVerdict(.ok)
    #expect(cache.write())
    #expect(VerdictCache(path: path)[gain]?.outcome == .ok)
  }
}
