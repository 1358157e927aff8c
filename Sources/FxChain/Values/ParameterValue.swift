package import FxAudio

extension ParameterSpec {
  /// Converts a value of a chain, of `--set` or of a control command to this parameter's own
  /// number.
  ///
  /// The result is in the parameter's unit of measure and within its range; nothing is clamped.
  package func value(_ raw: RawValue, context: ValueContext) throws(ValueProblem) -> Double {
    let value = asShown(asDeclared(try read(raw, context: context)), raw)
    if !choices.isEmpty, choicesAreExclusive, !choices.contains(where: { $0.value == value }) {
      throw notAChoice(raw)
    }
    if isInteger, value.isFinite, value != value.rounded() || measure == .none && raw.isQuotient {
      throw ValueProblem(
        .notAnInteger, "'\(id)' is a whole number, \(raw.shown) is not", hints: ["(\(described))"])
    }
    guard range.contains(value) else {
      let bound = value < range.lowerBound ? range.lowerBound : range.upperBound
      let side = value < range.lowerBound ? "below the minimum" : "above the maximum"
      throw ValueProblem(
        .outOfRange, "'\(id)' \(shown(raw, value)) is \(side) of \(measured(bound))",
        hints: decibelHint(raw) + rateHint(bound) + ["(\(described))"])
    }
    if isHeardFrequency, let rate = context.sampleRate, value > rate / 2 {
      throw ValueProblem(
        .outOfRange,
        "'\(id)' \(raw.shown) is above half the sample rate, \(measured(rate / 2))",
        hints: ["the chain runs at \(shortNumber(rate)) Hz"])
    }
    return value
  }

  /// Replaces a number by a bound or a choice that is equal in 32 bits, the precision that units
  /// receive.
  private func asDeclared(_ value: Double) -> Double {
    let declared = [range.lowerBound, range.upperBound] + choices.map(\.value)
    return declared.first { Float($0) == Float(value) && $0.isFinite } ?? value
  }

  /// Replaces a gain by a bound that is shown with the same rounded decibels.
  private func asShown(_ value: Double, _ raw: RawValue) -> Double {
    guard measure == .gain, raw.text != nil, !range.contains(value) else { return value }
    let shown = measured(value)
    return [range.lowerBound, range.upperBound].first { measured($0) == shown } ?? value
  }

  /// A value as written; a gain without a unit is also shown in decibels.
  private func shown(_ raw: RawValue, _ value: Double) -> String {
    guard measure == .gain, case .number(let number) = raw, number >= 0 else { return raw.shown }
    return "\(raw.shown) (\(measured(value)))"
  }

  /// A frequency of a built-in unit. Frequencies of plugins do not glide, and the plugin sets their
  /// limit.
  private var isHeardFrequency: Bool {
    guard measure == .hertz, case .glide = smoothing else { return false }
    return true
  }

  private func read(_ raw: RawValue, context: ValueContext) throws(ValueProblem) -> Double {
    switch raw {
    case .flag(let flag):
      guard isToggle else {
        throw ValueProblem(
          .wrongType, "'\(id)' is not a switch", hints: ["(\(described))"])
      }
      return flag ? 1 : 0
    case .number(let number):
      if isToggle, number != 0, number != 1 {
        throw ValueProblem(.wrongType, "'\(id)' is a switch: true or false")
      }
      return number
    case .text(let text), .fractionOfBeat(let text):
      if isToggle {
        switch text.lowercased() {
        case "true", "on", "1": return 1
        case "false", "off", "0": return 0
        default: throw ValueProblem(.wrongType, "'\(id)' is a switch: true or false")
        }
      }
      if let choice = choices.first(where: { $0.label == text })
        ?? choices.first(where: { $0.label.lowercased() == text.lowercased() })
      {
        return choice.value
      }
      if let quantity = raw.quantity {
        do throws(ValueProblem) {
          return try measure.value(
            quantity, shown: raw.shown, context: context, isFullScale: isFullScale,
            isTruePeak: isTruePeak)
        } catch {
          if !choices.isEmpty, choicesAreExclusive { throw notAChoice(raw) }
          var hints = error.hints + ["(\(described))"]
          if let beatsParameter, raw.isInBeats {
            hints = ["beats are those of '\(beatsParameter)'"]
          }
          throw ValueProblem(error.code, "'\(id)' \(error.message)", hints: hints)
        }
      }
      if !choices.isEmpty { throw notAChoice(raw) }
      throw ValueProblem(
        .invalidValue, "'\(id)' cannot be \(raw.shown)", hints: ["(\(described))"])
    }
  }

