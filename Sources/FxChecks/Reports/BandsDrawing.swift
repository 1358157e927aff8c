import FxAudio

extension ChannelPair {
  /// The range of a spectrum in decibels.
  private static let range = 90.0

  /// The third-octave levels then and now, with the change below.
  func bands(_ names: DifferenceReport.Names) -> String {
    // Levels are means over time, so a difference needs the same length on both sides.
    let common = both.map { min($0.expected.count, $0.actual.count) }
    let then = expected.map {
      BandLevels($0, sampleRate: expectedRate, frameCount: common)
    }
    let now = actual.map {
      BandLevels($0, sampleRate: actualRate, frameCount: common)
    }
    let hertz = [then, now].compactMap { $0?.hertz }.max { $0.count < $1.count } ?? []
    guard !hertz.isEmpty else { return "" }
    let levels = [then, now].compactMap { $0?.levels }.joined().filter(\.isFinite)
    let top = ((levels.max() ?? 0) / 10).rounded(.up) * 10
    let across = Self.ticks(hertz)
    let down = Self.ticks(.even(top - Self.range...top, title: "", steps: [20], isWidened: false)) {
      Markup.decibels($0.value, places: 0)
    }
    func bars(_ levels: BandLevels?, _ name: String, _ offset: Int) -> String {
      guard let levels else { return "" }
      let path = levels.levels.enumerated().reduce(into: "") { path, band in
        let share = min(max((top - band.element) / Self.range, 0), 1)
        guard share < 1 else { return }
        path += "M\(band.offset * 20 + offset) 400V\(Markup.coordinate(share * 400))h8V400z"
      }
      return "<path class=\"bars \(name)\" d=\"\(path)\"/>"
    }
    let isAlone = then == nil || now == nil
    let spectrum = Plot(
      caption: "<b>Third octaves</b> "
        + (then == nil ? "" : "<span class=\"key bar expected\"></span>\(names.expected) ")
        + (now == nil ? "" : "<span class=\"key bar actual\"></span>\(names.actual)"),
      height: "middle", across: across, down: down,
      body: Plot.drawing(
        width: hertz.count * 20, height: 400, across: across, down: down,
        title: "Level in each third of an octave\(suffix)",
        words: Self.words(hertz, then, now),
        paths: bars(then, "expected", isAlone ? 6 : 2) + bars(now, "actual", isAlone ? 6 : 10)))
    return spectrum.html + change(hertz, then, now, across, top)
  }

  private static func ticks(_ hertz: [Double]) -> [AxisTick] {
    hertz.enumerated().compactMap { index, value in
      guard [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000].contains(value) else {
        return nil
      }
      return AxisTick(
        position: (Double(index) + 0.5) / Double(hertz.count), label: Figures.frequency(value),
        isMinor: ![31.5, 125, 500, 2000, 8000].contains(value))
    }
  }

  /// The ticks of an axis from bottom to top.
  private static func ticks(
    _ axis: ChartAxis, _ label: (ChartAxis.Tick) -> String
  ) -> [AxisTick] {
    axis.ticks.map { AxisTick(position: 1 - axis.share(of: $0.value), label: label($0)) }
  }

  /// Draws the change where one of the levels is within the range.
  private func change(
    _ hertz: [Double], _ then: BandLevels?, _ now: BandLevels?, _ across: [AxisTick], _ top: Double
  ) -> String {
    guard let then, let now, !isSame else { return "" }
    let floor = top - Self.range
    let changes = zip(then.levels, now.levels).map { before, after in
      max(before, after) > floor ? max(after, floor) - max(before, floor) : 0
    }
    let largest = changes.reduce(0) { max($0, abs($1)) }
    guard largest.isFinite, largest > 0 else { return "" }
    let limit = AxisTicks.step(atLeast: max(largest, 1e-6))
    let down = Self.ticks(.even(-limit...limit, title: "", count: 5, isWidened: false)) {
      Self.signed($0.value)
    }
    let path = changes.enumerated().reduce(into: "") { path, band in
      let height = Markup.coordinate(band.element / limit * -200)
      path += "M\(band.offset * 20 + 4) 200v\(height)h12V200z"
    }
    return Plot(
      caption: "<b>Change</b> <span class=\"key bar difference\"></span>actual less expected",
      height: "middle", across: across, down: down,
      body: Plot.drawing(
        width: hertz.count * 20, height: 400, across: across, down: down,
        title: "Change of level in each third of an octave\(suffix)",
        words: "At most \(Figures.change(largest)).",
        paths: "<path class=\"bars difference\" d=\"\(path)\"/>")
    ).html
  }

  private static func signed(_ decibels: Double) -> String {
    if decibels == 0 { return "0 dB" }
    let sign = decibels < 0 ? "\u{2212}" : "+"
    let size = abs(decibels)
    return "\(sign)\(size < 0.001 ? Self.short(size) : Figures.plain(size)) dB"
  }

  private static func words(_ hertz: [Double], _ then: BandLevels?, _ now: BandLevels?) -> String {
    let parts = [("expected", then), ("actual", now)].compactMap { name, bands -> String? in
      guard let bands, let level = bands.levels.max(), level.isFinite,
        let index = bands.levels.firstIndex(of: level)
      else { return nil }
      return "\(name): strongest at \(Figures.frequency(bands.hertz[index])), "
        + Markup.decibels(level)
    }
    return parts.isEmpty ? "Silence." : parts.joined(separator: "; ") + "."
  }
}
