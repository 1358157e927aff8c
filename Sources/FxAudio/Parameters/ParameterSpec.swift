/// The declaration of one parameter.
///
/// The only one: the chain reader, its schema, range errors, `fxrun units`, the reference page,
/// ramps, automation and the conformance tests all read it.
public struct ParameterSpec: Sendable, Hashable {
  /// How the value in the chain file is converted for the unit.
  public enum Delivery: Sendable, Hashable {
    /// As written in the chain file.
    case asIs
    /// Decibels in the file, a linear amplitude in the unit.
    case amplitude
  }

  /// How the parameter moves to a new value.
  public enum Smoothing: Sendable, Hashable {
    /// At once.
    case none
    /// On an S-curve over this time, in the unit's values (after `delivery`).
    case ramp(seconds: Double)
    /// On a geometric S-curve (equal ratios) over this time, for frequencies and times.
    case glide(seconds: Double)
  }

  /// One of the named values of a parameter or an option.
  public struct Choice: Sendable, Hashable {
    public let label: String
    public let value: Double
    public init(_ label: String, _ value: Double) {
      self.label = label
      self.value = value
    }
  }

  public private(set) var id: String
  /// A sentence for the reference page.
  public let summary: String
  public let measure: Measure
  public private(set) var range: ClosedRange<Double>
  public private(set) var defaultValue: Double
  public let delivery: Delivery
  public let smoothing: Smoothing
  /// Named values; with `choicesAreExclusive`, no other value is allowed.
  public let choices: [Choice]
  public let choicesAreExclusive: Bool
  /// Whole numbers only.
  public let isInteger: Bool
  /// Written `true` or `false`, delivered as 1 or 0.
  public let isToggle: Bool
  /// A level relative to full scale, which may be written in dBFS.
  public private(set) var isFullScale = false
  /// A true-peak level, which may be written in dBTP.
  public private(set) var isTruePeak = false
  /// A change is so expensive, or so audible, that it is made in one step.
  public private(set) var isExpensive = false
  /// How the sample rate limits the range.
  package private(set) var rateLimit = RateLimit.none
  /// Build options that the parameter depends on.
  public private(set) var requirement: ParameterRequirement?
  /// The parameter of the same unit that replaces this one when the value is in beats.
  package private(set) var beatsParameter: String?
  /// A plugin's input for the musical time, which follows the chain's tempo unless the chain sets
  /// it.
  package private(set) var followsTime = false

  public init(
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
  public static func gain(
    _ id: String, _ summary: String, _ range: ClosedRange<Double> = -(.infinity)...24,
    default defaultValue: Double = 0
  ) -> ParameterSpec {
    ParameterSpec(id, summary, .decibels, range, default: defaultValue, delivery: .amplitude)
  }

  /// A frequency in hertz that glides. Without `range`, the sample rate sets the upper limit.
  public static func frequency(
    _ id: String, _ summary: String, _ range: ClosedRange<Double>? = nil,
    default defaultValue: Double
  ) -> ParameterSpec {
    let widest = 10...RateLimit.highest(sampleRate: RateLimit.highestRate)
    var spec = ParameterSpec(
      id, summary, .hertz, range ?? widest, default: defaultValue,
      smoothing: .glide(seconds: 0.02))
    spec.rateLimit = range == nil ? .follows : .capped
    return spec
  }

  /// A switch, written `true` or `false`, with a crossfade of 10 ms.
  public static func toggle(_ id: String, _ summary: String, default defaultValue: Bool = false)
    -> ParameterSpec
  {
    ParameterSpec(
      id, summary, .none, 0...1, default: defaultValue ? 1 : 0,
      smoothing: .ramp(seconds: 0.01), isToggle: true)
  }

  /// The same parameter under another id.
  public func renamed(_ id: String) -> ParameterSpec {
    var spec = self
    spec.id = id
    return spec
  }

  /// The same parameter with a different range.
  public func ranging(_ range: ClosedRange<Double>) -> ParameterSpec {
    var spec = self
    spec.range = range
    if spec.rateLimit == .follows { spec.rateLimit = .capped }
    return spec
  }

  /// The same parameter with an upper limit set by the sample rate.
  func limited(to bound: Double, sampleRate: Double) -> ParameterSpec {
    var spec = self
    spec.range = range.lowerBound...bound
    spec.defaultValue = min(defaultValue, bound)
    spec.rateLimit = .reached(sampleRate: sampleRate)
    return spec
  }

  /// The same level, relative to full scale.
  public var againstFullScale: ParameterSpec {
    var spec = self
    spec.isFullScale = true
    return spec
  }

  /// The same level, as a true-peak level.
  public var againstTruePeak: ParameterSpec {
    var spec = againstFullScale
    spec.isTruePeak = true
    return spec
  }

  /// The same parameter, expensive to change.
  public var expensive: ParameterSpec {
    var spec = self
    spec.isExpensive = true
    return spec
  }

  /// The same parameter; a value in beats sets another parameter.
  public func inBeats(_ parameter: String) -> ParameterSpec {
    var spec = self
    spec.beatsParameter = parameter
    return spec
  }

  /// The same parameter; it follows the musical time unless the chain sets it.
  package var followingTime: ParameterSpec {
    var spec = self
    spec.followsTime = true
    return spec
  }

  /// The same parameter, which has no effect unless a build option has one of these values.
  public func needing(_ option: String, _ values: [OptionValue]) -> ParameterSpec {
    var spec = self
    spec.requirement = ParameterRequirement(option: option, values: values)
    return spec
  }
}

/// The condition under which a parameter has an effect: a build option of its unit, or of its list
/// item, has one of these values.
public struct ParameterRequirement: Sendable, Hashable {
  public let option: String
  public let values: [OptionValue]

  func isMet(by options: [String: OptionValue]) -> Bool {
    options[option].map { values.contains($0) } ?? false
  }
}
