import FxAudio

/// The value of a plugin's property, reported by the plugin while a chain plays.
public struct LiveProperty: Sendable, Hashable {
  public enum Value: Sendable, Hashable {
    /// In the property's own unit of measure.
    case number(Double)
    case flag(Bool)
    /// A text, a URI, a file's path.
    case text(String)
  }

  /// `node.property`.
  public let name: String
  /// The property's label for people.
  public let summary: String
  /// The unit of measure of a number; empty for none.
  public let unit: String
  public let value: Value

  init(name: String, _ property: PluginProperty, _ value: PluginSetup.Value) {
    self.name = name
    summary = property.label
    if case .number(let spec) = property.kind {
      unit = spec.measure.rawValue
    } else {
      unit = ""
    }
    self.value =
      switch value {
      case .number(let number): .number(number)
      case .flag(let flag): .flag(flag)
      case .text(let text), .file(let text): .text(text)
      }
  }
}
