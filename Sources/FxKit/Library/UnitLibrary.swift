package import FxAudio
package import FxLV2
import FxNodes
import FxUnits

/// All units that a chain can name: the built-in units and the installed LV2 plugins.
///
/// Plugins are looked up when a chain names them; a chain without plugins never uses LV2.
package final class UnitLibrary: UnitCatalog {
  package static let shared = UnitLibrary(adding: .ofProgram, plugins: LV2World())

  private let byName: [String: UnitType]
  /// All revisions by name, latest first.
  private let revisions: [String: [UnitType]]
  /// The built-in units in the order of the reference page.
  package let units: [UnitSpec]
  package let plugins: LV2World

  /// - Parameters:
  ///   - units: the latest revision of each built-in unit.
  ///   - earlier: the earlier revisions.
  package init(
    plugins: LV2World = LV2World(), units: [UnitType] = BuiltInUnits.all,
    earlier: [UnitType] = BuiltInUnits.earlier
  ) {
    self.units = units.map(\.spec)
    revisions = Dictionary(grouping: units + earlier, by: \.spec.id).mapValues { types in
      types.sorted { $0.spec.revision > $1.spec.revision }
    }
    byName = Dictionary(
      units.map { ($0.spec.id, $0) } + (units + earlier).map { ($0.spec.revisionName, $0) }
    ) { first, _ in first }
    self.plugins = plugins
  }

  package func unit(named name: String) -> UnitType? { byName[name] }

  package func revisions(ofUnit name: String) -> [UnitType] { revisions[name] ?? [] }

  /// The names of earlier revisions: `reverb@1`.
  package var earlierNames: [String] {
    units.flatMap { (revisions[$0.id] ?? []).dropFirst().map(\.spec.revisionName) }
  }

  package var unitNames: [String] { units.map(\.id).sorted() }

  package func plugin(uri: String) throws(Failure) -> UnitType? { try plugins.plugin(uri: uri) }

  package func nearestPlugins(to uri: String) -> [String] { plugins.nearest(to: uri, limit: 3) }

  package func missingPackage(ofPlugin uri: String) -> String? { plugins.missingPackage(of: uri) }

  package var pluginSearch: (folders: [String], pluginCount: Int) {
    (plugins.searchFolders, plugins.pluginCount)
  }

  package func presets(ofPlugin uri: String) -> [PluginPreset] { plugins.presets(of: uri) }

  package func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(Failure)
    -> PluginState
  {
    try plugins.state(state, of: uri)
  }

  package func properties(ofPlugin uri: String) -> [PluginProperty] { plugins.properties(of: uri) }
}

extension UnitLibrary {
  /// The built-in units, a user's units after them, and the installed plugins.
  convenience init(adding own: UnitSet, plugins: LV2World) {
    var types = BuiltInUnits.all
    for type in own.types {
      let id = type.spec.id
      let isTaken = types.contains { $0.spec.id == id }
      types.removeAll { $0.spec.id == id }
      types.append(isTaken ? UnitType(refusing: type.spec, "another unit has this name") : type)
    }
    self.init(plugins: plugins, units: types)
  }
}
