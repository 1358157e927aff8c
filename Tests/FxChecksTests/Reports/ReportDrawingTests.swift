import Foundation
@testable import FxChecks
import FxTestSupport
import Testing

@Suite struct ReportDrawingTests {
  // MARK: Text

  @Test func `names cannot become markup`() {
    #expect(
      Markup.escaped("<b onload='x'>\"&\u{0}\u{202e}")
        == "&lt;b onload=&#39;x&#39;&gt;&quot;&amp;\u{fffd}\u{fffd}")
    #expect(Markup.escaped(String(repeating: "a", count: 500), limit: 10) == "aaaaaaaaaa…")
  }

  @Test func `sentences begin with a capital and end with a stop, but names stay`() {
    #expect(Markup.sentence("the rate is 2") == "The rate is 2.")
    #expect(Markup.sentence("comp.ratio is 4") == "comp.ratio is 4.")
    #expect(Markup.sentence("peak -3 dB, up-to-date") == "Peak \u{2212}3 dB, up-to-date.")
    #expect(Markup.sentence("comp: it differs") == "comp: it differs.")
    #expect(Markup.sentence("") == "")
  }

  @Test func `digits are grouped`() {
    #expect(Markup.grouped(1_234_567) == "1\u{202f}234\u{202f}567")
    #expect(Markup.grouped(-999) == "\u{2212}999")
    #expect(Markup.grouped(.min).hasPrefix("\u{2212}9"))
  }

  // MARK: Axes

  @Test(arguments: [0.0001, 0.02, 1, 2.2, 61, 3600, 1_000_000])
  func `a time axis has a few round marks`(seconds: Double) throws {
    let ticks = AxisTicks.time(frameCount: Int(seconds * 48000), sampleRate: 48000)
    #expect((1...10).contains(ticks.count))
    #expect(ticks.first?.label.first == "0")
    #expect(ticks.allSatisfy { (0...1.0001).contains($0.position) })
    #expect(Set(ticks.map(\.label)).count == ticks.count)
    let majors = ticks.filter { !$0.isMinor }
    #expect((1...5).contains(majors.count))
  }

  /// True for 1, 2 or 5 times a power of ten.
  private func isRound(_ step: Double) -> Bool {
    var step = step
    while step > 9.99 { step /= 10 }
    while step < 0.999 { step *= 10 }
    return [1, 2, 5].contains { abs(step - $0) < 1e-6 }
  }

  @Test func `the marks of a hundred random ranges are multiples of a round step`() throws {
    var random = SeededRandom(7)
    for _ in 0..<100 {
      let size = pow(10, Double.random(in: -4...5, using: &random))
      let low = Double.random(in: -1...1, using: &random) * size
      let span = Double.random(in: 0.1...3, using: &random) * size
      for isWidened in [true, false] {
        let axis = ChartAxis.even(
          low...low + span, title: "", count: 5, isWidened: isWidened)
        let values = axis.ticks.map(\.value)
        try #require((2...7).contains(values.count), "\(low) \(span)")
        let step = values[1] - values[0]
        #expect(isRound(step), "\(low) \(span): \(values)")
        for value in values { #expect(abs(value / step - (value / step).rounded()) < 1e-6) }
        #expect(Set(axis.ticks.map(\.label)).count == values.count, "\(axis.ticks)")
      }
    }
  }

  @Test func `the marks of a hundred random times are multiples of a round time`() throws {
    var random = SeededRandom(8)
    let long: Set<Double> = [
      15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400,
    ]
    for _ in 0..<100 {
      let seconds = pow(10, Double.random(in: -4...5.5, using: &random))
      let times = AxisTicks.times(upTo: seconds)
      try #require((3...10).contains(times.values.count), "\(seconds): \(times)")
      let step = times.values[1]
      #expect(step <= 10 ? isRound(step) : long.contains(step), "\(seconds): \(times)")
      #expect(Set(times.labels).count == times.labels.count, "\(times)")
      let axis = ChartAxis.time(upTo: seconds)
      #expect(axis.ticks.map(\.value) == times.values && axis.range == 0...seconds)
    }
    #expect(AxisTicks.times(upTo: 300).labels.prefix(3) == ["0:00", "1:00", "2:00"])
    #expect(AxisTicks.times(upTo: 8000).labels.prefix(2) == ["0:00:00", "0:15:00"])
    #expect(AxisTicks.times(upTo: 1.1).labels.prefix(3) == ["0", "0.2", "0.4"])
  }

  @Test func `the frames around a difference have round numbers`() {
    for start in [0, 1, 77, 48_001, 1_234_567] {
      let ticks = AxisTicks.frames(start..<start + 129, sampleRate: 48000)
      let frames = ticks.compactMap { Int($0.label.filter(\.isNumber)) }
      #expect((2...3).contains(frames.count) && frames.allSatisfy { $0 % 50 == 0 }, "\(frames)")
    }
  }

  @Test func `the scales of a page are round`() throws {
    let (expected, actual) = ReportSamples.kinked(2400, at: 1000)
    let page = ReportSamples.report(expected, actual).html
    let scales = page.matches(of: #/<div class="y"[^>]*>(.*?)</div>/#).map { axis in
      axis.1.matches(of: #/">([^<]*)</#).map { String($0.1) }
    }
    // Waveform, difference, samples, third octaves, change, three spectrograms.
    try #require(scales.count == 8)
    for label in scales[2] { #expect(label.count <= 4, "\(label)") }
    for label in scales[3] {
      let level = try #require(Int(label.filter(\.isNumber)))
      #expect(level % 20 == 0, "\(label)")
    }
    #expect(scales[4].contains("0 dB"))
  }

  @Test func `an empty axis has no marks, and no number causes a trap`() {
    #expect(AxisTicks.time(frameCount: 0, sampleRate: 48000).isEmpty)
    #expect(AxisTicks.time(frameCount: 10, sampleRate: .nan).isEmpty)
    #expect(AxisTicks.time(frameCount: .max, sampleRate: 1e-3).count <= 21)
    #expect(AxisTicks.step(atLeast: .infinity) == 1)
    #expect(AxisTicks.top(ofPeak: .nan) == 0)
    #expect(AxisTicks.top(ofPeak: 0.5) == -6)
    #expect(AxisTicks.top(ofPeak: 0.51) == -3)
  }

  @Test func `octaves are spaced evenly`() throws {
    let grid = Spectrogram.Grid(columnCount: 10, rowCount: 10, frameCount: 48000, sampleRate: 48000)
    let ticks = AxisTicks.frequency(grid)
    let places = ["100 Hz", "200 Hz", "1 kHz", "2 kHz"].compactMap { label in
      ticks.first { $0.label == label }?.position
    }
    try #require(places.count == 4)
    #expect(abs((places[0] - places[1]) - (places[2] - places[3])) < 1e-9)
    #expect(places[0] > places[1])
  }

  // MARK: Envelopes

  @Test func `no peak is lost between columns`() {
    var samples = [Float](repeating: 0, count: 10_007)
    samples[7777] = 0.9
    samples[3] = -0.8
    let envelope = Envelope(samples, columnCount: 100, framesPerColumn: 100.07)
    #expect(envelope.maxima.max() == 0.9)
    #expect(envelope.minima.min() == -0.8)
    #expect(envelope.peakFrame == 7777)
    #expect(envelope.loudestFrames.count == 100)
    #expect(envelope.loudestFrames[77] == 7777)
  }

  @Test func `an envelope skips samples that are not finite`() {
    let envelope = Envelope([.nan, 1, .infinity, -1], columnCount: 4, framesPerColumn: 1)
    #expect(envelope.peak == 1)
    #expect(envelope.minima[0].isNaN && envelope.minima[2].isNaN)
    let path = envelope.path(height: 400, full: 1)
    #expect(!path.contains("nan") && !path.contains("inf"))
    #expect(path.split(separator: "M").count == 2)
    #expect(Envelope([], columnCount: 3, framesPerColumn: 1).path(height: 4, full: 0).isEmpty)
  }

  @Test func `a difference is as long as the shorter sound`() {
    let envelope = Envelope([1, 1, 1, 1], minus: [1, 0.5], columnCount: 4, framesPerColumn: 1)
    #expect(envelope.maxima[1] == 0.5)
    #expect(envelope.maxima[2].isNaN)
  }

  // MARK: Pictures

  @Test func `a tone is bright at its frequency alone`() {
    let sound = ReportSamples.tone(4800, gain: 0.5)
    let grid = Spectrogram.Grid(columnCount: 8, rowCount: 60, frameCount: 4800, sampleRate: 48000)
    let picture = Spectrogram(sound.channels[0], grid: grid)
    #expect(abs(picture.peak + 6) < 1)
    // 0.05 rad a frame are 382 Hz.
    let row = 59 - Int(grid.position(ofHertz: 382) * 60)
    let column = 4
    let loudest = (0..<60).max {
      picture.levels[$0 * 8 + column] < picture.levels[$1 * 8 + column]
    }
    #expect(abs((loudest ?? -1) - row) <= 1)
    #expect(picture.levels[8 * 2 + column] < -60)
  }

  @Test func `the picture of equal sounds is silent`() {
    let samples = ReportSamples.tone(1000).channels[0]
    let grid = Spectrogram.Grid(columnCount: 4, rowCount: 4, frameCount: 1000, sampleRate: 48000)
    #expect(Spectrogram(samples, minus: samples, grid: grid).peak == Spectrogram.floor)
    #expect(Spectrogram([.nan, .infinity], grid: grid).peak == Spectrogram.floor)
  }

  @Test func `colours become lighter with the level`() {
    let colors = (0..<ColorRamp.count).map { index -> Double in
      let bytes = ColorRamp.bytes[3 * index..<3 * index + 3].map(Double.init)
      return 0.2126 * bytes[0] + 0.7152 * bytes[1] + 0.0722 * bytes[2]
    }
    #expect(zip(colors, colors.dropFirst()).allSatisfy { $0 < $1 })
    #expect(ColorRamp.index(-200, bottom: -96, top: 0) == 0)
    #expect(ColorRamp.index(0, bottom: -96, top: 0) == 31)
    #expect(ColorRamp.index(.nan, bottom: -96, top: 0) == 0)
  }

  @Test func `a picture is a complete PNG file`() throws {
    let pixels = (0..<300).map { UInt8($0 % 32) }
    let file = try #require(PNGImage.file(pixels: pixels, width: 20, height: 15))
    #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    #expect(Array(file[16..<24]) == [0, 0, 0, 20, 0, 0, 0, 15])
    #expect(Array(file.suffix(8).prefix(4)) == Array("IEND".utf8))
    #expect(PNGImage.file(pixels: [], width: 0, height: 0) == nil)
    #expect(PNGImage.file(pixels: [1], width: 2, height: 2) == nil)
  }

  @Test func `base64 follows the standard`() {
    let words = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
    #expect(
      words.map { Base64.text(Array($0.utf8)) }
        == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"])
  }
}
