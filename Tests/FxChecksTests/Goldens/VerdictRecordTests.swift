import FxAudio
import FxChain
@testable import FxChecks
import FxKit
import Testing

@Suite struct VerdictRecordTests {
  private func again(_ verdict: CaseVerdict) throws -> CaseVerdict {
    try #require(CaseVerdict(record: Array(verdict.record.text(indented: false).utf8)))
  }

  private func full() -> CaseVerdict {
    var verdict = CaseVerdict(name: "voice/\"quiet\"\u{1}", outcome: .differs)
    verdict.environment = [
      .init(.plugin, node: "pitch", "the plugin of 'pitch' has version 1.4, had 1.2"),
      .init(.fxrun, "this is fxrun 0.2.0, was 0.1.0"),
    ]
    let shape = Comparison.Shape(channelCount: 2, frameCount: 480, sampleRate: 44100)
    var left = Comparison.Channel(
      firstDifference: 12, differingFrameCount: 3, peak: 0.1, peakFrame: 13, rms: 1e-9)
    left.lastDifference = 14
    left.expectedPeak = .infinity
    left.actualEnd = 470
    left.nonFiniteCount = 2
    left.firstNonFinite = 13
    let right = Comparison.Channel(
      firstDifference: nil, differingFrameCount: 0, peak: 0, peakFrame: 0, rms: 0)
    var explanation = Comparison.Explanation()
    explanation.lag = -64
    explanation.gain = 0.1
    explanation.channelGains = [0.1, -.infinity]
    explanation.invertedChannels = [1]
    explanation.channelOrder = [1, 0]
    explanation.residualPeak = 1.2e-7
    var comparison = Comparison(
      expected: shape, actual: shape, category: .combined, channels: [left, right],
      explanation: explanation, bands: [.init(hertz: 1000, decibels: -0.3)])
    comparison.spectralDeviation = 0.31
    comparison.surplusPeak = 0.25
    comparison.roundingBits = 16
    verdict.outputs = [
      .init(name: "main", isSame: false, isWithinTolerance: false, comparison: comparison),
      .init(name: "low", isSame: true, isWithinTolerance: true),
    ]
    verdict.divergences = [
      .init(
        .node, node: "comp", unit: "compressor", frame: 1200, levelThen: -20.12,
        levelNow: -.infinity), .init(.structure, node: "x", unit: "gain", frame: 0),
    ]
    verdict.slowdowns = [
      .init(node: "comp", then: 0.2, now: 0.3), .init(node: nil, then: 1, now: 2),
    ]
    verdict.warnings = ["one", "two"]
    verdict.seconds = 0.125
    return verdict
  }

  @Test func `a verdict reaches another process unchanged`() throws {
    let verdict = full()
    let other = try again(verdict)
    #expect(other.name == verdict.name && other.outcome.name == "differs")
    #expect(other.environment == verdict.environment)
    #expect(other.outputs.map(\.comparison) == verdict.outputs.map(\.comparison))
    #expect(other.outputs.map(\.name) == ["main", "low"])
    #expect(other.outputs.map(\.isWithinTolerance) == [false, true])
    #expect(other.divergences == verdict.divergences)
    #expect(other.slowdowns == verdict.slowdowns)
    #expect(other.warnings == verdict.warnings && other.seconds == 0.125)
  }

  @Test func `a failure keeps its kind, its message and its hints`() throws {
    let failure = ChainFailure(
      .plugin, code: .missingPlugin, "no such plugin", path: "a.json", hints: ["install it"])
    let other = try again(CaseVerdict(name: "a", outcome: .failed(failure)))
    guard case .failed(let told) = other.outcome else {
      Issue.record("not a failure")
      return
    }
    #expect(told.kind == .plugin && told.code == "missing-plugin")
    #expect(told.message == "no such plugin" && told.path == "a.json")
    #expect(told.hints == ["install it"])
  }

  @Test func `an incomplete verdict is not read`() {
    let bytes = Array(full().record.text(indented: false).utf8)
    for count in 0..<bytes.count {
      #expect(CaseVerdict(record: Array(bytes.prefix(count))) == nil)
    }
    #expect(CaseVerdict(record: Array("{\"name\":\"a\",\"outcome\":\"odd\"}".utf8)) == nil)
  }

  @Test func `the environment is reported before the sound, and the sound before the nodes`() {
    var verdict = full()
    verdict.outputs[0].comparison = nil
    #expect(verdict.headline == "comp: the sound differs")
    #expect(
      verdict.details() == [
        "the environment differs:", "  the plugin of 'pitch' has version 1.4, had 1.2",
        "  this is fxrun 0.2.0, was 0.1.0",
        "the audio of 'main' differs in its digest; the golden has no sound that could be compared",
        "begins at node 'comp' (compressor), frame 1200: -20.12 dB then, silent now",
        "and at node 'x' (gain), which was added or removed, frame 0",
        "slower: node 'comp' takes 1.50 times as long as in the golden",
        "slower: the chain takes 2.00 times as long as in the golden", "warning: one",
        "warning: two",
      ])
  }
}
