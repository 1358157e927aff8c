import FxAudio

extension Response {
  /// The content of a panel.
  enum Panel: Sendable {
    case chart(Chart)
    /// A chart that shows no more than the words.
    case plain(Chart, words: String)
    /// The chart would be wrong; a clause with the reason.
    case meaningless(String)
  }

  /// - Returns: the charts, and a sentence for each panel that is not drawn.
  package func charts(_ wanted: [PlotPanel]?) -> (
    drawn: [(panel: PlotPanel, chart: Chart)], sentences: [String]
  ) {
    var drawn: [(panel: PlotPanel, chart: Chart)] = []
    var plain: [(panel: PlotPanel, chart: Chart, words: String)] = []
    var sentences = remarks
    for panel in wanted ?? PlotPanel.allCases {
      switch self.panel(panel) {
      case .chart(let chart): drawn.append((panel, chart))
      case .plain(let chart, let words):
        if wanted == nil {
          plain.append((panel, chart, words))
        } else {
          drawn.append((panel, chart))
        }
      case .meaningless(let words): sentences.append("No \(panel.noun): \(words).")
      }
    }
    // A plain gain still gets these charts.
    if drawn.isEmpty {
      drawn = plain.filter { [.magnitude, .staticCurve].contains($0.panel) }
        .map { ($0.panel, $0.chart) }
      plain.removeAll { [.magnitude, .staticCurve].contains($0.panel) }
    }
    if isLevelDependent { sentences += levelRemark(drawn.map(\.panel)) }
    sentences += plain.map { "No \($0.panel.noun): \($0.words)." }
    return (drawn, sentences)
  }

  /// Sentences that apply to all panels.
  private var remarks: [String] {
    var words: [String] = []
    if !otherOutputs.isEmpty {
      words.append(
        "This is the output '\(output)'; --output draws "
          + otherOutputs.map { "'\($0)'" }.joined(separator: " or ") + ".")
    }
    if isNoisy {
      words.append("It makes a sound of its own, with peaks of \(Self.decibels(ownSound)).")
    }
    // The chain's own sound also differs from moment to moment.
    if isDrowned { return words + failures }
    if isModulated {
      words.append("It changes with time: what it does to a sound differs from moment to moment.")
    } else if isTimeVariant {
      words.append(
        "It changes with time: two impulses \(Figures.duration(0.0871)) apart get answers whose "
          + "difference is \(Self.decibels(max(-variation, 0))) below them; one of them is drawn.")
    }
    if isUnsettled {
      words.append(
        "The level of a tone still moves \(Figures.duration(3)) after its beginning, by up to "
          + "\(Figures.change(movement)) while it is measured.")
    }
    if isCut { words.append("It rings for longer than the 12 s that were measured.") }
    return words + failures
  }

  private var failures: [String] { faults.map { "While it was measured: \($0)" } }

  /// The levels that the panels are valid for.
  private func levelRemark(_ drawn: [PlotPanel]) -> [String] {
    guard !isModulated, !isDrowned, drawn != [.sweep] else { return [] }
    var words = "What it does depends on the level"
    if drawn.contains(.magnitude) {
      words += "; the magnitude is that of steady tones at \(Self.decibels(level))"
    }
    let others = drawn.filter { [.phase, .groupDelay, .impulse].contains($0) }.map(\.noun)
    if !others.isEmpty {
      words +=
        "; the \(Self.list(others)) \(others.count == 1 ? "is that" : "are those") "
        + "of an impulse at \(Self.decibels(impulseLevel))"
    }
    return [words + "."]
  }

