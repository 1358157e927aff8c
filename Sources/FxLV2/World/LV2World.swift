package import FxAudio
import Glibc
import Synchronization

/// The LV2 plugins that are installed: finds, describes and makes them.
///
/// Making one is cheap. A plugin that is asked for by its URI is read from the bundles that name it
/// alone; all bundles are read when there is no such bundle, and for lists.
package final class LV2World: Sendable {
  private let searchPath: LV2SearchPath
  private let gate: LV2BundleGate
  private let catalog: Mutex<LV2Catalog>
  /// Presets and saved states of the same search path.
  let states: LV2StateStore
  let log: LV2LogHandler
  private let isolation: IsolationSettings

  /// Plugins from `searchPath` (folders with colons between them), by default from `LV2_PATH` or
  /// the customary folders.
  ///
  /// `log` receives what plugins log; by default it goes to standard error, where it always goes when
  /// they have a process of their own. `isolation` is how they have it.
  package init(
    searchPath: String? = nil, isolation: IsolationSettings = .standard,
    log: @escaping LV2LogHandler = LV2LogLine.writeToStandardError
  ) {
    let searchPath = LV2SearchPath(searchPath)
    self.searchPath = searchPath
    let gate = LV2BundleGate(host: isolation.host)
    self.gate = gate
    states = LV2StateStore(searchPath: searchPath, gate: gate)
    self.log = log
    self.isolation = isolation
    catalog = Mutex(LV2Catalog(searchPath: searchPath, gate: gate))
    // Plugins that open windows abort their host where there is no display.
    if getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil {
      setenv("QT_QPA_PLATFORM", "offscreen", 0)
    }
  }

  /// The plugin of a URI; nil when it is not installed, an error when it cannot be hosted.
  package func plugin(uri: String) throws(UnitError) -> UnitType? {
    guard let description = describe(uri: uri) else {
      guard let skipped = skippedBundles(mentioning: uri).first else { return nil }
      throw UnitError(.fileUnreadable, skipped.sentence)
    }
    if let refusal = description.refusal { throw refusal }
    let plugin = LV2Plugin(description: description, states: states, log: log)
    let isolated = IsolatedPlugin(
      description: description, spec: plugin.spec, searchPath: searchPath.text, settings: isolation,
      log: log)
    return UnitType(spec: plugin.spec) { preparation throws(UnitError) in
      preparation.setup.isIsolated
        ? try isolated.make(preparation) : try plugin.make(preparation)
    }
  }

  /// Every installed plugin, in the order of their URIs.
  package func list() -> [LV2Description] { catalog.withLock { $0.all() } }

  /// What a plugin says of itself; nil when it is not installed.
  package func describe(uri: String) -> LV2Description? {
    catalog.withLock { $0.description(of: uri) }
  }

  /// The bundles of the search path that are not read.
  package func skippedBundles() -> [LV2SkippedBundle] { gate.skipped(searchPath.bundles()) }

  /// The same of those that mention a plugin.
  package func skippedBundles(mentioning uri: String) -> [LV2SkippedBundle] {
    gate.skipped(searchPath.bundles(mentioning: uri))
  }

  /// Installed URIs that look most like one that is not, best first.
  package func nearest(to uri: String, limit: Int) -> [String] {
    URIDistance.nearest(to: uri, among: catalog.withLock { $0.uris() }, limit: limit)
  }

  /// The Debian package that a plugin comes with which is not installed; nil where none is known.
  package func missingPackage(of uri: String) -> String? {
    PluginPackages.missingPackage(of: uri, installed: catalog.withLock { $0.uris() })
  }

  /// Frames by which a plugin with a process of its own is later than without.
  package static func isolationLatency(blockSize: Int) -> Int { LV2Features.blockLength(blockSize) }

  package var searchFolders: [String] { searchPath.folders }
  package var pluginCount: Int { catalog.withLock { $0.uris().count } }
}
