package import FxAudio
import Glibc
import Synchronization

/// The installed LV2 plugins: finds, describes and makes them.
///
/// Making an `LV2World` is cheap. A plugin requested by its URI is read only from the bundles that
/// mention it. All bundles are read for lists, and when no bundle mentions the URI.
package final class LV2World: Sendable {
  private let selector: LV2BundleSelector
  private let catalog: Mutex<LV2Catalog>
  /// Presets and saved states of the same search path.
  let states: LV2StateStore
  let log: LV2LogHandler
  private let isolation: IsolationSettings

  /// Plugins from `searchPath` (folders separated by colons), by default from `LV2_PATH` or the
  /// default folders.
  ///
  /// `log` receives the plugins' log messages; by default they go to standard error, where those of
  /// isolated plugins always go. `isolation` has the settings of isolated plugins.
  package init(
    searchPath: String? = nil, isolation: IsolationSettings = .standard,
    log: @escaping LV2LogHandler = LV2LogLine.writeToStandardError
  ) {
    let selector = LV2BundleSelector(
      searchPath: LV2SearchPath(searchPath), gate: LV2BundleGate(host: isolation.host))
    self.selector = selector
    states = LV2StateStore(selector)
    self.log = log
    self.isolation = isolation
    catalog = Mutex(LV2Catalog(selector))
    // Plugins that open windows abort their host on a machine without a display.
    if getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil {
      setenv("QT_QPA_PLATFORM", "offscreen", 0)
    }
  }

  /// The plugin with a URI; nil when it is not installed, an error when it cannot be hosted.
  package func plugin(uri: String) throws(Failure) -> UnitType? {
    guard let description = describe(uri: uri) else {
      guard let skipped = skippedBundles(mentioning: uri).first else { return nil }
      throw Failure(.unreadable, skipped.sentence)
    }
    if let refusal = description.refusal { throw refusal }
    let plugin = LV2Plugin(description: description, states: states, log: log)
    let isolated = IsolatedPlugin(
      description: description, spec: plugin.spec, searchPath: searchPath.text, settings: isolation,
      log: log)
    return UnitType(spec: plugin.spec) { preparation throws(Failure) in
      preparation.setup.isIsolated
        ? try isolated.make(preparation) : try plugin.make(preparation)
    }
  }

  /// Every installed plugin, sorted by URI.
  package func list() -> [LV2Description] { catalog.withLock { $0.all() } }

  /// The description of a plugin; nil when it is not installed.
  package func describe(uri: String) -> LV2Description? {
    catalog.withLock { $0.description(of: uri) }
  }

  /// The skipped bundles of the search path.
  package func skippedBundles() -> [LV2SkippedBundle] {
    selector.gate.skipped(searchPath.bundles())
  }

  /// The skipped bundles that mention a plugin.
  package func skippedBundles(mentioning uri: String) -> [LV2SkippedBundle] {
    selector.skipped(mentioning: uri)
  }

  /// The installed URIs that are most similar to a URI that is not installed; best first.
  package func nearest(to uri: String, limit: Int) -> [String] {
    URIDistance.nearest(to: uri, among: catalog.withLock { $0.uris() }, limit: limit)
  }

  /// The Debian package to install for a missing plugin; nil where none is known.
  package func missingPackage(of uri: String) -> String? {
    PluginPackages.missingPackage(of: uri, installed: catalog.withLock { $0.uris() })
  }

  /// The latency in frames that isolation adds.
  package static func isolationLatency(blockSize: Int) -> Int { LV2Features.blockLength(blockSize) }

  private var searchPath: LV2SearchPath { selector.searchPath }
  package var searchFolders: [String] { searchPath.folders }
  package var pluginCount: Int { catalog.withLock { $0.uris().count } }
}
