import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Lists, shows and probes the installed LV2 plugins.
struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List the installed LV2 plugins, show everything about one, or test them.",
    discussion: """
      fxrun plugins reverb lists those with the word in them; fxrun plugins URI shows one.

      Plugins are searched in LV2_PATH, or in ~/.lv2 and the system's lv2 folders.
      """,
    subcommands: [PluginsListCommand.self, PluginsShowCommand.self, PluginsProbeCommand.self],
    defaultSubcommand: PluginsListCommand.self)

  /// Reports the bundles that could not be read, one per line on standard error.
  static func warn(of skipped: [InstalledPlugins.SkippedBundle]) {
    for bundle in skipped { Output.error("warning: \(bundle.sentence)") }
  }

  /// Reports plugins that several bundles contain, one per line on standard error.
  static func warn(ofCopiesIn plugins: [PluginReport]) {
    for copies in plugins.compactMap(\.copies) {
      Output.error("warning: \(ForeignText.visible(copies))")
    }
  }

  static func show(_ uri: String, asJSON: Bool) throws {
    let plugins = InstalledPlugins.shared
    let report: PluginReport
    do throws(ChainFailure) {
      report = try plugins.plugin(uri)
    } catch {
      throw FailureReport.report(error, asJSON: asJSON)
    }
    let state = plugins.state(of: uri)
    let skipped = plugins.skippedBundles(mentioning: uri)
    warn(of: skipped)
    warn(ofCopiesIn: [report])
    if asJSON {
      Output.json(
        report.json.with(state.members)
          .with(
            skipped.isEmpty
              ? [] : [JSONOutput.Member("skippedBundles", .array(skipped.map(\.json)))]))
    } else {
      Output.line(report.text)
      if !state.text.isEmpty { Output.line(state.text) }
    }
  }
}

/// Shows everything about one plugin.
struct PluginsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a plugin: its ports, ranges, choices and features, and whether it can be used.")

  @Argument(help: "The plugin's URI.", completion: .words(.plugins))
  var uri: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws { try PluginsCommand.show(uri, asJSON: json) }
}
