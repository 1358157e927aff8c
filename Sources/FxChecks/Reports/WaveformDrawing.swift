import FxAudio

extension ChannelPair {
  /// The actual sound over the expected one, with the enlarged difference below.
  func waveforms(_ names: DifferenceReport.Names) -> String {
    let then = expected.map { envelope($0, rate: expectedRate) }
    let now = actual.map { envelope($0, rate: actualRate) }
    let top = AxisTicks.top(ofPeak: Double(max(then?.peak ?? 0, now?.peak ?? 0)))
    let full = Float(Math.amplitude(decibels: top))
    var paths = ""
    var legend: [String] = []
    if let then {
      paths += "<path class=\"expected\" d=\"\(then.path(height: 400, full: full))\"/>"
      legend.append("<span class=\"key expected\"></span>\(names.expected)")
    }
    if let now {
      paths += "<path class=\"actual\" d=\"\(now.path(height: 400, full: full))\"/>"
      legend.append("<span class=\"key actual\"></span>\(names.actual)")
    }
    let across = AxisTicks.time(frameCount: frameCount, sampleRate: sampleRate)
    let down = AxisTicks.amplitude(top: top)
    let words = [(names.expected, then), (names.actual, now)].compactMap { name, envelope in
      envelope.map { "\(name) peaks at \(Markup.level(Double($0.peak)))" }
    }.joined(separator: ", ")
    let plot = Plot(
      caption: "<b>Waveform</b> \(legend.joined(separator: " "))", height: "tall",
      across: across, down: down, markers: markers,
      body: Plot.drawing(
        width: columnCount, height: 400, across: across, down: down,
        title: "Waveform\(suffix)", words: "\(words).", paths: paths),
      legend: markerLegend)
    return plot.html + difference(top: top)
  }

  /// `: Left`.
  var suffix: String { name.isEmpty ? "" : ": \(name)" }

  private func difference(top: Double) -> String {
    guard let both, !isSame else { return "" }
    let difference = envelope(both.actual, minus: both.expected, rate: actualRate)
    guard let frame = difference.peakFrame, difference.peak > 0 else { return "" }
    let ownTop = AxisTicks.top(ofPeak: Double(difference.peak))
    let scale = Math.amplitude(decibels: top - ownTop)
    let scaleWords =
      top == ownTop
      ? "on the same scale"
      : "\(scale < 1 ? "reduced" : "enlarged") "
        + "\(scale < 1 ? Figures.plain(1 / scale) : scale < 100 ? Figures.fixed(scale, places: 1) : Markup.grouped(Int(min(scale, 1e15).rounded())))"
        + " times (\(Markup.decibels(abs(top - ownTop), places: 0)))"
    let across = AxisTicks.time(frameCount: frameCount, sampleRate: sampleRate)
    let down = AxisTicks.amplitude(top: ownTop)
    let path = difference.path(height: 400, full: Float(Math.amplitude(decibels: ownTop)))
    return Plot(
      caption: "<b>Difference</b> <span class=\"key difference\"></span>actual less expected, "
        + scaleWords, height: "low", across: across, down: down, markers: markers,
      body: Plot.drawing(
        width: columnCount, height: 400, across: across, down: down,
        title: "Difference\(suffix)",
        words: "It peaks at \(Markup.level(Double(difference.peak))), frame \(frame).",
        paths: "<path class=\"difference\" d=\"\(path)\"/>")
    ).html
  }

  private var markerLegend: String {
    guard !markers.isEmpty, let comparison, let first = comparison.firstDifference else {
      return ""
    }
    func place(_ frame: Int) -> String {
      "\(Figures.time(Double(frame) / max(sampleRate, 1e-3))), frame \(Markup.grouped(frame))"
    }
    return """
      <p class="legend"><span><i class="sign first"></i>first difference: \(place(first))</span> \
      <span><i class="sign peak"></i>peak of the difference: \(place(comparison.peakFrame))</span></p>
      """
  }
}
