/// A named set of values for a built-in unit. Values in the chain itself override it.
package struct UnitPreset: Sendable, Hashable {
  /// As chains write it: `"preset": "large hall"`.
  package let name: String
  /// A sentence for lists and the reference page.
  package let summary: String
  /// By id, in the chain's units of measure; other parameters keep their defaults.
  package let parameters: [String: Double]
  /// Build options by key.
  package let options: [String: OptionValue]

  package init(
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
