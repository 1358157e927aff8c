package import FxAudio

/// The range of a parameter that a control covers, from its start to its end.
package struct ControlRange: Sendable, Equatable {
  package enum Curve: String, Sendable, CaseIterable {
    /// Equal steps in the parameter's unit of measure, such as decibels.
    case linear
    /// Equal ratios, for frequencies and times; both ends are above 0.
    case log
  }

  /// Replaces `-inf dB` at an end of a range: this level, or this far below the other end if that
  /// end is not above it. Only the very end is silent.
  static let lowestLevel = -60.0

  package var start: Double
  /// May be below `start`.
  package var end: Double
  package var curve: Curve

  package init(start: Double, end: Double, curve: Curve) {
    self.start = start
    self.end = end
    self.curve = curve
  }

  /// The value of a parameter at a fraction of the range, 0 to 1.
  package func value(at fraction: Double, for spec: ParameterSpec) -> Double {
    let part = fraction > 0 ? min(fraction, 1) : 0
    let least = min(start, end)
    let greatest = max(start, end)
    if spec.isToggle { return part < 0.5 ? start : end }
    if !spec.choices.isEmpty, spec.choicesAreExclusive {
      var values = spec.choices.map(\.value).filter { least <= $0 && $0 <= greatest }.sorted()
      if start > end { values.reverse() }
      guard !values.isEmpty else { return start }
      return values[min(Int(part * Double(values.count)), values.count - 1)]
    }
    // The ends are exact, without rounding errors.
    if part == 0 { return start }
    if part == 1 { return end }
    let value = between(part)
    return min(max(spec.isInteger ? value.rounded() : value, least), greatest)
  }

  private func between(_ part: Double) -> Double {
    switch curve {
    case .linear:
      let from = start.isFinite ? start : floor(beside: end)
      let to = end.isFinite ? end : floor(beside: start)
      return from + (to - from) * part
    case .log: return start * Math.pow(end / start, part)
    }
  }

  private func floor(beside other: Double) -> Double {
    other > Self.lowestLevel ? Self.lowestLevel : other + Self.lowestLevel
  }
}
