extension FileStatistics {
  /// Pictures of the sound: its waveform, its loudness over time, its spectrum.
  package var page: ChartPage {
    let sound = statistics
    let step = 0.1
    let time = ChartAxis.even(0...max(sound.seconds, step), title: "s", isWidened: false)
    let points = condensed(sound.envelope, to: 1200)
    let pace = step * Double(max(sound.envelope.count, 1)) / Double(max(points.count, 1))
    func curve(_ name: String, _ value: (Point) -> Float) -> Chart.Curve {
      Chart.Curve(
        name: name,
        points: points.enumerated().map { (Double($0) * pace, Double(value($1))) })
    }
    var charts = [
      Chart(
        title: "Wave", note: "highest and lowest sample, RMS", across: time,
        up: .even(-1...1, title: "", isWidened: false),
        curves: [
          curve("highest") { $0.high }, curve("lowest") { $0.low }, curve("RMS") { $0.rms },
        ])
    ]
    if let loudness = sound.loudness {
      let values = loudness.shortTerm.map { Double(max($0, -70)) }
      charts.append(
        Chart(
          title: "Loudness", note: "short-term, 3 s", across: time,
          up: .decibels(values, title: "LUFS", span: 60),
          curves: [
            Chart.Curve(
              name: "short-term",
              points: values.enumerated().map { (Double($0 + 1) * step, $1) }),
            Chart.Curve(
              name: "integrated",
              points: [(0, loudness.integrated), (sound.seconds, loudness.integrated)],
              isReference: true),
          ]))
    }
    let top = sound.sampleRate / 2
    let bins = sound.spectrum.enumerated().dropFirst().map {
      (Double($0) * top / Double(max(sound.spectrum.count - 1, 1)), Double($1))
    }
    charts.append(
      Chart(
        title: "Spectrum", note: "mean of all channels", across: .frequency(20...max(top, 40)),
        up: .decibels(bins.map(\.1), span: 120),
        curves: [
          Chart.Curve(name: "level", points: bins.filter { $0.0 >= 20 }.map { (x: $0.0, y: $0.1) })
        ]))
    return ChartPage(
      title: path.split(separator: "/").last.map(String.init) ?? path, subtitle: subtitle,
      charts: charts, sentences: [])
  }

  private typealias Point = (low: Float, high: Float, rms: Float)

  private var subtitle: String {
    let loudness = statistics.loudness.map { "\(Figures.fixed($0.integrated, places: 1)) LUFS" }
    let peak = statistics.channels.map(\.peak).max() ?? -.infinity
    return [loudness, "peak \(Figures.fixed(peak, places: 1)) dB"].compactMap { $0 }
      .joined(separator: " · ")
  }

  /// At most `count` points: the highest, the lowest and the mean of adjacent points.
  private func condensed(_ points: [Point], to count: Int) -> [Point] {
    let size = (points.count + count - 1) / max(count, 1)
    guard size > 1 else { return points }
    return stride(from: 0, to: points.count, by: size).map { start in
      let piece = points[start..<min(start + size, points.count)]
      return (
        piece.map(\.low).min() ?? 0, piece.map(\.high).max() ?? 0,
        piece.map(\.rms).reduce(0, +) / Float(piece.count)
      )
    }
  }
}
