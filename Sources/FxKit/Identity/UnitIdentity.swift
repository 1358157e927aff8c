import FxAudio
import FxChain
package import FxEngine
import FxLV2

/// The exact identity of a built-in unit or a plugin in a chain.
package struct UnitIdentity: Sendable, Equatable {
  package var node: String
  /// `compressor`, or a plugin's URI.
  package var unit: String
  /// A built-in's revision, a plugin's `minor.micro`.
  package var version: String
  /// The SHA-256 of the plugin's binary; nil for a built-in unit.
  package var binary: String?
  /// The SHA-256 of its initial preset or state; nil for none.
  package var state: String?
  /// If several bundles contain the plugin: their folders, the used one first. Otherwise empty.
  package var bundles: [String]

  package init(
    node: String, unit: String, version: String, binary: String? = nil, state: String? = nil,
    bundles: [String] = []
  ) {
    self.node = node
    self.unit = unit
    self.version = version
    self.binary = binary
    self.state = state
    self.bundles = bundles
  }
}

extension UnitIdentity {
  /// The unit of a node; nil for a source or a sink.
  package init?(_ node: Graph.Node) {
    guard let unit = node.unit else { return nil }
    switch unit.kind {
    case .builtIn(let name, let revision):
      self.init(node: node.id, unit: name, version: String(revision))
    case .lv2(let uri):
      let plugin = UnitLibrary.shared.plugins.describe(uri: uri)
      self.init(
        node: node.id, unit: uri,
        version: "\(plugin?.minorVersion ?? 0).\(plugin?.microVersion ?? 0)",
        binary: plugin?.binary.flatMap(SHA256.digest(ofFile:)),
        state: unit.setup.state.map { Self.state(of: $0, uri) }, bundles: Self.bundles(of: plugin))
    }
  }

  private static func bundles(of plugin: LV2Description?) -> [String] {
    guard let plugin, !plugin.otherBundles.isEmpty else { return [] }
    return [plugin.bundle] + plugin.otherBundles
  }

  /// A sentence for each of the plugins that several bundles contain.
  package static func copies(ofPlugins uris: [String]) -> [String] {
    var seen = Set<String>()
    return uris.filter { seen.insert($0).inserted }
      .compactMap { UnitLibrary.shared.plugins.describe(uri: $0)?.copies }
  }

  /// The SHA-256 of the descriptions (.ttl) in a plugin's bundle, which hold its defaults and
  /// bounds. nil for a built-in unit.
  package static func descriptions(ofPlugin uri: String) -> String? {
    guard let bundle = UnitLibrary.shared.plugins.describe(uri: uri)?.bundle,
      let names = fileNames(in: bundle)
    else { return nil }
    let parts = names.filter { $0.hasSuffix(".ttl") }
      .map { "\($0) \(SHA256.digest(ofFile: "\(bundle)/\($0)") ?? "")\n" }
    return SHA256.digest(of: parts.joined())
  }

  /// The digest of a plugin's initial state, independent of its path.
  private static func state(of state: PluginSetup.State, _ uri: String) -> String {
    if case .folder(let path) = state { return SHA256.digest(ofFile: path) ?? "unreadable" }
    guard let found = try? UnitLibrary.shared.state(state, ofPlugin: uri) else {
      return "unreadable"
    }
    var lines = found.ports.map { "\($0.symbol) \($0.value)" }
    lines += found.parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    lines.append(String(found.propertyCount))
    return SHA256.digest(of: lines.joined(separator: "\n"))
  }
}
