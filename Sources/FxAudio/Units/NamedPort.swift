/// A port of a unit, for messages.
package struct NamedPort: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case parameter, reading, controlVoltage, audioInput, audioOutput, eventInput, eventOutput
    /// The enable switch of a plugin, which `bypass` replaces.
    case enabled
    /// A port that fxrun controls itself: latency, freewheeling.
    case hostOwned
  }

  package var id: String
  /// The label for users; equal to the id where there is none.
  package var label: String
  package var kind: Kind

  package init(_ id: String, _ label: String, _ kind: Kind) {
    self.id = id
    self.label = label
    self.kind = kind
  }

  /// `'elm' (Envelope level meter) is a reading`.
  package var sentence: String {
    let name = label == id || label.isEmpty ? "'\(id)'" : "'\(id)' (\(label))"
    return switch kind {
    case .parameter: "\(name) is a parameter"
    case .reading: "\(name) is a reading: the unit sets it"
    case .controlVoltage: "\(name) is a control voltage"
    case .audioInput: "\(name) is an audio input"
    case .audioOutput: "\(name) is an audio output"
    case .eventInput: "\(name) is an event input"
    case .eventOutput: "\(name) is an event output"
    case .enabled: "\(name) is fxrun's own: use 'bypass', which is true for off"
    case .hostOwned: "\(name) is fxrun's own and cannot be set"
    }
  }
}

extension UnitSpec {
  /// The port of this name. A plugin declares its ports; for a built-in unit they are its
  /// parameters, readings and buses.
  package func port(named name: String) -> NamedPort? {
    if let port = ports.first(where: { $0.id == name }) { return port }
    if let parameter = parameters.first(where: { $0.id == name }) {
      return NamedPort(name, ports.isEmpty ? "" : parameter.summary, .parameter)
    }
    if readings.contains(where: { $0.id == name }) { return NamedPort(name, "", .reading) }
    if inputs.contains(where: { $0.name == name }) { return NamedPort(name, "", .audioInput) }
    if outputs.contains(where: { $0.name == name }) { return NamedPort(name, "", .audioOutput) }
    return nil
  }
}
