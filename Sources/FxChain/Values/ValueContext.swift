package import FxAudio

/// What a value may depend on.
package struct ValueContext: Sendable, Equatable {
  /// In Hz; nil while it is unknown.
  package var sampleRate: Double?
  /// Beats per minute.
  package var tempo: Double?
  /// The chain's tempo changes, which give the time of a beat.
  package var tempoMap: TempoMap?

  package init(sampleRate: Double? = nil, tempo: Double? = nil) {
    self.sampleRate = sampleRate
    self.tempo = tempo
  }
}

extension ValueContext {
  /// The time of a point in seconds. Its beats count from the beginning; it was read with the first
  /// tempo.
  func moment(_ seconds: Double, _ raw: RawValue) -> Double {
    guard raw.isInBeats, let tempoMap, !tempoMap.isConstant else { return seconds }
    return tempoMap.seconds(atBeat: seconds * tempoMap.initialTempo / 60)
  }
}

extension ValueContext {
  /// The beats of a part of a whole note.
  func beats(ofNote part: Double, _ shown: String) throws(ValueProblem) -> Double {
    let metre = tempoMap.map(\.beatUnit) ?? Metre.common.beatUnit
    guard let metre else {
      throw ValueProblem(
        .changingBeat, "\(shown): the note that is a beat changes during the chain",
        hints: ["write beats, such as \"2 beats\""])
    }
    return part * Double(metre)
  }
}

/// Why a value is not valid.
package struct ValueProblem: Error, Sendable, Equatable {
  package var code: DiagnosticCode
  package var message: String
  package var hints: [String]
  /// The wrong UTF-8 bytes of the text; nil for the whole text.
  package var part: Range<Int>?

  package init(
    _ code: DiagnosticCode, _ message: String, hints: [String] = [], part: Range<Int>? = nil
  ) {
    self.code = code
    self.message = message
    self.hints = hints
    self.part = part
  }

  package func diagnostic(at place: Place?, origin: String? = nil) -> Diagnostic {
    Diagnostic(code, message, at: place, hints: hints, origin: origin)
  }
}
