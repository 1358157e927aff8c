/// A preset of a plugin, as lists show it.
package struct PluginPreset: Sendable, Hashable {
  package var uri: String
  package var label: String
  /// The group of presets that it belongs to, by name.
  package var bank: String?

  package init(uri: String, label: String, bank: String? = nil) {
    self.uri = uri
    self.label = label
    self.bank = bank
  }
}

/// What a preset or a saved state says of a plugin.
package struct PluginState: Sendable, Hashable {
  /// The value of a control port, in the port's own unit of measure.
  package struct Port: Sendable, Hashable {
    package var symbol: String
    package var value: Double

    package init(symbol: String, value: Double) {
      self.symbol = symbol
      self.value = value
    }
  }

  /// The plugin that it was made for.
  package var plugin: String
  package var label: String?
  /// In the order of their symbols.
  package var ports: [Port]
  /// How much it holds that only the plugin can read.
  package var propertyCount: Int
  /// Values of parameters by id, in the chain's units of measure.
  package var parameters: [String: Double] = [:]
  /// What does not fit the plugin, a sentence each: parameters that it does not have, values beyond
  /// a range.
  package var notes: [String] = []

  package init(plugin: String, label: String?, ports: [Port], propertyCount: Int) {
    self.plugin = plugin
    self.label = label
    self.ports = ports
    self.propertyCount = propertyCount
  }
}
