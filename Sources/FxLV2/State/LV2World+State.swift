package import FxAudio

/// Presets, saved states and properties of plugins.
extension LV2World {
  /// The presets of a plugin, in the order of their labels.
  package func presets(of uri: String) -> [PluginPreset] { states.presets(of: uri) }

  /// The presets of a plugin and what each says; nil for one that cannot be read.
  package func presetStates(of uri: String) -> [(preset: PluginPreset, state: PluginState?)] {
    guard let description = describe(uri: uri) else { return [] }
    return states.presetStates(of: uri).map { preset, state in
      (preset, state.map { LV2StateParameters.fitted($0, to: description) })
    }
  }

  /// What a preset or a saved state says of a plugin, as parameters of a chain.
  package func state(_ state: PluginSetup.State, of uri: String) throws(UnitError) -> PluginState {
    guard let description = describe(uri: uri) else {
      throw UnitError(.badOption, "no LV2 plugin '\(uri)' is installed")
    }
    return LV2StateParameters.fitted(try states.state(state, of: uri), to: description)
  }

  /// What a plugin can be given beside its parameters, in the order of the URIs.
  package func properties(of uri: String) -> [PluginProperty] {
    states.properties(of: uri)?.properties.map(\.declaration) ?? []
  }
}
