/// A named set of values for a built-in unit. Values in the chain itself override it.
public struct UnitPreset: Sendable, Hashable {
  /// As chains write it: `"preset": "large hall"`.
  public let name: String
  /// A sentence for lists and the reference page.
  public let summary: String
  /// By id, in the chain's units of measure; other parameters keep their defaults.
  public let parameters: [String: Double]
  /// Build options by key.
  public let options: [String: OptionValue]

  public init(
    _ name: String, _ summary: String, _ parameters: [String: Double],
    options: [String: OptionValue] = [:]
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.options = options
  }
  /// The same preset with another value of one parameter; with nil the parameter has its default.
  package func setting(_ parameter: String, to value: Double?) -> UnitPreset {
    var parameters = parameters
    parameters[parameter] = value
    return UnitPreset(name, summary, parameters, options: options)
  }
}
