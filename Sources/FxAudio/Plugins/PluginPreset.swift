/// A preset of a plugin, for lists.
package struct PluginPreset: Sendable, Hashable {
  package var uri: String
  package var label: String
  /// The name of its bank.
  package var bank: String?

  package init(uri: String, label: String, bank: String? = nil) {
    self.uri = uri
    self.label = label
    self.bank = bank
  }
}

extension PluginPreset {
  /// The label without its bank's name, as in `Voices: Choir`; nil where it does not begin with
  /// one.
  package var nameInBank: String? {
    for bank in [bank.map { String($0) }, label.split(separator: ":").first.map { String($0) }] {
      guard let bank, !bank.isEmpty, label.lowercased().hasPrefix(bank.lowercased()) else {
        continue
      }
      let rest = label.dropFirst(bank.count).drop { $0 == " " }
      guard let mark = rest.first, ":/|-–".contains(mark) else { continue }
      let name = rest.dropFirst().drop { $0 == " " }
      if !name.isEmpty { return String(name) }
    }
    return nil
  }

  /// The label with the name of its bank: `Voices: Choir`.
  package var fullName: String {
    guard let bank, nameInBank == nil else { return label }
    return "\(bank): \(label)"
  }

  /// The presets that a name matches: a URI, else a label, else a label with its bank, else a label
  /// without its bank. Case matters only if there is an exact match.
  package static func find(_ name: String, in presets: [PluginPreset]) -> [PluginPreset] {
    if let found = presets.first(where: { $0.uri == name }) { return [found] }
    let keys: [(PluginPreset) -> String?] = [
      { $0.label }, { $0.fullName }, { $0.nameInBank },
    ]
    for key in keys {
      let found = presets.filter { key($0) == name }
      if !found.isEmpty { return found }
      let folded = presets.filter { key($0)?.lowercased() == name.lowercased() }
      if !folded.isEmpty { return folded }
    }
    return []
  }
}

/// The contents of a preset or a saved state of a plugin.
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

  /// The URI of its plugin.
  package var plugin: String
  package var label: String?
  /// Sorted by symbol.
  package var ports: [Port]
  /// The number of properties that only the plugin can read.
  package var propertyCount: Int
  /// Values of parameters by id, in the chain's units of measure.
  package var parameters: [String: Double] = [:]
  /// Contents that do not fit the plugin, a sentence each: unknown parameters, values outside a
  /// range.
  package var notes: [String] = []

  package init(plugin: String, label: String?, ports: [Port], propertyCount: Int) {
    self.plugin = plugin
    self.label = label
    self.ports = ports
    self.propertyCount = propertyCount
  }
}
