import Foundation
@testable import FxChecks
import FxKit
import FxUnits
import Testing

/// Verdicts of cases.
@Suite struct CaseRunTests {
  private let folder = CaseFolder()

  private func chain(gain: String = "-6 dB", tail: String = "none") -> String {
    """
    { "version": 1, "tail": "\(tail)", "chain": [
      { "unit": "highPass", "parameters": { "frequency": "200 Hz" } },
      { "unit": "gain", "parameters": { "gain": "\(gain)" } } ] }
    """
  }

  /// Makes the golden of a chain and returns the verdict of a changed chain with the same name.
  private func verdict(
    _ accepted: String, _ changed: String, change: (inout TestCase) -> Void = { _ in }
  ) throws -> CaseVerdict {
    let testCase = try folder.testCase(accepted)
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    var other = try folder.testCase(changed)
    change(&other)
    return CaseRun.verdict(of: other)
  }

  @Test func `a case without a golden is new if it renders`() throws {
    guard case .new = CaseRun.verdict(of: try folder.testCase(chain())).outcome else {
      Issue.record("not new")
      return
    }
    guard case .failed(let failure) = CaseRun.verdict(of: try folder.testCase("{}")).outcome else {
      Issue.record("a chain with mistakes did not fail")
      return
    }
    #expect(failure.kind == .chain)
  }

