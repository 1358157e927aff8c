import FxAudio

extension ChannelPair {
  /// The magnitude response of the filter between the two sounds, if a filter explains the
  /// difference.
  func magnitude() -> String {
    guard let both, !isSame,
      let change = LinearChange(
        expected: both.expected, actual: both.actual, sampleRate: actualRate)
    else { return "" }
    let top = min(20000, actualRate / 2)
    let axis = ChartAxis.frequency(20...top)
    let points = (0...180).map { index -> (share: Double, level: Double?) in
      let share = Double(index) / 180
      return (share, change.decibels(at: 20 * Math.pow(top / 20, share)))
    }
    let levels = points.compactMap(\.level).filter { $0.isFinite }
    guard let low = levels.min(), let high = levels.max() else { return "" }
    let vertical = ChartAxis.decibels(levels + [0], span: 60)
    let path = points.reduce(into: (text: "", isDrawn: false)) { path, point in
      guard let level = point.level, level.isFinite else {
        path.isDrawn = false
        return
      }
      let y = min(max(1 - vertical.share(of: level), 0), 1) * 400
      path.text +=
        "\(path.isDrawn ? "L" : "M")\(Markup.coordinate(point.share * 900)) \(Markup.coordinate(y))"
      path.isDrawn = true
    }.text
    let across = axis.ticks.filter { !$0.label.isEmpty }.map { tick in
      AxisTick(
        position: axis.share(of: tick.value), label: Figures.frequency(tick.value),
        isMinor: ![100, 1000, 10000].contains(tick.value))
    }
    let down = vertical.ticks.map {
      AxisTick(position: 1 - vertical.share(of: $0.value), label: "\($0.label) dB")
    }
    return Plot(
      caption:
        "<b>Magnitude of the change</b> <span class=\"key difference\"></span>the filter that "
        + "makes actual of expected; it explains \(Figures.fixed((1 - change.rest) * 100, places: 1)) % "
        + "of the difference", height: "middle", across: across, down: down,
      body: Plot.drawing(
        width: 900, height: 400, across: across, down: down,
        title: "Magnitude of the change\(suffix)",
        words: "From \(Markup.decibels(low)) to \(Markup.decibels(high)).",
        paths: "<path class=\"line difference\" d=\"\(path)\"/>")
    ).html
  }
}
