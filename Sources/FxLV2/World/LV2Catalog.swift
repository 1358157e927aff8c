import CLilv
import FxAudio

/// A lilv world and the descriptions read from it so far, used by one thread at a time.
final class LV2Catalog {
  private let searchPath: LV2SearchPath
  private let gate: LV2BundleGate
  /// Contains the bundles that were requested one by one.
  private var partial: OpaquePointer?
  private var loadedBundles = Set<String>()
  /// Contains every bundle of the search path.
  private var complete: OpaquePointer?
  private var descriptions: [String: LV2Description] = [:]

  init(searchPath: LV2SearchPath, gate: LV2BundleGate) {
    self.searchPath = searchPath
    self.gate = gate
  }

  deinit {
    lilv_world_free(partial)
    lilv_world_free(complete)
  }

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
  func uris() -> [String] { loadedWorld().map { LilvWorld.pluginURIs(in: $0) } ?? [] }

  private func partialDescription(of uri: String) -> LV2Description? {
    guard complete == nil else { return nil }
    if partial == nil { partial = newWorld() }
    guard let world = partial else { return nil }
    for bundle in gate.passing(searchPath.bundles(mentioning: uri))
    where loadedBundles.insert(bundle).inserted {
      LilvWorld.load(bundle: bundle, into: world)
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

  /// True for a URI that lilv accepts without printing an error.
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
    guard let world = newWorld() else { return nil }
    // Like `lilv_world_load_all`, but without the skipped bundles.
    for bundle in gate.passing(searchPath.bundles()) { LilvWorld.load(bundle: bundle, into: world) }
    lilv_world_load_specifications(world)
    lilv_world_load_plugin_classes(world)
    complete = world
    return world
  }

  private func newWorld() -> OpaquePointer? { LilvWorld.make(searchPath) }
}