  @Test func `the same chain passes, at any block size`() throws {
    let verdict = try verdict(chain(), chain()) { $0.blockSize = 7 }
    guard case .passed = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.outputs.map(\.isSame) == [true])
  }

  @Test func `a louder chain differs, with the change, its size and its place`() throws {
    let verdict = try verdict(chain(), chain(gain: "-5.9 dB"))
    guard case .differs = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.environment.map(\.message).contains { $0.hasPrefix("gain.gain is -5.9") })
    let comparison = try #require(verdict.outputs.first?.comparison)
    #expect(comparison.category == .gain)
    #expect(abs((comparison.explanation?.gain ?? 0) - 0.1) < 0.001)
    #expect(verdict.divergences.map(\.node) == ["gain"])
  }

  @Test func `a changed tail is not reported as a changed input`() throws {
    for tail in ["none", "30 ms", "0.5 s"] {
      let verdict = try verdict(chain(tail: "0.1 s"), chain(tail: tail))
      #expect(verdict.environment.map(\.kind) == [.chain], "\(verdict.environment)")
      #expect(verdict.outputs.first?.comparison?.category == .length)
      #expect(verdict.divergences.isEmpty)
    }
  }

  @Test func `a changed sample rate is reported alone, and begins at the sources`() throws {
    // Noise has the same samples at every rate.
    var tone = try folder.testCase(chain())
    tone.inputs = ["main": .signal(TestSignal(.tone))]
    _ = try CaseRun.record(tone, into: "\(folder.path)/golden")
    tone.sampleRate = 44100
    let verdict = CaseRun.verdict(of: tone)
    #expect(verdict.environment.map(\.kind) == [.sampleRate], "\(verdict.environment)")
    #expect(verdict.outputs.first?.comparison?.category == .sampleRate)
    #expect(verdict.divergences.map(\.place) == [.source])
  }

  @Test func `a changed input is reported at its source`() throws {
    let verdict = try verdict(chain(), chain()) {
      var noise = TestSignal(.noise)
      noise.seed = 99
      $0.inputs["main"] = .signal(noise)
    }
    #expect(verdict.environment.map(\.kind) == [.input], "\(verdict.environment)")
    #expect(verdict.divergences.map(\.place) == [.source])
  }

  @Test func `a difference within the tolerance passes`() throws {
    let loud = try verdict(chain(), chain(gain: "-5.9 dB")) { $0.tolerance = Tolerance(peak: -60) }
    let quiet = try verdict(chain(), chain(gain: "-5.9 dB")) { $0.tolerance = Tolerance(peak: -20) }
    guard case .differs = loud.outcome, case .passed = quiet.outcome else {
      Issue.record("\(loud.outcome) \(quiet.outcome)")
      return
    }
    #expect(quiet.outputs.first?.isWithinTolerance == true)
  }

  @Test
  func `a manifest alone reports a difference and its place, but does not describe the sound`()
    throws
  {
    let manifest = "\(folder.path)/golden/chain.golden.json"
    var testCase = try folder.testCase(chain())
    testCase.expectation = .manifest(manifest)
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/golden")
        == ["chain.golden.json"])
    let same = CaseRun.verdict(of: testCase)
    guard case .passed = same.outcome else {
      Issue.record("\(same)")
      return
    }
    var changed = try folder.testCase(chain(gain: "-7 dB"))
    changed.expectation = .manifest(manifest)
    let verdict = CaseRun.verdict(of: changed)
    guard case .differs = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.outputs.first?.comparison == nil)
    #expect(verdict.divergences.map(\.node) == ["gain"])
  }

  @Test func `a difference does not begin at an unchanged output`() throws {
    func stems(_ unit: String, _ gain: Int) -> String {
      """
      { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
        "tame": { "unit": "\(unit)" },
        "trim": { "unit": "gain", "parameters": { "gain": \(gain) } }, "bass": { "sink": "low" } },
        "connections": ["in -> out", "in -> trim -> tame -> bass"] }
      """
    }
    // Both outputs were delayed by the limiter's latency.
    let verdict = try verdict(stems("limiter", 0), stems("gain", -1))
    #expect(verdict.outputs.map(\.isSame) == [true, false])
    #expect(verdict.divergences.map(\.node).sorted() == ["tame", "trim"])
  }

  @Test func `added and removed outputs are reported`() throws {
    let two = #"""
      { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
        "low": { "unit": "lowPass" }, "bass": { "sink": "low" } },
        "connections": ["in -> out", "in -> low -> bass"] }
      """#
    let one = #"""
      { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "main" } },
        "connections": ["in -> out"] }
      """#
    let gone = try verdict(two, one)
    #expect(gone.warnings.contains { $0.contains("no output 'low'") }, "\(gone)")
    let added = try verdict(one, two)
    #expect(added.warnings.contains { $0.contains("'low' is new") }, "\(added)")
    for verdict in [gone, added] {
      guard case .differs = verdict.outcome else {
        Issue.record("\(verdict.outcome)")
        continue
      }
    }
  }

  @Test func `a golden whose sound file was cut off is reported with the difference`() throws {
    let testCase = try folder.testCase(chain())
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    let sound = "\(folder.path)/golden/chain.wav"
    var short = try Sound(contentsOfFile: sound)
    short.channels = short.channels.map { Array($0.prefix(100)) }
    try short.write(toFile: sound)
    let verdict = CaseRun.verdict(of: try folder.testCase(chain(gain: "-7 dB")))
    #expect(verdict.warnings.contains { $0.contains("chain.wav is not the sound") }, "\(verdict)")
  }

  @Test(arguments: ["wav", "flac"], [CaseRunTests.halved, CaseRunTests.cut, CaseRunTests.emptied])
  func `a damaged sound of a golden is reported, and no render is compared with it`(
    _ ending: String, _ damage: @Sendable (String) throws -> Void
  ) throws {
    let sound = "\(folder.path)/golden/chain.\(ending)"
    var testCase = try folder.testCase(chain())
    testCase.expectation = .sound(sound)
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    #expect(CaseRun.verdict(of: testCase).warnings.isEmpty)
    let bytes = try Data(contentsOf: URL(filePath: sound))
    try damage(sound)
    let verdict = CaseRun.verdict(of: testCase)
    guard case .passed = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.warnings.count == 1)
    #expect(verdict.warnings.first?.contains(sound) == true)
    // Manifests of earlier versions have no digest.
    let manifest = testCase.manifestPath
    var text = try String(contentsOfFile: manifest, encoding: .utf8)
    #expect(text.contains("soundDigest") == (ending == "flac"))
    text = text.replacing(#/,\s*"soundDigest":\s*"[0-9a-f]+"/#, with: "")
    #expect(!text.contains("soundDigest"))
    try text.write(toFile: manifest, atomically: true, encoding: .utf8)
    #expect(CaseRun.verdict(of: testCase).warnings.count == 1)
    try bytes.write(to: URL(filePath: sound))
    #expect(CaseRun.verdict(of: testCase).warnings.isEmpty)
  }

  @Test(arguments: ["wav", "flac"])
  func `a golden whose sound has another level is not compared`(_ ending: String) throws {
    let sound = "\(folder.path)/golden/chain.\(ending)"
    var testCase = try folder.testCase(chain())
    testCase.expectation = .sound(sound)
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    var louder = try folder.testCase(chain(gain: "-5.9 dB"))
    louder.expectation = .sound(sound)
    louder.tolerance = Tolerance(peak: 0)
    guard case .passed = CaseRun.verdict(of: louder).outcome else {
      Issue.record("not within the tolerance")
      return
    }
    try Self.halved(sound)
    let verdict = CaseRun.verdict(of: louder)
    guard case .differs = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.warnings.contains { $0.contains("is not the sound that its manifest") })
    #expect(verdict.outputs.first?.comparison == nil)
  }

  @Sendable private static func halved(_ path: String) throws {
    var sound = try Sound(contentsOfFile: path)
    sound.channels = sound.channels.map { $0.map { $0 * 0.5 } }
    try sound.write(toFile: path)
  }

  @Sendable private static func cut(_ path: String) throws {
    var sound = try Sound(contentsOfFile: path)
    sound.channels = sound.channels.map { Array($0.prefix(100)) }
    try sound.write(toFile: path)
  }

  @Sendable private static func emptied(_ path: String) throws {
    try Data().write(to: URL(filePath: path))
  }

  @Test func `a golden whose sound file is gone still passes, with a warning`() throws {
    let testCase = try folder.testCase(chain())
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    try FileManager.default.removeItem(atPath: "\(folder.path)/golden/chain.wav")
    let verdict = CaseRun.verdict(of: testCase)
    guard case .passed = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.warnings.count == 1)
  }

  @Test func `nodes that differ between two renders are marked in the manifest`() throws {
    let then = try CaseRun.record(try folder.testCase(chain()), into: "\(folder.path)/one")
    let now = try CaseRun.record(
      try folder.testCase(chain(gain: "-6.1 dB")), into: "\(folder.path)/two")
    let marked = then.marking(unlike: now)
    #expect(marked.fingerprints.nodes.filter { !$0.repeats }.map(\.id) == ["gain"])
    #expect(!then.sounds(like: now))
    #expect(then.marking(unlike: then) == then)
  }
}
