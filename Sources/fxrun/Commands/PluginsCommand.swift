import FxDiagnostics
import ArgumentParser
import FxKit
import FxLV2

/// The installed LV2 plugins: which there are, what one is, whether they run.
struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List the installed LV2 plugins, show everything about one, or try them out.",
    discussion: """
      fxrun plugins reverb lists those with the word in them; fxrun plugins URI shows one.

      Plugins are searched in LV2_PATH, or in ~/.lv2 and the system's lv2 folders.
      """,
    subcommands: [PluginsListCommand.self, PluginsShowCommand.self, PluginsProbeCommand.self],
    defaultSubcommand: PluginsListCommand.self)

  /// A plugin by its URI, or the failure that names what is near.
  static func plugin(_ uri: String, in world: LV2World) throws(ChainFailure) -> LV2Description {
    if let plugin = world.describe(uri: uri) { return plugin }
    if let skipped = world.skippedBundles(mentioning: uri).first {
      throw ChainFailure(
        .plugin, code: "unusable-plugin",
        "the LV2 plugin '\(uri)' cannot be used: \(skipped.sentence)")
    }
    let near = world.nearest(to: uri, limit: 3)
    throw ChainFailure(
      .plugin, code: "missing-plugin",
      "no LV2 plugin '\(uri)' is installed",
      hints: near.enumerated().map { ($0.offset == 0 ? "nearest: " : "         ") + $0.element }
        + ["searched: \(world.searchFolders.joined(separator: ", "))"])
  }

  /// Names the bundles that are not read, a line each on standard error.
  static func warn(of skipped: [LV2SkippedBundle]) {
    for bundle in skipped { Output.error("warning: \(bundle.sentence)") }
  }

  static func show(_ uri: String, asJSON: Bool) throws {
    let world = UnitLibrary.shared.plugins
    let plugin: LV2Description
    do throws(ChainFailure) {
      plugin = try Self.plugin(uri, in: world)
    } catch {
      throw FailureReport.report(error, asJSON: asJSON)
    }
    let report = PluginReport(plugin: plugin, verdict: VerdictCache()[plugin])
    let state = PluginStateReport(uri, in: world)
    let skipped = world.skippedBundles(mentioning: uri)
    warn(of: skipped)
    if asJSON {
      Output.json(
        report.json.with(state.members)
          .with(
            skipped.isEmpty
              ? [] : [JSONOutput.Member("skippedBundles", .array(skipped.map(PluginReport.json)))]))
    } else {
      Output.line(report.text)
      if !state.text.isEmpty { Output.line(state.text) }
    }
  }
}

/// Everything about one plugin.
struct PluginsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a plugin: its ports, ranges, choices and features, and whether it can be used.")

  @Argument(help: "The plugin's URI.")
  var uri: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws { try PluginsCommand.show(uri, asJSON: json) }
}
