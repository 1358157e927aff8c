package import FxAudio

/// Presets, saved states and properties of plugins.
extension LV2World {
  /// The presets of a plugin, sorted by label.
  package func presets(of uri: String) -> [PluginPreset] { states.presets(of: uri) }

  /// The presets of a plugin and their states; nil for a preset that cannot be read.
  package func presetStates(of uri: String) -> [(preset: PluginPreset, state: PluginState?)] {
    guard let description = describe(uri: uri) else { return [] }
    return states.presetStates(of: uri).map { preset, state in
      (preset, state.map { LV2StateParameters.fitted($0, to: description) })
    }
  }

  /// A preset or a saved state of a plugin, as parameters of a chain.
  package func state(_ state: PluginSetup.State, of uri: String) throws(Failure) -> PluginState {
    guard let description = describe(uri: uri) else {
      throw Failure(.usage, "no LV2 plugin '\(uri)' is installed")
    }
    return LV2StateParameters.fitted(try states.state(state, of: uri), to: description)
  }

  /// The properties of a plugin (values besides its parameters), sorted by URI.
  package func properties(of uri: String) -> [PluginProperty] {
    states.properties(of: uri)?.properties.map(\.declaration) ?? []
  }
}
