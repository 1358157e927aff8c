import FxAudio
import FxLV2

/// An installed LV2 plugin.
public struct PluginInfo: Sendable, Hashable, Codable {
  /// What happened when a plugin was tried.
  public struct Probe: Sendable, Hashable, Codable {
    /// The outcome.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
      /// It ran, and its output has sound.
      case ok
      /// It ran, but its output is silent although its input is noise.
      case silent
      /// Its output has samples that are no numbers.
      case nonFinite
      /// It requires what fxrun does not have.
      case refused
      /// It could not be made.
      case failed
      case crashed
      /// It exceeded the time limit.
      case hung
    }

    public let outcome: Outcome
    /// The reason, where there is one.
    public let detail: String?
  }

  /// The name in a chain: `{ "lv2": URI }`.
  public let uri: String
  public let name: String
  /// The last part of its LV2 class: `Compressor`; `Plugin` where it has none.
  public let className: String
  public let author: String?
  /// The bundle's folder.
  public let bundle: String
  /// Audio inputs and outputs, side-chains counted.
  public let inputCount: Int
  public let outputCount: Int
  /// It plays MIDI.
  public let isInstrument: Bool
  /// The reason why fxrun cannot use it; nil if it can.
  public let refusal: String?
  /// Its parameters, by the symbols of their ports.
  public let parameters: [ParameterInfo]
  /// The names of its presets.
  public let presets: [String]
  /// The result of the last probe; nil for a plugin that was not probed since it changed.
  public let lastProbe: Probe?

  /// All installed plugins, sorted by URI. Reads the descriptions of every plugin, which takes a
  /// second for some hundred plugins; none is loaded.
  public static func all() -> [PluginInfo] { InstalledPlugins.shared.all().map(PluginInfo.init) }

  /// A plugin by its URI.
  ///
  /// - Throws: `ChainFailure` of kind `plugin` if it is not installed; it names similar ones.
  public init(uri: String) throws(ChainFailure) {
    self.init(try InstalledPlugins.shared.plugin(uri))
  }

  /// Tries plugins in processes of their own: makes each one, lets it process noise, and ends it.
  ///
  /// Blocks until all have been tried. The results are kept for the next time.
  ///
  /// - Parameters:
  ///   - plugins: the plugins to try.
  ///   - timeout: seconds for each plugin.
  /// - Returns: the plugins with their new `lastProbe`, in their order.
  /// - Throws: `ChainFailure` of kind `plugin` for a plugin that is not installed any more.
  public static func probe(
    _ plugins: [PluginInfo], timeout: Double = 20
  ) throws(ChainFailure) -> [PluginInfo] {
    var reports: [PluginReport] = []
    for plugin in plugins { reports.append(try InstalledPlugins.shared.plugin(plugin.uri)) }
    var trials = PluginTrials()
    trials.timeout = timeout
    trials.refreshes = true
    _ = trials.run(reports) { _, _, _ in }
    var probed: [PluginInfo] = []
    for plugin in plugins { probed.append(try PluginInfo(uri: plugin.uri)) }
    return probed
  }

  init(_ report: PluginReport) {
    let plugin = report.plugin
    uri = plugin.uri
    name = plugin.name
    className = plugin.className
    author = plugin.author
    bundle = plugin.bundle
    inputCount = plugin.audioInputCount
    outputCount = plugin.audioOutputCount
    isInstrument = plugin.isInstrument
    refusal = plugin.refusal?.message
    parameters = plugin.shownParameters.map { ParameterInfo($0.spec) }
    presets = UnitLibrary.shared.presets(ofPlugin: plugin.uri).map(\.label)
    lastProbe = report.verdict.flatMap { verdict in
      Probe.Outcome(rawValue: verdict.outcome.rawValue).map {
        Probe(outcome: $0, detail: verdict.detail)
      }
    }
  }
}
