import FxAudio

/// Converts a control input port to a parameter declaration, in a chain's units.
struct LV2ParameterReader {
  let port: LV2Port

  /// Ranges that are fractions of the sample rate are declared for rates up to this one. The range
  /// at the actual rate is checked when the plugin is made.
  static let highestRate = 192000.0
  /// Defaults that are fractions of the sample rate are declared for this rate; a value equal to
  /// the declared one counts as the default and is the same fraction of any other rate.
  static let usualRate = 48000.0

  var spec: ParameterSpec { spec(declaredRange) }

  /// The same with the range at the usual sample rate, for lists.
  var specAtUsualRate: ParameterSpec {
    isRelative ? spec(portRange(sampleRate: LV2ParameterReader.usualRate)) : spec
  }

  private func spec(_ declared: ClosedRange<Double>) -> ParameterSpec {
    let range = LV2Number.shortest(declared)
    let isEnumeration = isExclusive
    let isInteger = port.isInteger && !port.isToggle && scale == 1 && !isEnumeration
    var choices: [ParameterSpec.Choice] = []
    if !port.isToggle {
      choices = port.scalePoints.filter { !$0.label.isEmpty }.map {
        ParameterSpec.Choice(
          $0.label,
          LV2Number.shortest($0.value * rateFactor(LV2ParameterReader.usualRate) / scale))
      }
    }
    let isDiscrete = port.isToggle || port.isInteger || isEnumeration || port.isStepped
    let spec = ParameterSpec(
      port.symbol, port.name, measure.measure, range, default: defaultValue(in: range),
      smoothing: isDiscrete ? .none : .ramp(seconds: 0.02), choices: choices,
      choicesAreExclusive: isEnumeration, isInteger: isInteger, isToggle: port.isToggle)
    if port.timeRole != nil { return spec.followingTime }
    return port.isExpensive ? spec.expensive : spec
  }

  /// The port's range at a sample rate, in the port's unit.
  func portRange(sampleRate: Double) -> ClosedRange<Double> {
    let factor = rateFactor(sampleRate)
    let bounds = ends
    return LV2Number.shortest(ordered(bounds.low * factor, bounds.high * factor))
  }

  /// The port's value where the chain does not set the parameter: the plugin's default, within the
  /// range.
  func portDefault(sampleRate: Double) -> Double {
    let factor = rateFactor(sampleRate)
    let range = portRange(sampleRate: sampleRate)
    let wanted = port.defaultValue ?? 0
    if port.isToggle { return wanted > 0 ? 1 : 0 }
    let value = min(max(wanted * factor, range.lowerBound), range.upperBound)
    if isExclusive {
      let points = port.scalePoints.filter { !$0.label.isEmpty }.map { $0.value * factor }
      return points.min { abs($0 - value) < abs($1 - value) } ?? value
    }
    return port.isInteger && scale == 1 ? whole(value, in: range) : value
  }

  /// The port's value is the chain's value times this.
  var scale: Double { isRelative ? 1 : measure.scale }

  var isRelative: Bool { port.isRelativeToSampleRate && !port.isToggle }

  /// A port that is relative to the sample rate is in hertz, whatever unit it declares (mostly
  /// none).
  private var measure: LV2Measure {
    isRelative
      ? LV2Measure(measure: .hertz, scale: 1, label: "Hz") : port.measure
  }

  private var isExclusive: Bool {
    port.isEnumeration && !port.isToggle && port.scalePoints.contains { !$0.label.isEmpty }
  }

  private func rateFactor(_ sampleRate: Double) -> Double {
    isRelative ? sampleRate : 1
  }

  /// The bounds of the range in the port's unit: sorted, with the scale points of an enumeration,
  /// whole numbers for an integer, infinite where none is declared.
  private var ends: (low: Double, high: Double) {
    if port.isToggle { return (0, 1) }
    var low = port.minimum
    var high = port.maximum
    if let first = port.minimum, let second = port.maximum, first > second {
      (low, high) = (second, first)
    }
    if isExclusive, let first = port.scalePoints.first, let last = port.scalePoints.last {
      low = min(low ?? first.value, first.value)
      high = max(high ?? last.value, last.value)
    }
    var result = (low: low ?? -.infinity, high: high ?? .infinity)
    if port.isInteger, scale == 1, !isRelative {
      let whole = (low: result.low.rounded(.up), high: result.high.rounded(.down))
      if whole.low <= whole.high { result = whole }
    }
    return result
  }

  private var declaredRange: ClosedRange<Double> {
    guard isRelative else {
      let bounds = ends
      return ordered(bounds.low / scale, bounds.high / scale)
    }
    let bounds = ends
    let rate = LV2ParameterReader.highestRate
    // The union of the ranges at a low and a high rate: 0.1 of the rate is 800 Hz at 8 kHz.
    return ordered(
      min(bounds.low * 8000, bounds.low * rate), max(bounds.high * 8000, bounds.high * rate))
  }

  private func defaultValue(in range: ClosedRange<Double>) -> Double {
    let value = portDefault(sampleRate: LV2ParameterReader.usualRate) / scale
    return min(max(LV2Number.shortest(value), range.lowerBound), range.upperBound)
  }

  private func whole(_ value: Double, in range: ClosedRange<Double>) -> Double {
    let rounded = value.rounded()
    return range.contains(rounded) ? rounded : value
  }

  private func ordered(_ first: Double, _ second: Double) -> ClosedRange<Double> {
    min(first, second)...max(first, second)
  }
}
