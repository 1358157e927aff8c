import CLilv
import FxAudio

/// A lilv world and the descriptions read from it so far, used by one thread at a time.
final class LV2Catalog {
  private let selector: LV2BundleSelector
  /// By the bundles that they contain: those that were requested one by one.
  private var partial: [[String]: LilvWorld] = [:]
  /// Contains every plugin of the search path.
  private var complete: Complete?
  private var descriptions: [String: LV2Description] = [:]

  /// All plugins. Most are in one world. A bundle with a plugin that an earlier bundle contains too
  /// has a world of its own.
  private struct Complete {
    let world: LilvWorld
    /// The worlds of plugins that are not in `world`.
    var others: [String: LilvWorld] = [:]
    /// By plugin; the used bundle comes first.
    var owners: [String: [String]] = [:]
  }

  init(_ selector: LV2BundleSelector) { self.selector = selector }

  /// One plugin, read from the bundles that mention it, or else from all bundles.
  func description(of uri: String) -> LV2Description? {
    guard LV2Catalog.hasScheme(uri) else { return nil }
    if let known = descriptions[uri] { return known }
    guard let found = partialDescription(of: uri) ?? completeDescription(of: uri) else {
      return nil
    }
    descriptions[uri] = found
    return found
  }

  /// Every plugin, sorted by URI.
  func all() -> [LV2Description] {
    uris().compactMap { description(of: $0) }
  }

  /// The URIs of all plugins, sorted.
  func uris() -> [String] {
    guard let complete = loaded() else { return [] }
    return Set(complete.world.pluginURIs).union(complete.others.keys).sorted()
  }

  private func partialDescription(of uri: String) -> LV2Description? {
    guard complete == nil else { return nil }
    let selection = selector.selection(for: uri)
    let bundles = selection.inLoadingOrder
    guard !bundles.isEmpty, let world = partial[bundles] ?? LilvWorld(selector.searchPath) else {
      return nil
    }
    if partial[bundles] == nil {
      for bundle in bundles { world.load(bundle: bundle) }
      partial[bundles] = world
    }
    return description(of: uri, in: world, others: selection.ignored)
  }

  private func completeDescription(of uri: String) -> LV2Description? {
    guard let complete = loaded() else { return nil }
    return description(
      of: uri, in: complete.others[uri] ?? complete.world,
      others: Array((complete.owners[uri] ?? []).dropFirst()))
  }

  private func description(
    of uri: String, in world: LilvWorld, others: [String]
  ) -> LV2Description? {
    guard let node = LilvNode(world.pointer, uri: uri),
      let plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world.pointer), node.pointer)
    else { return nil }
    var description = LV2Reader(world: world.pointer, plugin: plugin).description()
    description.otherBundles = others
    return description
  }

  /// True for a URI that lilv accepts without printing an error.
  static func hasScheme(_ uri: String) -> Bool {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), !uri.utf8.contains(0) else {
      return false
    }
    let scheme = uri[..<colon]
    return scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  private func loaded() -> Complete? {
    if let complete { return complete }
    guard let world = LilvWorld(selector.searchPath) else { return nil }
    var loaded = Complete(world: world)
    var additions: [String] = []
    // Unlike `lilv_world_load_all`, without skipped bundles, copies of plugins, presets and the
    // vocabularies of LV2, which no description needs.
    for bundle in selector.gate.passing(selector.searchPath.bundles()) {
      let contents = LV2BundleContents(of: bundle, selector.searchPath)
      let plugins = contents?.plugins ?? []
      let new = plugins.filter { loaded.owners[$0] == nil }
      for plugin in plugins { loaded.owners[plugin, default: []].append(bundle) }
      if plugins.isEmpty {
        if contents?.world.pluginURIs.isEmpty == false { additions.append(bundle) }
      } else if new.count == plugins.count {
        world.load(bundle: bundle)
      } else if let own = contents?.world {
        for plugin in new { loaded.others[plugin] = own }
      }
    }
    // After the plugins, because lilv takes a plugin's bundle from the first one that it reads.
    for bundle in additions { world.load(bundle: bundle) }
    complete = loaded
    return loaded
  }
}