  /// The number of a linear gain that was probably meant in decibels.
  private func decibelHint(_ raw: RawValue) -> [String] {
    guard measure == .gain, case .number(let number) = raw,
      range.contains(Math.amplitude(decibels: number))
    else { return [] }
    return [
      "a number without a unit is a factor; for decibels write '\(shortNumber(number)) dB'"
    ]
  }

  /// Explains the upper limit of a frequency.
  private func rateHint(_ bound: Double) -> [String] {
    guard case .reached(let rate) = rateLimit, bound == range.upperBound else { return [] }
    return ["the chain runs at \(shortNumber(rate)) Hz; a filter reaches 0.49 of that"]
  }

  private func notAChoice(_ raw: RawValue) -> ValueProblem {
    let labels = choices.map(\.label)
    var hints: [String] = []
    if let text = raw.text { hints = Suggestion.hint(for: text, in: labels) }
    return ValueProblem(
      .notAChoice, "'\(id)' cannot be \(raw.shown)",
      hints: hints
        + [
          choicesAreExclusive
            ? "one of: \(labels.joined(separator: ", "))"
            : "a number (\(described)), or one of: \(labels.joined(separator: ", "))"
        ])
  }

  /// `frequency: 10…22000 Hz, default 80`.
  package var described: String {
    // A key of the document names its default in its summary, if it has one.
    guard !defaultValue.isNaN else { return "\(id): \(describedRange)" }
    let initial =
      choices.first { $0.value == defaultValue }?.label
      ?? (isToggle
        ? (defaultValue == 0 ? "false" : "true")
        : measure == .gain ? measured(defaultValue) : shortNumber(defaultValue))
    return "\(id): \(describedRange), default \(initial)"
  }

  /// `10…22000 Hz`, `true or false`, `peak, lowShelf, highShelf`.
  package var describedRange: String {
    if isToggle { return "true or false" }
    if !choices.isEmpty, choicesAreExclusive {
      return choices.map(\.label).joined(separator: ", ")
    }
    if rateLimit == .follows {
      return "\(measured(range.lowerBound))…\(RateLimit.share) × sample rate"
    }
    return rangeText(range, measure: measure)
  }

  private func measured(_ value: Double) -> String {
    FxChain.measured(value, measure)
  }
}

/// `10…22000 Hz`.
func rangeText(_ range: ClosedRange<Double>, measure: Measure) -> String {
  let low =
    measure == .gain ? gainDecibels(range.lowerBound) : shortNumber(range.lowerBound)
  return "\(low)…\(measured(range.upperBound, measure))"
}

/// A linear gain in decibels, without the unit: `-6.02`.
package func gainDecibels(_ gain: Double) -> String {
  shortNumber((Math.decibels(amplitude: gain) * 100).rounded() / 100)
}

/// `80 Hz`; a ratio has no unit, and a gain is shown in decibels.
package func measured(_ value: Double, _ measure: Measure) -> String {
  if measure == .gain { return "\(gainDecibels(value)) dB" }
  let unit = measure == .ratio ? "" : measure.rawValue
  return unit.isEmpty || unit == "°"
    ? "\(shortNumber(value))\(unit)" : "\(shortNumber(value)) \(unit)"
}
