import FxAudio
@testable import FxChecks
import FxKit

/// Sounds, fingerprints and verdicts for tests of reports.
enum ReportSamples {
  static let rate = 48000.0

  static func tone(_ frameCount: Int, channels: Int = 1, gain: Float = 0.5) -> Sound {
    let wave = (0..<frameCount).map { gain * Float(Math.sin(Double($0) * 0.05)) }
    return Sound(channels: Array(repeating: wave, count: channels), sampleRate: rate)
  }

  /// A tone, and the same tone 0.9 times as loud from `frame` on.
  static func kinked(_ frameCount: Int, at frame: Int, channels: Int = 1) -> (
    expected: Sound, actual: Sound
  ) {
    let expected = tone(frameCount, channels: channels)
    var actual = expected
    for channel in actual.channels.indices {
      for index in frame..<frameCount { actual.channels[channel][index] *= 0.9 }
    }
    return (expected, actual)
  }

  /// `in` to `comp` to `mix` to `out`, and `in` directly to `mix`, with a loop through `echo`.
  static func fingerprints(changedFrom frame: Int? = nil) -> NodeFingerprints {
    func side(_ seed: UInt32, rms: Double, isChanged: Bool, later: Int) -> NodeFingerprint.Side {
      let windows = (0..<8).map { window -> UInt32 in
        let differs = isChanged && frame.map { window * 256 >= $0 + later } ?? false
        return seed &+ UInt32(window) &+ (differs ? 1000 : 0)
      }
      return NodeFingerprint.Side(channelCount: 1, windows: windows, peak: 0.5, rms: rms)
    }
    func node(_ id: String, _ unit: String, _ sources: [String], input: Bool, output: Bool)
      -> NodeFingerprint
    {
      // Through the loop.
      let later = id == "echo" ? 512 : 0
      return NodeFingerprint(
        id: id, unit: unit, sources: sources,
        input: sources.isEmpty ? nil : side(10, rms: 0.1, isChanged: input, later: later),
        output: unit == "sink" ? nil : side(50, rms: 0.05, isChanged: output, later: later))
    }
    var nodes = [
      node("in", "source", [], input: false, output: false),
      node("comp", "compressor", ["in"], input: false, output: true),
      node("echo", "delay", ["mix"], input: true, output: true),
      node("mix", "mixer", ["in", "comp", "echo"], input: true, output: true),
      node("out", "sink", ["mix"], input: true, output: false),
    ]
    nodes[2].delays["mix"] = 100
    return NodeFingerprints(windowFrameCount: 256, nodes: nodes)
  }

  /// A report with all elements that a page can show, with names that could break it.
  static func full() -> DifferenceReport {
    let (expected, actual) = kinked(2400, at: 1000, channels: 2)
    var verdict = CaseVerdict(name: "voice <script>alert(1)</script>", outcome: .differs)
    var output = CaseVerdict.Output(
      name: "main", isSame: false, isWithinTolerance: false,
      comparison: Comparison(expected: expected, actual: actual))
    output.expectedSound = expected
    output.actualSound = actual
    verdict.outputs = [output]
    verdict.environment = [
      .init(.plugin, node: "comp", "the plugin of 'comp' (http://example.org/\"x\"&y) is <new>"),
      .init(.chain, node: "comp", "comp.ratio is 4.0004, was 4"),
    ]
    let (then, now) = (fingerprints(), fingerprints(changedFrom: 512))
    verdict.divergences = now.divergences(from: then)
    verdict.slowdowns = [.init(node: "comp", then: 1, now: 1.5)]
    return report(verdict, then: then, now: now)
  }

  static func report(
    _ verdict: CaseVerdict, then: NodeFingerprints = fingerprints(),
    now: NodeFingerprints = fingerprints()
  ) -> DifferenceReport {
    let testCase = TestCase(
      name: verdict.name, file: "t.test.json", chain: "t.json", expectation: .sound("t.wav"))
    return DifferenceReport(verdict, of: testCase, then: then, now: now)
  }

  static func report(_ expected: Sound?, _ actual: Sound?) -> DifferenceReport {
    DifferenceReport(
      title: "t", lines: [], outputs: [.init(expected: expected, actual: actual)])
  }
}
