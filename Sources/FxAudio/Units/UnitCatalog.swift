/// Finds the types of units: built-in units by name, plugins by URI.
package protocol UnitCatalog: Sendable {
  /// A built-in unit; nil when no unit has that name. `reverb` is its latest revision, `reverb@1`
  /// is revision 1.
  func unit(named name: String) -> UnitType?
  /// The revisions of a built-in unit, the latest first; empty when there is no such unit.
  func revisions(ofUnit name: String) -> [UnitType]
  /// Names of all built-in units, for suggestions.
  var unitNames: [String] { get }
  /// An installed plugin; nil when none has that URI.
  func plugin(uri: String) throws(Failure) -> UnitType?
  /// Installed plugins with URIs similar to a missing one, best first.
  func nearestPlugins(to uri: String) -> [String]
  /// The Debian package that contains a missing plugin; nil where none is known.
  func missingPackage(ofPlugin uri: String) -> String?
  /// The folders that are searched for plugins, and the number of plugins found.
  var pluginSearch: (folders: [String], pluginCount: Int) { get }
  /// The presets of an installed plugin, sorted by label.
  func presets(ofPlugin uri: String) -> [PluginPreset]
  /// The contents of a preset or a saved state for a plugin.
  func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(Failure) -> PluginState
  /// The properties of a plugin, which are not parameters.
  func properties(ofPlugin uri: String) -> [PluginProperty]
}

/// Defaults for a catalog without plugins and earlier revisions.
extension UnitCatalog {
  /// A built-in unit of a revision, or its latest revision where that one is missing.
  package func unit(named name: String, revision: Int?) -> UnitType? {
    revision.flatMap { unit(named: "\(name)@\($0)") } ?? unit(named: name)
  }

  package func revisions(ofUnit name: String) -> [UnitType] { unit(named: name).map { [$0] } ?? [] }

  package func presets(ofPlugin uri: String) -> [PluginPreset] { [] }

  package func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(Failure)
    -> PluginState
  {
    throw Failure(.usage, "plugin '\(uri)' has no state")
  }

  package func properties(ofPlugin uri: String) -> [PluginProperty] { [] }

  package func missingPackage(ofPlugin uri: String) -> String? { nil }
}
