import FxAudio
import Glibc
import Synchronization

/// Finds presets, saved states and default states: in the bundles of the search path that mention a
/// plugin, and in folders that a chain names.
///
/// Every call reads again in its own lilv world, so that it can be used on any thread.
final class LV2StateStore: Sendable {
  private let selector: LV2BundleSelector

  init(_ selector: LV2BundleSelector) { self.selector = selector }

  /// The presets of a plugin, sorted by label.
  func presets(of plugin: String) -> [PluginPreset] { found(of: plugin).map(\.preset) }

  /// The presets of a plugin and their states; nil for a preset that cannot be read.
  func presetStates(of plugin: String) -> [(preset: PluginPreset, state: LV2SavedState?)] {
    found(of: plugin).map { ($0.preset, LV2SavedState(in: $0.world, subject: $0.preset.uri)) }
  }

  private func found(of plugin: String) -> [(preset: PluginPreset, world: LilvWorld)] {
    var seen = Set<String>()
    var found: [(preset: PluginPreset, world: LilvWorld)] = []
    for world in presetWorlds(of: plugin) {
      for uri in world.subjects(LV2URI.appliesTo, plugin)
      where world.says(uri, LV2URI.type, LV2URI.preset) && seen.insert(uri).inserted {
        found.append((Self.preset(uri, in: world), world))
      }
    }
    return found.sorted { ($0.preset.label, $0.preset.uri) < ($1.preset.label, $1.preset.uri) }
  }

  private static func preset(_ uri: String, in world: LilvWorld) -> PluginPreset {
    world.load(resource: uri)
    let label = world.value(of: uri, LV2URI.label)?.text ?? ""
    let bank = world.value(of: uri, LV2URI.presetBank)?.text
    return PluginPreset(
      uri: uri, label: label.isEmpty ? LV2PropertyReader.lastPart(of: uri) : label,
      bank: bank.map { bank in
        let label = world.value(of: bank, LV2URI.label)?.text ?? ""
        return label.isEmpty ? LV2PropertyReader.lastPart(of: bank) : label
      })
  }

  /// A world for each bundle with presets of a plugin, in search order. Each bundle is alone in its
  /// world, because lilv mixes the values of presets that have the same URI.
  private func presetWorlds(of plugin: String) -> some Sequence<LilvWorld> {
    let bundles = LV2Catalog.hasScheme(plugin) ? selector.selection(for: plugin).bundles : []
    return bundles.lazy.compactMap { [searchPath = selector.searchPath] bundle in
      let world = LilvWorld(searchPath)
      world?.load(bundle: bundle)
      return world
    }
  }

  /// A preset or a saved state; one of another plugin is an error.
  func state(_ state: PluginSetup.State, of plugin: String) throws(Failure) -> LV2SavedState {
    switch state {
    case .preset(let uri):
      guard LV2Catalog.hasScheme(uri),
        let world = presetWorlds(of: plugin).first(where: { $0.says(uri, LV2URI.appliesTo, plugin) }
        )
      else {
        let skipped = selector.skipped(mentioning: plugin).first
        throw Failure(
          .usage,
          "LV2 plugin '\(plugin)' has no preset '\(uri)'"
            + (skipped.map { "; \($0.sentence)" } ?? ""))
      }
      var problem = world.problem(loading: uri)
      let found = problem == nil ? LV2SavedState(in: world, subject: uri) : nil
      problem = problem ?? found?.problem
      guard let found, problem == nil else {
        throw Failure(
          .unreadable, "the preset '\(uri)' cannot be read" + (problem.map { ": \($0)" } ?? ""))
      }
      return found
    case .folder(let path):
      if let problem = selector.gate.problem(ofState: path) {
        throw Failure(.unreadable, "the state '\(path)' cannot be read: \(problem)")
      }
      return try LV2StateFolder(path: path, searchPath: selector.searchPath).state(of: plugin)
    }
  }

  /// The default state in the plugin's own description; nil when there is none.
  func defaultState(of plugin: String) -> LV2SavedState? {
    guard let world = world(of: plugin) else { return nil }
    world.load(resource: plugin)
    guard world.says(plugin, LV2URI.state) else { return nil }
    let state = LV2SavedState(in: world, subject: plugin)
    return state?.propertyCount == 0 ? nil : state
  }

  /// The plugin's properties, and the port that receives them.
  func properties(of plugin: String) -> LV2PropertyReader? {
    guard let world = world(of: plugin) else { return nil }
    return LV2PropertyReader(world: world, plugin: plugin)
  }

  /// A world of the plugin's own bundle and of the bundles that add to it.
  func world(of plugin: String) -> LilvWorld? {
    guard LV2Catalog.hasScheme(plugin), let world = LilvWorld(selector.searchPath) else {
      return nil
    }
    for bundle in selector.selection(for: plugin).inLoadingOrder { world.load(bundle: bundle) }
    return world
  }
}
