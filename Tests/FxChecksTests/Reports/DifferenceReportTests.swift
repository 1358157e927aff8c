import Foundation
import FxAudio
@testable import FxChecks
import FxKit
import FxTestSupport
import FxUnits
import Testing

@Suite struct DifferenceReportTests {
  private func count(_ part: String, in page: String) -> Int {
    page.components(separatedBy: part).count - 1
  }

  @Test func `a page shows the difference, its first node and the environment`() {
    let page = ReportSamples.full().html
    for words in [
      "<strong>Differs</strong>", "comp.ratio is 4.0004, was 4.",
      "Begins at node &#39;comp&#39; (compressor), frame 512",
      "takes 1.50 times as long as in the golden", "differs from here on", "first difference:",
      "frame 1\u{202f}000",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(count("<img ", in: page) == 6)
    #expect(count("alt=\"Spectrogram: ", in: page) == 6)
  }

  @Test func `a magnitude is drawn only if a filter explains the difference`() {
    func page(_ change: (Float, Float) -> Float) -> String {
      let noise = TestSignal(.noise).sound(sampleRate: 48000, channels: 1, frameCount: 96000)
      var actual = noise
      var previous: Float = 0
      for frame in 0..<noise.frameCount {
        let sample = noise.channels[0][frame]
        actual.channels[0][frame] = change(sample, previous)
        previous = sample
      }
      return DifferenceReport(
        title: "voice", lines: [],
        outputs: [DifferenceReport.Output(expected: noise, actual: actual)]
      ).html
    }
    // (1 + z⁻¹) / 2 removes half the sample rate.
    let filtered = page { ($0 + $1) / 2 }
    #expect(filtered.contains("Magnitude of the change</b>"))
    #expect(filtered.contains("it explains 100.0 % of the difference"))
    #expect(!page { sample, _ in 4 * sample * abs(sample) }.contains("Magnitude of the change"))
  }

  @Test func `a page fetches and runs nothing`() {
    let page = ReportSamples.full().html
    #expect(!page.contains("<script"))
    #expect(!page.contains("url(h") && !page.contains("@import") && !page.contains("<link"))
    let embedded = ["image/png", "audio/flac"].map { count(" src=\"data:\($0);base64,", in: page) }
    #expect(embedded == [6, 3])
    #expect(count(" src=\"", in: page) == 9)
    #expect(!page.contains(" href="))
    #expect(page.contains("voice &lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `a channel that is the same is not drawn`() {
    var (expected, actual) = ReportSamples.kinked(600, at: 300, channels: 2)
    actual.channels[0] = expected.channels[0]
    let page = ReportSamples.report(expected, actual).html
    #expect(page.contains("<h3>Right</h3>") && !page.contains("<h3>Left</h3>"))
    #expect(page.contains("the same to the bit"))
    expected.channels = actual.channels
    let same = ReportSamples.report(expected, actual).html
    #expect(same.contains("The sound is the same to the bit."))
    #expect(!same.contains("class=\"difference\""))
  }

  @Test func `without a golden sound the rendered sound is shown`() {
    var verdict = CaseVerdict(name: "digest", outcome: .differs)
    var output = CaseVerdict.Output(name: "low", isSame: false, isWithinTolerance: false)
    output.actualSound = ReportSamples.tone(600)
    verdict.outputs = [output]
    let (then, now) = (ReportSamples.fingerprints(), ReportSamples.fingerprints(changedFrom: 256))
    verdict.divergences = now.divergences(from: then)
    let page = ReportSamples.report(verdict, then: then, now: now).html
    #expect(page.contains("the sound differs."))
    #expect(page.contains("Output low"))
    #expect(page.contains("not kept"))
    #expect(count("<img ", in: page) == 1)
    #expect(page.contains("differs from here on"))
  }

  @Test func `every verdict has its sentence`() {
    func page(_ outcome: CaseVerdict.Outcome) -> String {
      ReportSamples.report(CaseVerdict(name: "n", outcome: outcome)).html
    }
    #expect(page(.passed).contains("The sound is the same to the bit."))
    #expect(page(.new).contains("<strong>New</strong>"))
    let failure = ChainFailure(
      .plugin, code: .crashed, "a < b is missing\nsecond line", hints: ["get it"])
    let failed = page(.failed(failure))
    #expect(failed.contains("</strong> A &lt; b is missing."))
    #expect(failed.contains("Second line."))
    #expect(page(.differs).contains("The sound differs."))
  }

  @Test(arguments: [
    [], [0.5], [0, 0, 0], [Float.nan, 0.1, .infinity, -0.2], [.leastNonzeroMagnitude, 0],
    [3e38, -3e38],
  ])
  func `any samples make a page without invalid numbers`(samples: [Float]) {
    let others: [[Float]] = [[], [0.25], [0, 0], [0.5, -0.5, 0.5]]
    for other in others {
      for rate in [48000, 44100, 0, .nan] {
        let page = ReportSamples.report(
          Sound(channels: [other], sampleRate: 48000),
          Sound(channels: [samples], sampleRate: rate)
        ).html
        let drawn = page.replacing(/base64,[^"]*/, with: "")
        for figure in ["d=\"nan", " nan", " inf ", "NaN\"", "%nan"] {
          #expect(!drawn.contains(figure), "\(figure) of \(samples) and \(other)")
        }
      }
    }
  }

  @Test func `a sound without channels makes a page`() {
    let none = Sound(channels: [], sampleRate: 48000)
    let page = ReportSamples.report(none, none).html
    #expect(page.contains("</html>"))
  }

  @Test func `a page of eight channels of noise stays below one and a half megabytes`() {
    let frames = 1200
    let expected = TestSignal(.noise).sound(sampleRate: 48000, channels: 12, frameCount: frames)
    var other = TestSignal(.noise)
    other.seed = 2
    let actual = other.sound(sampleRate: 48000, channels: 12, frameCount: frames)
    let comparison = Comparison(
      expected: .init(expected), actual: .init(actual), category: .content,
      channels: expected.channels.indices.map {
        .init(
          firstDifference: 0, differingFrameCount: frames, peak: Float($0), peakFrame: 9, rms: 0.1)
      })
    let page = DifferenceReport(
      title: "noise", lines: [],
      outputs: [.init(expected: expected, actual: actual, comparison: comparison)]
    ).html
    #expect(page.utf8.count < 1_500_000)
    #expect(page.utf8.count > 200_000)
    #expect(page.contains("8 of 12 channels"))
    #expect(page.contains("<h3>Channel 12</h3>") && !page.contains("<h3>Channel 4</h3>"))
  }

  @Test func `a page is written completely, and its folder is created`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a/report.html")
    let sound = ReportSamples.tone(100)
    let report = ReportSamples.report(nil, sound)
    try report.write(to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == report.html)
    #expect(folder.names == ["a"])
    #expect(throws: ChainFailure.self) { try report.write(to: "/proc/none/report.html") }
  }
}
