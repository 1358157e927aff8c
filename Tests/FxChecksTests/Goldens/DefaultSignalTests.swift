import Foundation
import FxAudio
@testable import FxChecks
import FxKit
import FxUnits
import Testing

/// The default signals of inputs, and the changes that a case with them notices.
@Suite struct DefaultSignalTests {
  private let folder = CaseFolder()

  private func sound(_ input: String) -> Sound {
    DefaultSignals.own.signal(forInput: input).sound(
      sampleRate: 48000, channels: 2, frameCount: 96000)
  }

  private func product(_ one: Sound, _ other: Sound) -> Double {
    zip(one.channels, other.channels).reduce(0) { sum, pair in
      sum + zip(pair.0, pair.1).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
  }

  @Test func `every input has a signal of its own`() {
    let sounds = ["main", "key", "voice", "music", "in2"].map(sound)
    for (index, one) in sounds.enumerated() {
      for other in sounds[..<index] {
        let likeness = product(one, other)
        #expect(likeness * likeness < 0.01 * product(one, one) * product(other, other))
      }
    }
  }

  @Test(arguments: ["main", "key", "sidechain"])
  func `a default signal has peaks near full scale and quiet parts`(_ input: String) {
    let sound = sound(input)
    #expect(sound.peak > 0.98 && sound.peak < 1)
    let blocks = stride(from: 0, to: 96000, by: 2400).map { start in
      sound.channels[0][start..<start + 2400].reduce(0) { max($0, abs($1)) }
    }
    #expect(blocks.contains { $0 < 0.004 })
    #expect(blocks.count { $0 > 0.3 } > 5)
  }

  @Test func `a golden keeps the signals that it was made with`() throws {
    var testCase = try folder.testCase(
      #"{ "version": 1, "chain": [ { "unit": "gain", "parameters": { "gain": "-6 dB" } } ] }"#)
    testCase.inputs = [:]
    testCase.defaultSignals = .shared
    let manifest = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    #expect(manifest.signals == .shared)
    // fxrun 0.1 did not write the key.
    let text = try String(contentsOfFile: testCase.manifestPath, encoding: .utf8)
    let old = text.split(separator: "\n").filter { !$0.contains("\"signals\"") }
    #expect(old.count == text.split(separator: "\n").count - 1)
    try old.joined(separator: "\n").write(
      toFile: testCase.manifestPath, atomically: true, encoding: .utf8)
    testCase.defaultSignals = .current
    let verdict = CaseRun.verdict(of: testCase)
    #expect(verdict.passes, "\(verdict)")
    #expect(try CaseRun.record(testCase, into: "\(folder.path)/new").signals == .own)
  }

  /// Makes the golden of a case without inputs and returns the verdict of a changed chain.
  private func verdict(_ chain: String, _ changed: String) throws -> CaseVerdict {
    var testCase = try folder.testCase(chain)
    testCase.inputs = [:]
    testCase.duration = 2
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    var other = try folder.testCase(changed)
    other.inputs = [:]
    other.duration = 2
    return CaseRun.verdict(of: other)
  }

  private func ducker(_ connections: String) -> String {
    """
    { "version": 1, "nodes": { "in": { "source": "main" }, "voice": { "source": "voice" },
      "duck": { "unit": "compressor", "parameters": { "threshold": "-30 dB", "ratio": 8 } },
      "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
      "connections": [ \(connections), "duck -> mix", "mix -> out" ] }
    """
  }

  @Test func `a removed side-chain is noticed, and so are swapped inputs`() throws {
    let chain = ducker(#""in -> duck", "voice -> duck:sidechain", "voice -> mix""#)
    let gone = try verdict(chain, ducker(#""in -> duck", "voice -> mix""#))
    #expect(!gone.passes)
    let swapped = try verdict(
      chain, ducker(#""voice -> duck", "in -> duck:sidechain", "in -> mix""#))
    #expect(!swapped.passes)
  }

  @Test func `a removed limiter is noticed`() throws {
    let gone = try verdict(
      #"{ "version": 1, "chain": [ { "unit": "limiter", "parameters": { "ceiling": "-1 dB" } } ] }"#,
      #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#)
    #expect(!gone.passes)
  }

  @Test func `an inaudible change is a note`() throws {
    let unheard = try verdict(
      #"{ "version": 1, "chain": [ { "unit": "gain", "id": "soft" } ] }"#,
      #"{ "version": 1, "chain": [ { "unit": "gain", "id": "soft" }, { "unit": "gain", "id": "trim" } ] }"#
    )
    #expect(unheard.passes)
    #expect(unheard.notes == ["the chain changed: 'trim' is new (gain); its sound did not"])
  }

  @Test func `nodes and connections that a case does not exercise are named`() throws {
    var testCase = try folder.testCase(
      #"{ "version": 1, "chain": [ { "unit": "limiter", "id": "limit" }, { "unit": "gain", "id": "trim", "parameters": { "gain": "-3 dB" } } ] }"#
    )
    var quiet = TestSignal(.programme)
    quiet.level = -40
    testCase.inputs = ["main": .signal(quiet)]
    #expect(
      try Exercise(testCase).warnings == [
        "this case does not exercise 'limit': without it the sound is the same"
      ])
    var ducked = try folder.testCase(
      ducker(#""in -> duck", "voice -> duck:sidechain", "voice -> mix""#), name: "ducked")
    ducked.duration = 1
    ducked.inputs = [:]
    #expect(try Exercise(ducked).warnings == [])
    ducked.inputs = ["voice": .signal(TestSignal(.silence))]
    #expect(
      try Exercise(ducked).warnings.contains {
        $0.hasPrefix("this case does not exercise the connection 'voice -> mix")
      })
  }

  @Test func `a changed block size of a shared golden is reported only if nothing else changed`()
    throws
  {
    func chain(_ gain: String) -> String {
      """
      { "version": 1, "chain": [ { "unit": "gain", "parameters": { "gain": "\(gain)" } } ] }
      """
    }
    let testCase = try folder.testCase(chain("-6 dB"))
    _ = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    var other = try folder.testCase(chain("-5 dB"))
    other.blockSize = 32
    #expect(CaseRun.verdict(of: other).environment.map(\.kind).contains(.blockSize))
    other.sharesGolden = true
    #expect(CaseRun.verdict(of: other).environment.map(\.kind) == [.chain])
    let cases = CaseFile(
      bytes: Array(
        #"{ "version": 1, "cases": { "a": {}, "b": { "blockSize": 32, "expect": "golden/x-a.wav" }, "c": {} } }"#
          .utf8), path: "x.test.json"
    ).cases
    #expect(cases.map(\.sharesGolden) == [true, true, false])
  }

  @Test func `levels at a node are those over the longer of two renders`() {
    func fingerprints(_ frames: Int, rms: Double) -> NodeFingerprints {
      let side = NodeFingerprint.Side(channelCount: 1, windows: [1, 2], peak: 1, rms: rms)
      var fingerprints = NodeFingerprints(
        windowFrameCount: 16,
        nodes: [NodeFingerprint(id: "a", unit: "gain", sources: [], input: side, output: side)])
      fingerprints.nodes[0].output?.windows[0] = UInt32(frames)
      fingerprints.frameCount = frames
      return fingerprints
    }
    // The same sound, followed by silence of the same length.
    let found = fingerprints(96000, rms: 0.1 * 0.5.squareRoot()).divergences(
      from: fingerprints(48000, rms: 0.1))
    let now = found.first?.levelNow ?? 0
    let then = found.first?.levelThen ?? 1
    #expect(abs(now - then) < 1e-9, "\(then) \(now)")
  }
}
