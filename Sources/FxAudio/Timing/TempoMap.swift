/// The tempo and the metre of a chain over time. Beats never go back.
package struct TempoMap: Sendable, Hashable {
  /// The start of a tempo or a metre.
  package struct Point: Sendable, Hashable {
    package enum Position: Sendable, Hashable {
      case seconds(Double)
      /// Counted from 1.
      case bar(Int)
    }

    package var position: Position
    /// Beats per minute; nil for no change.
    package var tempo: Double?
    /// nil for no change.
    package var metre: Metre?
    /// The tempo changes linearly from the previous point to this one.
    package var isGradual: Bool

    package init(
      _ position: Position, tempo: Double? = nil, metre: Metre? = nil, isGradual: Bool = false
    ) {
      self.position = position
      self.tempo = tempo
      self.metre = metre
      self.isGradual = isGradual
    }
  }

  /// Sorted by start, the first at 0; never empty.
  package private(set) var spans: [TempoSpan]

  /// A constant tempo.
  package init(tempo: Double, metre: Metre = .common) {
    spans = [TempoSpan(tempo: tempo, metre: metre)]
  }

  /// Builds a map from points sorted by time. The first must be at the beginning and have a tempo.
  /// nil where a point is not after the previous one; `problem` is then the index of that point.
  package static func make(_ points: [Point], metre: Metre = .common, problem: inout Int) -> Self? {
    var spans: [TempoSpan] = []
    for (index, point) in points.enumerated() {
      problem = index
      guard let last = spans.last else {
        guard let tempo = point.tempo, point.position.isBeginning, !point.isGradual else {
          return nil
        }
        spans.append(TempoSpan(tempo: tempo, metre: point.metre ?? metre))
        continue
      }
      let tempo = point.tempo ?? last.tempo
      let gradual = point.isGradual ? tempo : last.tempo
      guard let length = point.position.length(behind: last, to: gradual), length > 0 else {
        return nil
      }
      let before = TempoSpan(
        start: last.start, beat: last.beat, tempo: last.tempo,
        slope: (gradual - last.tempo) / length, metre: last.metre, bar: last.bar,
        barBeat: last.barBeat)
      spans[spans.count - 1] = before
      let start = last.start + length
      var beat = before.beat(atSeconds: start)
      // A point at a bar is a whole beat.
      if case .bar = point.position { beat = beat.rounded() }
      let place = before.place(ofBeat: beat)
      let changesMetre = point.metre.map { $0 != last.metre } ?? false
      // A new metre begins a new bar.
      let isNewBar = changesMetre && place.beat > 1e-9
      spans.append(
        TempoSpan(
          start: start, beat: beat, tempo: tempo, metre: point.metre ?? last.metre,
          bar: changesMetre ? place.bar + (isNewBar ? 1 : 0) : last.bar,
          barBeat: changesMetre ? beat : last.barBeat))
    }
    return TempoMap(spans)
  }

  private init?(_ spans: [TempoSpan]) {
    guard !spans.isEmpty else { return nil }
    self.spans = spans
  }

  /// True when the tempo never changes.
  package var isConstant: Bool {
    spans.allSatisfy { $0.slope == 0 && $0.tempo == spans[0].tempo }
  }

  /// The note that is a beat, as the denominator of the metre; nil if it changes.
  package var beatUnit: Int? {
    let unit = spans[0].metre.beatUnit
    return spans.allSatisfy { $0.metre.beatUnit == unit } ? unit : nil
  }

  package var initialTempo: Double { spans[0].tempo }

  private func span(atSeconds seconds: Double) -> TempoSpan {
    spans.last { $0.start <= seconds } ?? spans[0]
  }

  package func beat(atSeconds seconds: Double) -> Double {
    span(atSeconds: seconds).beat(atSeconds: seconds)
  }

  package func tempo(atSeconds seconds: Double) -> Double {
    span(atSeconds: seconds).tempo(atSeconds: seconds)
  }

  /// The time of a beat.
  package func seconds(atBeat beat: Double) -> Double {
    let span = spans.last { $0.beat <= beat } ?? spans[0]
    return span.start + span.seconds(of: beat - span.beat)
  }
}

extension TempoMap.Point.Position {
  fileprivate var isBeginning: Bool {
    switch self {
    case .seconds(let seconds): seconds == 0
    case .bar(let bar): bar == 1
    }
  }

  /// Seconds from the start of a stretch to here, if the tempo changes linearly to `tempo`.
  fileprivate func length(behind span: TempoSpan, to tempo: Double) -> Double? {
    switch self {
    case .seconds(let seconds): return seconds - span.start
    case .bar(let bar):
      let beat = span.barBeat + Double((bar - 1 - span.bar) * span.metre.beatsPerBar)
      // A linear change takes as long as a constant tempo at its mean.
      return (beat - span.beat) * 120 / (span.tempo + tempo)
    }
  }
}

extension TempoSpan {
  /// Seconds from the start of the stretch until this many beats.
  fileprivate func seconds(of beats: Double) -> Double {
    guard slope != 0 else { return beats * 60 / tempo }
    // beats = t (tempo + slope t / 2) / 60, solved without subtracting two close numbers.
    let root = Math.squareRoot(max(tempo * tempo + 120 * slope * beats, 0))
    return 120 * beats / (tempo + root)
  }
}
