import FxAudio

extension ChannelPair {
  /// Frames on either side of the first difference.
  static let zoom = 64

  /// The samples around the first difference, one by one.
  func samplesAroundFirst(_ names: DifferenceReport.Names) -> String {
    guard let both, let first = comparison?.firstDifference else { return "" }
    let end = min(first + Self.zoom + 1, max(both.expected.count, both.actual.count))
    let frames = max(first - Self.zoom, 0)..<max(end, max(first - Self.zoom, 0))
    guard !frames.isEmpty else { return "" }
    let values = frames.flatMap { frame in
      [both.expected, both.actual].compactMap { frame < $0.count ? $0[frame] : nil }
    }.filter(\.isFinite)
    let low = Double(values.min() ?? 0)
    let high = Double(values.max() ?? 0)
    // A margin above and below, also if all samples are the same.
    let margin = max((high - low) * 0.08, max(abs(high), abs(low)) * 1e-6, 1e-12)
    let range = (low - margin)...(high + margin)
    let across = AxisTicks.frames(frames, sampleRate: actualRate)
    let isTiny = max(abs(high), abs(low)) < 1e-3
    let down = ChartAxis.even(range, title: "", count: 5, isWidened: false).ticks.map {
      AxisTick(
        position: position($0.value, range), label: isTiny ? Self.short($0.value) : $0.label)
    }
    let marker = Plot.Marker(
      kind: .first, position: (Double(first - frames.lowerBound) + 0.5) / Double(frames.count))
    let paths =
      series(both.expected, frames, range, "expected")
      + series(both.actual, frames, range, "actual")
    return Plot(
      caption: "<b>First difference</b> <span class=\"key dot\"></span>"
        + "\(names.expected) <span class=\"key square\"></span>\(names.actual)",
      height: "middle", across: across, down: down, markers: [marker],
      body: Plot.drawing(
        width: frames.count * 10, height: 400, across: across, down: down,
        title: "Samples around the first difference\(suffix)",
        words: "Frames \(frames.lowerBound) to \(frames.upperBound - 1); at frame \(first), "
          + "\(Self.value(both.expected, first)) is expected and "
          + "\(Self.value(both.actual, first)) came.",
        paths: paths)
    ).html
  }

  private func position(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    1 - (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  private func series(
    _ samples: [Float], _ frames: Range<Int>, _ range: ClosedRange<Double>, _ name: String
  ) -> String {
    var line = ""
    var dots = ""
    for frame in frames {
      guard frame < samples.count, samples[frame].isFinite else { continue }
      let x = (frame - frames.lowerBound) * 10 + 5
      let y = Markup.coordinate(position(Double(samples[frame]), range) * 400)
      let isNext = frame > frames.lowerBound && samples[frame - 1].isFinite
      line += "\(isNext ? "L" : "M")\(x) \(y)"
      dots += "M\(x) \(y)h0"
    }
    return
      "<path class=\"line \(name)\" d=\"\(line)\"/><path class=\"dots \(name)\" d=\"\(dots)\"/>"
  }

  private static func value(_ samples: [Float], _ frame: Int) -> String {
    guard frame < samples.count else { return "nothing" }
    return samples[frame].isFinite ? "\(samples[frame])" : "no finite number"
  }

  /// Four digits, or a power of ten.
  static func short(_ value: Double) -> String {
    let size = abs(value)
    guard size.isFinite, size > 0 else { return "0" }
    if size >= 0.001, size < 10000 {
      let text = Figures.fixed(value, places: size >= 10 ? 1 : size >= 1 ? 3 : 4)
      return Markup.typographic(text)
    }
    var (mantissa, exponent) = (size, 0)
    while mantissa >= 10, exponent < 400 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    while mantissa < 1, exponent > -400 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
    let sign = value < 0 ? "\u{2212}" : ""
    let power = Markup.typographic(String(exponent))
    return "\(sign)\(Figures.fixed(mantissa, places: 1))·10<sup>\(power)</sup>"
  }
}
