import ArgumentParser
import FxChain
import FxKit
import FxLV2

/// The installed LV2 plugins, or all about one.
struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List the installed LV2 plugins, or show everything about one.",
    discussion: "Plugins are searched in LV2_PATH, or in ~/.lv2 and the system's lv2 folders.")

  @Argument(help: "A plugin's URI, or words that its line in the list contains.")
  var query: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let world = UnitLibrary.shared.plugins
    let words = query.first == "show" ? Array(query.dropFirst()) : query
    if words.count == 1, words[0].contains(":") {
      guard let plugin = world.describe(uri: words[0]) else {
        throw FailureReport.report(missing(words[0], world), asJSON: json)
      }
      let report = PluginReport(plugin: plugin)
      let state = PluginStateReport(plugin.uri, in: world)
      if json {
        Output.json(report.json.with(state.members))
      } else {
        Output.line(report.text)
        if !state.text.isEmpty { Output.line(state.text) }
      }
      return
    }
    let reports = world.list().map(PluginReport.init).filter { report in
      words.allSatisfy { report.line.lowercased().contains($0.lowercased()) }
    }
    if json {
      Output.json(.array(reports.map(\.json)))
      return
    }
    for report in reports { Output.line(report.line) }
    if reports.isEmpty {
      Output.error(
        "no plugin\(words.isEmpty ? "" : " matches \(words.joined(separator: " "))"); searched: "
          + world.searchFolders.joined(separator: ", "))
    }
  }

  private func missing(_ uri: String, _ world: LV2World) -> ChainFailure {
    let near = world.nearest(to: uri, limit: 3)
    return ChainFailure(
      .plugin, code: "missing-plugin",
      "no LV2 plugin '\(uri)' is installed"
        + (near.isEmpty ? "" : "\n  nearest: \(near.joined(separator: "\n           "))")
        + "\n  searched: \(world.searchFolders.joined(separator: ", "))")
  }
}
