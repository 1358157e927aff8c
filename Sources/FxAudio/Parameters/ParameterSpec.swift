/// What one parameter is, declared once.
///
/// The chain reader, its schema, range errors, `fxrun units`, the reference page, ramps, automation
/// and the conformance tests all read this declaration.
package struct ParameterSpec: Sendable, Hashable {
  /// How a value travels to the unit.
  package enum Delivery: Sendable, Hashable {
    /// As it stands in the chain file.
    case asIs
    /// Decibels in the file, a linear amplitude in the unit.
    case amplitude
  }

  /// How a change reaches its new value.
  package enum Smoothing: Sendable, Hashable {
    /// At once.
    case none
    /// On an S-curve (on the unit's side of `delivery`) over so many seconds.
    case ramp(seconds: Double)
    /// On an S-curve along ratios over so many seconds, for frequencies and times.
    case glide(seconds: Double)
  }

  /// One of the named values of a parameter or an option.
  package struct Choice: Sendable, Hashable {
    package let label: String
    package let value: Double
    package init(_ label: String, _ value: Double) {
      self.label = label
      self.value = value
    }
  }

  package let id: String
  /// A sentence for the reference page.
  package let summary: String
  package let measure: Measure
  package let range: ClosedRange<Double>
  package let defaultValue: Double
  package let delivery: Delivery
  package let smoothing: Smoothing
  /// Named values; when they are `exclusive` no other value is allowed.
  package let choices: [Choice]
  package let choicesAreExclusive: Bool
  /// Only whole numbers.
  package let isInteger: Bool
  /// Written `true` or `false`, delivered as 1 or 0.
  package let isToggle: Bool

  package init(
    _ id: String, _ summary: String, _ measure: Measure, _ range: ClosedRange<Double>,
    default defaultValue: Double, delivery: Delivery = .asIs,
    smoothing: Smoothing = .ramp(seconds: 0.02), choices: [Choice] = [],
    choicesAreExclusive: Bool = true, isInteger: Bool = false, isToggle: Bool = false
  ) {
    self.id = id
    self.summary = summary
    self.measure = measure
    self.range = range
    self.defaultValue = defaultValue
    self.delivery = delivery
    self.smoothing = smoothing
    self.choices = choices
    self.choicesAreExclusive = choicesAreExclusive
    self.isInteger = isInteger
    self.isToggle = isToggle
  }

  /// A level in decibels that the unit receives as an amplitude.
  package static func gain(
    _ id: String, _ summary: String, _ range: ClosedRange<Double> = -(.infinity)...24,
    default defaultValue: Double = 0
  ) -> ParameterSpec {
    ParameterSpec(id, summary, .decibels, range, default: defaultValue, delivery: .amplitude)
  }

  /// A frequency in hertz that glides.
  package static func frequency(
    _ id: String, _ summary: String, _ range: ClosedRange<Double> = 10...22000,
    default defaultValue: Double
  ) -> ParameterSpec {
    ParameterSpec(
      id, summary, .hertz, range, default: defaultValue, smoothing: .glide(seconds: 0.02))
  }

  /// A switch, written `true` or `false`, that crosses over in ten milliseconds.
  package static func toggle(_ id: String, _ summary: String, default defaultValue: Bool = false)
    -> ParameterSpec
  {
    ParameterSpec(
      id, summary, .none, 0...1, default: defaultValue ? 1 : 0,
      smoothing: .ramp(seconds: 0.01), isToggle: true)
  }

  /// The same parameter under another id.
  package func renamed(_ id: String) -> ParameterSpec {
    ParameterSpec(
      id, summary, measure, range, default: defaultValue, delivery: delivery, smoothing: smoothing,
      choices: choices, choicesAreExclusive: choicesAreExclusive, isInteger: isInteger,
      isToggle: isToggle)
  }
}
