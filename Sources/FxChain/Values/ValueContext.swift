package import FxDiagnostics

/// What a value may depend on beside itself.
package struct ValueContext: Sendable, Equatable {
  /// Frames a second; nil while nothing says.
  package var sampleRate: Double?
  /// Beats a minute.
  package var tempo: Double?

  package init(sampleRate: Double? = nil, tempo: Double? = nil) {
    self.sampleRate = sampleRate
    self.tempo = tempo
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
