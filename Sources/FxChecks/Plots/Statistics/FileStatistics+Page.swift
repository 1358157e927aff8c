extension FileStatistics {
  /// Pictures of the sound: its waveform, its loudness over time, its spectrum.
  package var page: ChartPage {
    let sound = statistics
    let time = ChartAxis.time(upTo: sound.seconds)
    var charts = [wave(time)]
    if let loudness = sound.loudness { charts.append(self.loudness(loudness, time)) }
    let top = sound.sampleRate / 2
    let bins = sound.spectrum.enumerated().dropFirst().map {
      (x: Double($0) * top / Double(max(sound.spectrum.count - 1, 1)), y: Double($1))
    }.filter { $0.x >= 20 }
    let highest = ((bins.map(\.y).max() ?? 0) / 10).rounded(.up) * 10
    let lowest = max((bins.map(\.y).min() ?? 0), highest - 120)
    charts.append(
      Chart(
        title: "Spectrum", note: "mean of all channels", across: .frequency(20...max(top, 40)),
        up: .even(min(lowest, highest - 10)...highest, title: "dB", steps: [10, 20]),
        curves: [Chart.Curve(name: "level", points: bins)]))
    return ChartPage(
      title: path.split(separator: "/").last.map(String.init) ?? path, subtitle: subtitle,
      charts: charts, sentences: [])
  }

  private func wave(_ time: ChartAxis) -> Chart {
    let envelope = statistics.envelope
    let points = envelope.points
    let step = Double(envelope.framesPerPoint) / statistics.sampleRate
    let places = points.indices.map { (Double($0) + 0.5) * step }
    let largest = points.reduce(0) { $1.low <= $1.high ? max($0, -$1.low, $1.high) : $0 }
    // A sound above full scale is drawn whole; a very quiet one is enlarged.
    let edge = largest > 1 || largest < 0.1 ? Double(largest) : 1
    return Chart(
      title: "Wave", note: "", across: time,
      up: .even(-max(edge, 1e-6)...max(edge, 1e-6), title: "", isWidened: edge != 1),
      curves: [
        Chart.Curve(
          name: "lowest to highest sample",
          bars: zip(places, points).compactMap { place, point in
            point.low <= point.high ? (place, Double(point.low), Double(point.high)) : nil
          }, width: step),
        Chart.Curve(name: "RMS", points: zip(places, points).map { ($0, Double($1.rms)) }),
      ])
  }

  private func loudness(_ loudness: LoudnessCurve.Summary, _ time: ChartAxis) -> Chart {
    func points(_ values: [Float]) -> [(x: Double, y: Double)] {
      values.enumerated().map { (Double($0 + 1) * 0.1, $1 > -70 ? Double($1) : .nan) }
    }
    let curves = [("momentary", loudness.momentary), ("short-term", loudness.shortTerm)].map {
      Chart.Curve(name: $0, points: points($1))
    }
    let values = curves.flatMap { $0.points.map(\.y) } + [loudness.integrated]
    return Chart(
      title: "Loudness", note: "400 ms, 3 s, whole", across: time,
      up: .decibels(values, title: "LUFS", span: 60),
      curves: curves + [
        Chart.Curve(
          name: loudness.integrated.isFinite
            ? "integrated \(Markup.typographic(Figures.fixed(loudness.integrated, places: 1)))"
            : "",
          points: [(0, loudness.integrated), (statistics.seconds, loudness.integrated)])
      ])
  }

  private var subtitle: String {
    let loudness = statistics.loudness.map { "\(Figures.fixed($0.integrated, places: 1)) LUFS" }
    let peak = statistics.channels.map(\.peak).max() ?? -.infinity
    return Markup.typographic(
      [loudness, "peak \(Figures.fixed(peak, places: 1)) dB"].compactMap { $0 }
        .joined(separator: " · "))
  }
}
