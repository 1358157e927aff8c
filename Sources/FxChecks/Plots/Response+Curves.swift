import FxAudio

extension Response {
  // MARK: Impulse response

  /// The columns of the drawing of a long impulse response.
  private static let columnCount = 420

  var impulse: Panel {
    let range = audibleFrames
    let isShort = Double(range.count) / sampleRate < 1
    let unit = isShort ? 1000.0 : 1
    func time(_ frame: Double) -> Double { (frame - Double(impulseOrigin)) / sampleRate * unit }
    let curves = channels.map { channel in
      Chart.Curve(name: channel.name, points: Self.outline(channel.impulse, range, time))
    }
    let values = curves.flatMap { $0.points.map(\.y) }
    let (low, high) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
    let chart = Chart(
      title: PlotPanel.impulse.title,
      note: isLevelDependent ? "an impulse at \(Self.decibels(impulseLevel))" : "",
      across: .even(
        time(Double(range.lowerBound))...time(Double(range.upperBound)),
        title: isShort ? "ms" : "s", isWidened: false),
      up: .even(low...max(high, low + 1e-6), title: "", count: 6), curves: curves)
    guard let frame = onlyFrame else { return .chart(chart) }
    let late = frame - impulseOrigin
    return .plain(
      chart,
      words: "it is a single sample"
        + (late == 0 ? "" : ", \(late) \(abs(late) == 1 ? "frame" : "frames") late"))
  }

  /// The frame of the only sample above -80 dB of the peak; nil if there are several.
  private var onlyFrame: Int? {
    var frames: Set<Int> = []
    for channel in channels {
      let peak = channel.impulse.reduce(0) { max($0, abs($1)) }
      for (frame, sample) in channel.impulse.enumerated() where abs(sample) > 1e-4 * peak {
        frames.insert(frame)
        if frames.count > 1 { return nil }
      }
    }
    return frames.first
  }

  /// The frames from the start of the response to the end of its audible part.
  private var audibleFrames: Range<Int> {
    var (start, end) = (impulseOrigin, impulseOrigin + Int(sampleRate * 0.001))
    for channel in channels {
      let energies = channel.impulse.map { Double($0) * Double($0) }
      let all = energies.reduce(0, +)
      guard all > 0 else { continue }
      var sum = 0.0
      for (frame, energy) in energies.enumerated() {
        sum += energy
        if sum > all * 1e-6 { start = min(start, frame); break }
      }
      sum = 0
      for (frame, energy) in energies.enumerated().reversed() {
        sum += energy
        if sum > all * 2e-5 { end = max(end, frame + 1); break }
      }
    }
    let margin = max((end - start) / 25, 2)
    let length = channels.map(\.impulse.count).min() ?? 0
    return max(start - margin, 0)..<max(min(end + margin, length), 1)
  }

  /// Every sample, or the lowest and the highest sample of each column.
  private static func outline(
    _ samples: [Float], _ range: Range<Int>, _ time: (Double) -> Double
  ) -> [(x: Double, y: Double)] {
    guard range.count > 2 * columnCount else {
      return range.map { (time(Double($0)), Double(samples[$0])) }
    }
    return (0..<columnCount).flatMap { column -> [(x: Double, y: Double)] in
      let start = range.lowerBound + column * range.count / columnCount
      let end = range.lowerBound + (column + 1) * range.count / columnCount
      let part = samples[start..<end]
      let middle = time(Double(start + end) / 2)
      return [(middle, Double(part.min() ?? 0)), (middle, Double(part.max() ?? 0))]
    }
  }

  // MARK: Tones

  var staticCurve: Panel {
    let levels = Self.levels
    let curves = channels.map { channel in
      Chart.Curve(
        name: channel.name, points: channel.levels.map { ($0.step.decibels, $0.level) })
    }
    let values = curves.flatMap { $0.points.map(\.y) }.filter { $0 > -100 }
    let (low, high) = (max(values.min() ?? -60, -84), values.max() ?? 0)
    let reference = Chart.Curve(
      name: "", points: levels.map { ($0, $0) }, isReference: true)
    let chart = Chart(
      title: PlotPanel.staticCurve.title,
      note: "level out over level in, \(Figures.frequency(Self.levelTone)), dB",
      across: .even(
        levels[0]...levels[levels.count - 1], title: "dB", steps: [6, 12], isWidened: false),
      up: .even(min(low, high - 6)...high, title: "dB", steps: [3, 6, 12, 24]),
      curves: curves + [reference])
    guard gainSpan < 0.1, let result = channels.first?.levels.last else { return .chart(chart) }
    return .plain(
      chart,
      words: "the gain at \(Figures.frequency(Self.levelTone)) is "
        + "\(Self.decibels(result.level - result.step.decibels)) at every level")
  }

  /// The lower limit of the drawing: changes over time look like harmonics too.
  private var lowestHarmonic: Double { isTimeVariant ? -60 : -120 }
  /// Harmonics below this level count as silent.
  private var silentHarmonic: Double { isTimeVariant ? -45 : -90 }

  var harmonics: Panel {
    distortion(
      .harmonics, channels.first?.levels ?? [], count: 4, place: \.decibels,
      across: .even(
        Self.levels[0]...Self.levels[Self.levels.count - 1], title: "dB", steps: [6, 12],
        isWidened: false), note: "a tone of \(Figures.frequency(Self.levelTone))")
  }

  var distortion: Panel {
    distortion(
      .distortion, channels.first?.tones ?? [], count: 2, place: \.hertz,
      across: .frequency(frequencyRange), note: "tones at \(Self.decibels(level))")
  }

  /// A gap where there is no harmonic.
  private static func drawn(_ level: Double) -> Double { level.isFinite ? level : .nan }

  /// The curves of the first channel: each harmonic, and all together.
  private func distortion(
    _ panel: PlotPanel, _ results: [ToneSteps.Result], count: Int,
    place: KeyPath<ToneSteps.Step, Double>, across: ChartAxis, note: String
  ) -> Panel {
    let names = ["2nd", "3rd", "4th", "5th"]
    var curves = (0..<count).map { index in
      Chart.Curve(
        name: names[index],
        points: results.compactMap { result in
          guard let own = result.distortion, own.harmonics.indices.contains(index) else {
            return nil
          }
          return (result.step[keyPath: place], Self.drawn(own.clearHarmonics[index]))
        })
    }
    curves.append(
      Chart.Curve(
        name: "all",
        points: results.compactMap { result in
          guard let own = result.distortion, !own.harmonics.isEmpty else { return nil }
          return (result.step[keyPath: place], Self.drawn(Math.decibels(amplitude: own.clearTHD)))
        }))
    let values = curves.flatMap { $0.points.map(\.y) }.filter { $0.isFinite }
    let high = max(values.max() ?? -200, lowestHarmonic + 60)
    let name = channels.count > 1 ? "\(channels[0].name), " : ""
    let chart = Chart(
      title: panel.title, note: name + note, across: across,
      up: .even(lowestHarmonic...high, title: "dB", steps: [20]), curves: curves)
    guard (values.max() ?? -200) < silentHarmonic else { return .chart(chart) }
    return .plain(
      chart, words: "none is above \(Self.decibels(silentHarmonic)) of the tone")
  }
}
