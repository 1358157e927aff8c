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
}