  /// `a, b and c`.
  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and \(last)"
  }

  static func decibels(_ level: Double) -> String {
    guard level.isFinite else { return "nothing" }
    return Figures.fixed(level, places: abs(level - level.rounded()) < 0.05 ? 0 : 1) + " dB"
  }

  /// The frequency range of the drawing.
  var frequencyRange: ClosedRange<Double> { 20...min(20000, sampleRate / 2) }

  private func panel(_ panel: PlotPanel) -> Panel {
    if panel != .sweep {
      if isDrowned { return .meaningless("its own sound would be taken for it") }
      if isModulated { return .meaningless("it changes all the time") }
      if isTimeVariant, !isLevelDependent, panel == .staticCurve {
        return .meaningless("the level of a tone moves with time")
      }
    }
    return switch panel {
    case .magnitude: magnitude
    case .phase: phase
    case .groupDelay: groupDelay
    case .impulse: impulse
    case .staticCurve: staticCurve
    case .harmonics: harmonics
    case .distortion: distortion
    case .sweep: sweep
    }
  }

  /// Points that are not far below the highest one.
  private func audible(_ channel: Channel) -> [TransferFunction.Point] {
    let peak = channels.flatMap { $0.points.map(\.decibels) }.max() ?? 0
    return channel.points.filter { $0.decibels > peak - 90 }
  }

  /// The frequency and the level of the points of each channel.
  var magnitudes: [[(x: Double, y: Double)]] {
    channels.map { channel in
      guard isLevelDependent else { return channel.points.map { ($0.hertz, $0.decibels) } }
      return channel.tones.map {
        ($0.step.hertz, ($0.distortion?.fundamental ?? -.infinity) - $0.step.decibels)
      }
    }
  }

  private var magnitude: Panel {
    let curves = zip(channels, magnitudes).map { Chart.Curve(name: $0.name, points: $1) }
    let values = curves.flatMap { $0.points.map(\.y) }
    let note =
      isLevelDependent
      ? "steady tones at \(Self.decibels(level))" : isSmoothed ? "means of 1/12 octave" : ""
    let chart = Chart(
      title: PlotPanel.magnitude.title, note: note, across: .frequency(frequencyRange),
      up: .decibels(values), curves: curves)
    guard let low = values.min(), let high = values.max(), high - low < 0.02 else {
      return .chart(chart)
    }
    return .plain(chart, words: "it is \(Self.decibels((low + high) / 2)) at every frequency")
  }

  private var impulseNote: String {
    isLevelDependent ? "an impulse at \(Self.decibels(impulseLevel))" : ""
  }

  private var phase: Panel {
    if isSmoothed { return .meaningless("it turns more than once from one frequency to the next") }
    let curves = channels.map { channel in
      Chart.Curve(
        name: channel.name, points: audible(channel).map { ($0.hertz, $0.phase * 180 / .pi) })
    }
    let chart = Chart(
      title: PlotPanel.phase.title, note: impulseNote, across: .frequency(frequencyRange),
      up: .even(-180...180, title: "°", steps: [90]), curves: curves, jump: 200)
    let largest = curves.flatMap { $0.points.map { abs($0.y) } }.max() ?? 0
    return largest < 0.5 ? .plain(chart, words: "it is 0° at every frequency") : .chart(chart)
  }

  private var groupDelay: Panel {
    let curves = channels.map { channel in
      Chart.Curve(
        name: channel.name, points: audible(channel).map { ($0.hertz, $0.groupDelay * 1000) })
    }
    let values = curves.flatMap { $0.points.map(\.y) }
    let largest = values.map(abs).max() ?? 0
    // A single high peak must not hide the rest.
    let sorted = values.sorted()
    let usual = sorted.isEmpty ? 0 : sorted[sorted.count * 49 / 50]
    let top = max(min(sorted.last ?? 0, usual * 2), 0.01)
    let bottom = min(max(sorted.first ?? 0, -top), 0)
    let chart = Chart(
      title: PlotPanel.groupDelay.title, note: isSmoothed ? "means of 1/12 octave" : impulseNote,
      across: .frequency(frequencyRange), up: .even(bottom...top, title: "ms"), curves: curves)
    return largest < 0.005
      ? .plain(chart, words: "every frequency is on time within 5 µs") : .chart(chart)
  }

  private var sweep: Panel {
    let samples = channels.first?.sweep ?? []
    let grid = Spectrogram.Grid(
      columnCount: 420, rowCount: 150, frameCount: samples.count, sampleRate: sampleRate)
    let range = grid.frequencies
    let chart = Chart(
      title: PlotPanel.sweep.title, note: "\(Self.decibels(level)), 20 Hz to 20 kHz",
      across: .time(upTo: Double(samples.count) / sampleRate),
      up: .frequency(range), curves: [], picture: Chart.Picture(Spectrogram(samples, grid: grid)))
    if isTimeVariant || isNoisy || isSmoothed { return .chart(chart) }
    if case .chart = distortion { return .chart(chart) }
    return .plain(chart, words: "it would show no more than the magnitude")
  }
}
