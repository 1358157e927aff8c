package import FxAudio
package import FxDiagnostics

/// What a value may depend on beside itself.
package struct ValueContext: Sendable, Equatable {
  /// Frames a second; nil while nothing says.
  package var sampleRate: Double?
  /// Beats a minute.
  package var tempo: Double?
  /// Where the tempo changes: the time of a beat.
  package var tempoMap: TempoMap?

  package init(sampleRate: Double? = nil, tempo: Double? = nil) {
    self.sampleRate = sampleRate
    self.tempo = tempo
  }
}

extension ValueContext {
  /// Seconds of a point in time whose beats count from the beginning, where it was read with the
  /// first tempo.
  func moment(_ seconds: Double, _ raw: RawValue) -> Double {
    guard raw.isInBeats, let tempoMap, !tempoMap.isConstant else { return seconds }
    return tempoMap.seconds(atBeat: seconds * tempoMap.initialTempo / 60)
  }
}

/// Why a value does not do.
package struct ValueProblem: Error, Sendable, Equatable {
  package var code: DiagnosticCode
  package var message: String
  package var hints: [String]
  /// The UTF-8 bytes of the text that are wrong; nil for all of it.
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
