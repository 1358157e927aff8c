/// Where kinds of units are looked up: built-ins by name, plugins by URI.
package protocol UnitCatalog: Sendable {
  /// A built-in unit, nil when there is none of that name. `reverb` is its latest revision,
  /// `reverb@1` that revision.
  func unit(named name: String) -> UnitType?
  /// The revisions of a built-in unit, the latest first; none when there is no such unit.
  func revisions(ofUnit name: String) -> [UnitType]
  /// Names of all built-in units, for suggestions.
  var unitNames: [String] { get }
  /// An installed plugin, nil when there is none of that URI.
  func plugin(uri: String) throws(UnitError) -> UnitType?
  /// Installed plugins whose URI is nearest to one that is missing, best first.
  func nearestPlugins(to uri: String) -> [String]
  /// The Debian package that a missing plugin comes with; nil where none is known.
  func missingPackage(ofPlugin uri: String) -> String?
  /// Folders that plugins are searched in, and how many were found there.
  var pluginSearch: (folders: [String], pluginCount: Int) { get }
  /// The presets of an installed plugin, in the order of their labels.
  func presets(ofPlugin uri: String) -> [PluginPreset]
  /// What a preset or a saved state says of a plugin.
  func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(UnitError) -> PluginState
  /// What a plugin can be given beside its parameters.
  func properties(ofPlugin uri: String) -> [PluginProperty]
}

/// What a catalog without plugins and earlier revisions need not say.
extension UnitCatalog {
  /// A built-in unit of a revision, or its latest where that is not there.
  package func unit(named name: String, revision: Int?) -> UnitType? {
    revision.flatMap { unit(named: "\(name)@\($0)") } ?? unit(named: name)
  }

  package func revisions(ofUnit name: String) -> [UnitType] { unit(named: name).map { [$0] } ?? [] }

  package func presets(ofPlugin uri: String) -> [PluginPreset] { [] }

  package func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(UnitError)
    -> PluginState
  {
    throw UnitError(.badOption, "plugin '\(uri)' has no state")
  }

  package func properties(ofPlugin uri: String) -> [PluginProperty] { [] }

  package func missingPackage(ofPlugin uri: String) -> String? { nil }
}
