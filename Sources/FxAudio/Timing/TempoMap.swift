/// The tempo and the metre of a chain over time. Beats never go back.
package struct TempoMap: Sendable, Hashable {
  /// Where a tempo or a metre begins.
  package struct Point: Sendable, Hashable {
    package enum Position: Sendable, Hashable {
      case seconds(Double)
      /// From 1.
      case bar(Int)
    }

    package var position: Position
    /// Beats a minute; nil to go on.
    package var tempo: Double?
    /// nil to go on.
    package var metre: Metre?
    /// The tempo leads here evenly from the point before.
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

  /// In the order of their starts, the first at 0; never empty.
  package private(set) var spans: [TempoSpan]

  /// One tempo.
  package init(tempo: Double, metre: Metre = .common) {
    spans = [TempoSpan(tempo: tempo, metre: metre)]
  }

  /// Points in the order of time, the first at the beginning, whose tempo is needed; nil where a
  /// point is not behind the one before it. `problem` is then the number of that point.
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
      // Where a bar was named, the beat is a whole number.
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

  /// True when the tempo is one and the same all the time.
  package var isConstant: Bool {
    spans.allSatisfy { $0.slope == 0 && $0.tempo == spans[0].tempo }
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

  /// Seconds from the start of a stretch to here, if the tempo goes to another one on the way.
  fileprivate func length(behind span: TempoSpan, to tempo: Double) -> Double? {
    switch self {
    case .seconds(let seconds): return seconds - span.start
    case .bar(let bar):
      let beat = span.barBeat + Double((bar - 1 - span.bar) * span.metre.beatsPerBar)
      // Evenly from one tempo to another is as long as at the tempo between them.
      return (beat - span.beat) * 120 / (span.tempo + tempo)
    }
  }
}

extension TempoSpan {
  /// The time that so many beats take from the start.
  fileprivate func seconds(of beats: Double) -> Double {
    guard slope != 0 else { return beats * 60 / tempo }
    // beats = t (tempo + slope t / 2) / 60, solved without the difference of two close numbers.
    let root = Math.squareRoot(max(tempo * tempo + 120 * slope * beats, 0))
    return 120 * beats / (tempo + root)
  }
}
