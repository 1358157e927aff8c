import FxAudio
package import FxChain
import FxLV2

/// The installed LV2 plugins, with their descriptions and the verdicts of their probes.
package struct InstalledPlugins: Sendable {
  package static let shared = InstalledPlugins(UnitLibrary.shared.plugins)

  private let world: LV2World

  init(_ world: LV2World) { self.world = world }

  /// The folders that are searched for plugins.
  package var searchFolders: [String] { world.searchFolders }

  /// All plugins, sorted by URI.
  package func all() -> [PluginReport] {
    let cache = VerdictCache()
    return world.list().map { PluginReport(plugin: $0, verdict: cache[$0]) }
  }

  package func contains(_ uri: String) -> Bool { world.describe(uri: uri) != nil }

  /// All control ports of a plugin, inputs and outputs, in the order of their indices; nil if it is not installed. A
  /// port that a chain cannot set is no parameter.
  package func controlPorts(of uri: String) -> [(symbol: String, isInput: Bool, isParameter: Bool)]?
  {
    world.describe(uri: uri)?.ports.filter { $0.kind == .control }.map { port in
      (port.symbol, port.isInput, port.isInput && port.role == nil)
    }
  }

  /// A plugin by its URI. The failure names similar ones.
  package func plugin(_ uri: String) throws(ChainFailure) -> PluginReport {
    if let plugin = world.describe(uri: uri) {
      return PluginReport(plugin: plugin, verdict: VerdictCache()[plugin])
    }
    if let skipped = world.skippedBundles(mentioning: uri).first {
      throw ChainFailure(
        .plugin, code: .unusablePlugin,
        "the LV2 plugin '\(uri)' cannot be used: \(skipped.sentence)")
    }
    let near = world.nearest(to: uri, limit: 3)
    throw ChainFailure(
      .plugin, code: .missingPlugin,
      "no LV2 plugin '\(uri)' is installed",
      hints: (world.missingPackage(of: uri).map { ["install it with: apt install \($0)"] } ?? [])
        + near.enumerated().map { ($0.offset == 0 ? "nearest: " : "         ") + $0.element }
        + ["searched: \(world.searchFolders.joined(separator: ", "))"])
  }

  /// The presets and properties of a plugin.
  package func state(of uri: String) -> PluginStateReport { PluginStateReport(uri, in: world) }

  /// A bundle that is skipped, with the reason.
  package struct SkippedBundle: Sendable {
    package let sentence: String
    package let json: JSONOutput

    init(_ bundle: LV2SkippedBundle) {
      sentence = bundle.sentence
      json = .members([
        "uri": .null, "bundle": .string(bundle.bundle), "canHost": .bool(false),
        "refusal": .string("the bundle is skipped: \(bundle.problem)"),
      ])
    }
  }

  package func skippedBundles() -> [SkippedBundle] {
    world.skippedBundles().map(SkippedBundle.init)
  }

  /// The skipped bundles that mention a plugin.
  package func skippedBundles(mentioning uri: String) -> [SkippedBundle] {
    world.skippedBundles(mentioning: uri).map(SkippedBundle.init)
  }
}
