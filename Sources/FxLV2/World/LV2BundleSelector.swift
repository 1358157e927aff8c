import CLilv
import Glibc
import Synchronization

/// The bundles that are read together for one plugin.
struct LV2BundleSelection: Sendable {
  /// In search order: the first bundle that contains the plugin, and bundles that add to it, such
  /// as presets.
  let bundles: [String]
  /// The first bundle that contains the plugin; nil when none does, or when there is one bundle.
  let owner: String?
  /// Later bundles that contain the plugin too. Nothing of them is used for it.
  let ignored: [String]

  /// The owner first, because lilv takes a plugin's bundle from the first one that it reads.
  var inLoadingOrder: [String] {
    guard let owner else { return bundles }
    return [owner] + bundles.filter { $0 != owner }
  }
}

/// Selects the bundles of each plugin. lilv itself mixes the descriptions of bundles that contain
/// the same plugin, and then loads the library of any of them.
///
/// Can be used on any thread.
final class LV2BundleSelector: Sendable {
  let searchPath: LV2SearchPath
  let gate: LV2BundleGate
  /// The bundles that mention the plugins that were requested.
  private let mentions = Mutex<[String: [String]]>([:])
  private let selections = Mutex<[String: LV2BundleSelection]>([:])

  init(searchPath: LV2SearchPath, gate: LV2BundleGate) {
    self.searchPath = searchPath
    self.gate = gate
  }

  func selection(for plugin: String) -> LV2BundleSelection {
    let bundles = gate.passing(mentioning(plugin))
    if let known = selections.withLock({ $0[plugin] }),
      Set(known.bundles + known.ignored) == Set(bundles)
    {
      return known
    }
    let made = selection(for: plugin, among: bundles)
    selections.withLock { $0[plugin] = made }
    return made
  }

  /// The skipped bundles that mention a plugin.
  func skipped(mentioning plugin: String) -> [LV2SkippedBundle] {
    gate.skipped(mentioning(plugin))
  }

  private func mentioning(_ plugin: String) -> [String] {
    if let known = mentions.withLock({ $0[plugin] }) { return known }
    let found = searchPath.bundles(mentioning: plugin)
    mentions.withLock { $0[plugin] = found }
    return found
  }

  private func selection(for plugin: String, among bundles: [String]) -> LV2BundleSelection {
    // The usual case needs no answer.
    guard bundles.count > 1 else {
      return LV2BundleSelection(bundles: bundles, owner: nil, ignored: [])
    }
    let owners = bundles.filter {
      LV2BundleContents(of: $0, searchPath)?.plugins.contains(plugin) == true
    }
    let ignored = owners.dropFirst()
    return LV2BundleSelection(
      bundles: bundles.filter { !ignored.contains($0) }, owner: owners.first,
      ignored: Array(ignored))
  }
}

/// One bundle alone in a world.
struct LV2BundleContents {
  let world: LilvWorld
  /// The URIs of plugins with a binary. A bundle may also add to a plugin of another bundle; then
  /// it names no binary.
  let plugins: [String]

  init?(of bundle: String, _ searchPath: LV2SearchPath) {
    guard let world = LilvWorld(searchPath) else { return nil }
    world.load(bundle: bundle)
    self.world = world
    plugins = world.pluginURIs.filter { Self.hasBinary($0, in: world) }
  }

  private static func hasBinary(_ uri: String, in world: LilvWorld) -> Bool {
    // Almost every manifest names the binary, so that no other file has to be read.
    if world.says(uri, LV2URI.binary) { return true }
    guard let node = LilvNode(world.pointer, uri: uri),
      let plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world.pointer), node.pointer)
    else { return false }
    return lilv_plugin_get_library_uri(plugin) != nil
  }
}
