/// Where kinds of units are looked up: built-ins by name, plugins by URI.
package protocol UnitCatalog: Sendable {
  /// A built-in unit, nil when there is none of that name.
  func unit(named name: String) -> UnitType?
  /// Names of all built-in units, for suggestions.
  var unitNames: [String] { get }
  /// An installed plugin, nil when there is none of that URI.
  func plugin(uri: String) throws(UnitError) -> UnitType?
  /// Installed plugins whose URI is nearest to one that is missing, best first.
  func nearestPlugins(to uri: String) -> [String]
  /// Folders that plugins are searched in, and how many were found there.
  var pluginSearch: (folders: [String], pluginCount: Int) { get }
  /// The presets of an installed plugin, in the order of their labels.
  func presets(ofPlugin uri: String) -> [PluginPreset]
  /// What a preset or a saved state says of a plugin.
  func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(UnitError) -> PluginState
  /// What a plugin can be given beside its parameters.
  func properties(ofPlugin uri: String) -> [PluginProperty]
}

/// What plugins have beside their parameters. A catalog without plugins has none of it.
extension UnitCatalog {
  package func presets(ofPlugin uri: String) -> [PluginPreset] { [] }

  package func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(UnitError)
    -> PluginState
  {
    throw UnitError(.badOption, "plugin '\(uri)' has no state")
  }

  package func properties(ofPlugin uri: String) -> [PluginProperty] { [] }
}
