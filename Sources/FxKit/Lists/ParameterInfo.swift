import FxAudio

/// What a parameter of a unit or a plugin takes.
public struct ParameterInfo: Sendable, Hashable, Codable {
  /// One of its named values.
  public struct Choice: Sendable, Hashable, Codable {
    public let name: String
    public let value: Double
  }

  /// The name in a chain: `decay`.
  public let name: String
  /// A sentence about it.
  public let summary: String
  /// The unit of measure, `Hz`, `dB`; empty for a number without one.
  public let unit: String
  /// The lowest value; nil for negative infinity.
  public let minimum: Double?
  /// The highest value; nil for infinity.
  public let maximum: Double?
  /// The value where a chain sets none; nil for negative infinity.
  public let defaultValue: Double?
  /// Named values; empty if there are none.
  public let choices: [Choice]
  /// Written `true` or `false`.
  public let isToggle: Bool
  /// Whole numbers only.
  public let isInteger: Bool

  init(_ spec: ParameterSpec) {
    func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
    name = spec.id
    summary = spec.summary
    unit = spec.measure.rawValue
    minimum = finite(spec.range.lowerBound)
    maximum = finite(spec.range.upperBound)
    defaultValue = finite(spec.defaultValue)
    choices = spec.choices.map { Choice(name: $0.label, value: $0.value) }
    isToggle = spec.isToggle
    isInteger = spec.isInteger
  }
}

/// A measurement of a unit or a plugin, which a program reads while the chain plays.
public struct ReadingInfo: Sendable, Hashable, Codable {
  /// The name: `gainReduction`.
  public let name: String
  /// A sentence about it.
  public let summary: String
  /// The unit of measure; empty for a number without one.
  public let unit: String
  /// One number for each channel, or one for the unit.
  public let isPerChannel: Bool

  init(_ spec: ReadingSpec) {
    name = spec.id
    summary = spec.summary
    unit = spec.measure.rawValue
    isPerChannel = spec.isPerChannel
  }
}
