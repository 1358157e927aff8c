package import FxAudio
package import FxLV2
import FxUnits

/// Everything that a chain can name: the built-in units and the installed LV2 plugins.
///
/// Plugins are looked up when a chain names them; a chain without any never touches LV2.
package final class UnitLibrary: UnitCatalog {
  package static let shared = UnitLibrary()

  private let byName: [String: UnitType]
  package let plugins: LV2World

  package init(plugins: LV2World = LV2World()) {
    byName = Dictionary(BuiltInUnits.all.map { ($0.spec.id, $0) }) { first, _ in first }
    self.plugins = plugins
  }

  /// The built-in units in the order of the reference page.
  package var units: [UnitSpec] { BuiltInUnits.all.map(\.spec) }

  package func unit(named name: String) -> UnitType? { byName[name] }

  package var unitNames: [String] { byName.keys.sorted() }

  package func plugin(uri: String) throws(UnitError) -> UnitType? { try plugins.plugin(uri: uri) }

  package func nearestPlugins(to uri: String) -> [String] { plugins.nearest(to: uri, limit: 3) }

  package var pluginSearch: (folders: [String], pluginCount: Int) {
    (plugins.searchFolders, plugins.pluginCount)
  }

  package func presets(ofPlugin uri: String) -> [PluginPreset] { plugins.presets(of: uri) }

  package func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(UnitError)
    -> PluginState
  {
    try plugins.state(state, of: uri)
  }

  package func properties(ofPlugin uri: String) -> [PluginProperty] { plugins.properties(of: uri) }
}
