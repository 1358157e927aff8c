import FxAudio

/// Converts a state's port values to parameters of a chain.
enum LV2StateParameters {
  /// The state with the chain's parameters, and notes about values that do not fit the plugin.
  static func fitted(_ state: LV2SavedState, to description: LV2Description) -> PluginState {
    var result = PluginState(
      plugin: state.plugin, label: state.label, ports: state.ports,
      propertyCount: state.propertyCount)
    let readers = Dictionary(
      description.distinctParameters.map { ($0.port.symbol, $0) },
      uniquingKeysWith: { first, _ in first })
    let symbols = Set(description.ports.map(\.symbol))
    for port in state.ports {
      guard let reader = readers[port.symbol] else {
        if !symbols.contains(port.symbol) {
          result.notes.append("it sets '\(port.symbol)', which the plugin does not have")
        }
        continue
      }
      result.parameters[port.symbol] = chainValue(port.value, of: reader)
      let range = reader.portRange(sampleRate: LV2ParameterReader.usualRate)
      if port.value < slack(range.lowerBound, -1) || port.value > slack(range.upperBound, 1) {
        result.notes.append(
          "it sets '\(port.symbol)' to \(LV2Plugin.number(port.value)), which is outside of "
            + "\(LV2Plugin.number(range.lowerBound))…\(LV2Plugin.number(range.upperBound)), "
            + "and is used unchanged")
      }
    }
    return result
  }

  /// The chain's value for a value of the port.
  static func chainValue(_ value: Double, of reader: LV2ParameterReader) -> Double {
    reader.port.isToggle ? (value > 0 ? 1 : 0) : LV2Number.shortest(value / reader.scale)
  }

  /// A bound with a tolerance for the rounding of single precision.
  private static func slack(_ bound: Double, _ side: Double) -> Double {
    bound + side * max(abs(bound), 1e-3) * 1e-6
  }
}
