import CLilv
import FxAudio

/// A lilv world and the descriptions read from it so far, used by one thread at a time.
final class LV2Catalog {
  private let searchPath: LV2SearchPath
  /// Holds the bundles that were asked for one by one.
  private var partial: OpaquePointer?
  private var loadedBundles = Set<String>()
  /// Holds every bundle of the search path.
  private var complete: OpaquePointer?
  private var descriptions: [String: LV2Description] = [:]

  init(searchPath: LV2SearchPath) { self.searchPath = searchPath }

  deinit {
    lilv_world_free(partial)
    lilv_world_free(complete)
  }

  /// One plugin, from the bundles that name it or, failing these, from all of them.
  func description(of uri: String) -> LV2Description? {
    guard LV2Catalog.hasScheme(uri) else { return nil }
    if let known = descriptions[uri] { return known }
    guard let found = partialDescription(of: uri) ?? completeDescription(of: uri) else {
      return nil
    }
    descriptions[uri] = found
    return found
  }

  /// Every plugin, in the order of their URIs.
  func all() -> [LV2Description] {
    uris().compactMap { description(of: $0) }
  }

  /// The URIs of all plugins, sorted.
  func uris() -> [String] {
    guard let world = loadedWorld(), let plugins = lilv_world_get_all_plugins(world) else {
      return []
    }
    var uris: [String] = []
    var iterator = lilv_plugins_begin(plugins)
    while !lilv_plugins_is_end(plugins, iterator) {
      if let plugin = lilv_plugins_get(plugins, iterator) {
        uris.append(LilvNode.text(of: lilv_plugin_get_uri(plugin)))
      }
      iterator = lilv_plugins_next(plugins, iterator)
    }
    return uris.sorted()
  }

  private func partialDescription(of uri: String) -> LV2Description? {
    guard complete == nil else { return nil }
    if partial == nil { partial = newWorld() }
    guard let world = partial else { return nil }
    for bundle in searchPath.bundles(mentioning: uri)
    where loadedBundles.insert(bundle).inserted {
      guard let node = LilvNode(lilv_new_file_uri(world, nil, bundle)) else { continue }
      lilv_world_load_bundle(world, node.pointer)
    }
    return description(of: uri, in: world)
  }

  private func completeDescription(of uri: String) -> LV2Description? {
    loadedWorld().flatMap { description(of: uri, in: $0) }
  }

  private func description(of uri: String, in world: OpaquePointer) -> LV2Description? {
    guard let node = LilvNode(world, uri: uri),
      let plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), node.pointer)
    else { return nil }
    return LV2Reader(world: world, plugin: plugin).description()
  }

  /// True for what lilv takes as a URI without a word on standard error.
  static func hasScheme(_ uri: String) -> Bool {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), !uri.utf8.contains(0) else {
      return false
    }
    let scheme = uri[..<colon]
    return scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  private func loadedWorld() -> OpaquePointer? {
    if let complete { return complete }
    complete = newWorld()
    lilv_world_load_all(complete)
    return complete
  }

  private func newWorld() -> OpaquePointer? { LilvWorld.make(searchPath) }
}
