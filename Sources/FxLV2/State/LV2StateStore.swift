import FxAudio
import Glibc
import Synchronization

/// Finds presets, saved states and default states: in the bundles of the search path that mention a
/// plugin, and in folders that a chain names.
///
/// Every call reads again in its own lilv world, so that it can be used on any thread.
final class LV2StateStore: Sendable {
  private let searchPath: LV2SearchPath
  private let gate: LV2BundleGate
  /// The bundles of the plugins that were requested.
  private let known = Mutex<[String: [String]]>([:])

  init(searchPath: LV2SearchPath, gate: LV2BundleGate) {
    self.searchPath = searchPath
    self.gate = gate
  }

  /// The presets of a plugin, sorted by label.
  func presets(of plugin: String) -> [PluginPreset] {
    world(of: plugin).map { presets(of: plugin, in: $0) } ?? []
  }

  /// The presets of a plugin and their states; nil for a preset that cannot be read.
  func presetStates(of plugin: String) -> [(preset: PluginPreset, state: LV2SavedState?)] {
    guard let world = world(of: plugin) else { return [] }
    return presets(of: plugin, in: world).map { ($0, LV2SavedState(in: world, subject: $0.uri)) }
  }

  private func presets(of plugin: String, in world: LilvWorld) -> [PluginPreset] {
    let presets = presetURIs(of: plugin, in: world).map { uri in
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
    return presets.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
  }

  /// A preset or a saved state; one of another plugin is an error.
  func state(_ state: PluginSetup.State, of plugin: String) throws(UnitError) -> LV2SavedState {
    switch state {
    case .preset(let uri):
      guard LV2Catalog.hasScheme(uri), let world = world(of: plugin),
        world.says(uri, LV2URI.appliesTo, plugin)
      else {
        let skipped = gate.skipped(searchPath.bundles(mentioning: plugin)).first
        throw UnitError(
          .badOption,
          "LV2 plugin '\(plugin)' has no preset '\(uri)'"
            + (skipped.map { "; \($0.sentence)" } ?? ""))
      }
      var problem = world.problem(loading: uri)
      let found = problem == nil ? LV2SavedState(in: world, subject: uri) : nil
      problem = problem ?? found?.problem
      guard let found, problem == nil else {
        throw UnitError(
          .fileUnreadable, "the preset '\(uri)' cannot be read" + (problem.map { ": \($0)" } ?? ""))
      }
      return found
    case .folder(let path):
      if let problem = gate.problem(ofState: path) {
        throw UnitError(.fileUnreadable, "the state '\(path)' cannot be read: \(problem)")
      }
      return try LV2StateFolder(path: path, searchPath: searchPath).state(of: plugin)
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

  /// A world of the bundles that mention the plugin.
  func world(of plugin: String) -> LilvWorld? {
    guard LV2Catalog.hasScheme(plugin), let world = LilvWorld(searchPath) else { return nil }
    let bundles =
      known.withLock { $0[plugin] }
      ?? {
        let found = searchPath.bundles(mentioning: plugin)
        known.withLock { $0[plugin] = found }
        return found
      }()
    for bundle in gate.passing(bundles) { world.load(bundle: bundle) }
    return world
  }

  private func presetURIs(of plugin: String, in world: LilvWorld) -> [String] {
    var seen = Set<String>()
    return world.subjects(LV2URI.appliesTo, plugin).filter {
      world.says($0, LV2URI.type, LV2URI.preset) && seen.insert($0).inserted
    }
  }
}
