import FxDiagnostics
import ArgumentParser
import FxAudio
import FxKit
import FxLV2

/// The installed plugins, all of them or those that fit.
struct PluginsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the installed plugins: channels, class, name and URI (the default).",
    discussion: "Several filters narrow the list down together; letters' case does not count.")

  @Argument(help: "Words that the plugin's line in the list contains; or a URI, to show one.")
  var query: [String] = []

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Only this LV2 class: Reverb, Compressor, …", valueName: "class"))
  var className: String?

  @Option(help: ArgumentHelp("Only names with these words.", valueName: "words"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Only so many audio inputs and outputs, side-chains counted: 2-2.", valueName: "in-out"))
  var channels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only so many audio inputs.", valueName: "count"))
  var inputs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only so many audio outputs.", valueName: "count"))
  var outputs: Int?

  @Option(
    help: ArgumentHelp(
      "Only those that require or know a feature: its URI or the end of it.", valueName: "feature"))
  var feature: String?

  @Flag(help: "Only what has audio inputs and outputs.")
  var effects = false

  @Flag(help: "Only what makes sound of notes.")
  var instruments = false

  @Flag(help: "Only what fxrun can use.")
  var usable = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    for (option, text) in [("--class", className), ("--name", name), ("--feature", feature)]
    where text?.isEmpty == true {
      throw ValidationError("\(option) is empty")
    }
    for (option, count) in [("--inputs", inputs), ("--outputs", outputs)] {
      if let count, count < 0 {
        throw ValidationError("\(option) is 0 or more channels, not \(count)")
      }
    }
  }

  /// One word that is a plugin's URI, or that can be nothing else.
  private func names(_ world: LV2World) -> String? {
    guard query.count == 1, let word = query.first, word.contains(":") else { return nil }
    let isURI = word.contains("://") || word.lowercased().hasPrefix("urn:")
    return isURI || world.describe(uri: word) != nil ? word : nil
  }

  func run() throws {
    let world = UnitLibrary.shared.plugins
    if let uri = names(world) { return try PluginsCommand.show(uri, asJSON: json) }
    let width = try channelWidths()
    let cache = VerdictCache()
    let plugins = world.list()
    let skipped = world.skippedBundles()
    PluginsCommand.warn(of: skipped)
    let reports = plugins.filter { fits($0, width) }.map {
      PluginReport(plugin: $0, verdict: cache[$0])
    }
    if json {
      let unread = usable ? [] : skipped.map(PluginReport.json)
      Output.json(.array(reports.map(\.json) + unread))
      return
    }
    guard reports.isEmpty else { return Output.line(PluginReport.list(reports)) }
    let isFiltered = CommandLine.arguments.count > 2
    Output.error(
      "no plugin\(isFiltered ? " matches" : ""); searched: "
        + ForeignText.visible(world.searchFolders.joined(separator: ", ")) + classHint(plugins))
  }

  /// What a class that no plugin has could be.
  private func classHint(_ plugins: [LV2Description]) -> String {
    let classes = Set(plugins.map(\.className)).sorted()
    guard let className, !plugins.isEmpty,
      !classes.contains(where: { $0.lowercased() == className.lowercased() })
    else { return "" }
    let hint = Suggestion.hint(for: className, in: classes)
    let words = "no plugin is of the class '\(className)'; "
    let others =
      hint.isEmpty ? "there are: \(classes.joined(separator: ", "))" : hint.joined(separator: "; ")
    return "\n  " + ForeignText.visible(words + others)
  }

  /// `2-2`, also as the list prints it.
  private func channelWidths() throws -> (inputs: Int?, outputs: Int?) {
    guard let channels else { return (inputs, outputs) }
    let parts = channels.split { "-→x/:".contains($0) }.compactMap { Int($0) }
    guard parts.count == 2 else {
      throw FailureReport.report(
        ChainFailure(
          .request, code: "usage",
          "--channels takes inputs and outputs, as in 1-2, not '\(channels)'"), asJSON: json)
    }
    return (inputs ?? parts[0], outputs ?? parts[1])
  }

  private func fits(_ plugin: LV2Description, _ width: (inputs: Int?, outputs: Int?)) -> Bool {
    let (inputs, outputs) = (plugin.audioInputCount, plugin.audioOutputCount)
    if let wanted = width.inputs, inputs != wanted { return false }
    if let wanted = width.outputs, outputs != wanted { return false }
    if effects, inputs == 0 || outputs == 0 { return false }
    if instruments, !plugin.isInstrument { return false }
    if usable, !plugin.canHost { return false }
    if let className, plugin.className.lowercased() != className.lowercased() { return false }
    if let feature {
      let known = plugin.requiredFeatures + plugin.optionalFeatures
      guard known.contains(where: { $0.lowercased().hasSuffix(feature.lowercased()) }) else {
        return false
      }
    }
    let text = PluginReport(plugin: plugin).searchText.lowercased()
    let title = plugin.name.lowercased()
    return query.allSatisfy { text.contains($0.lowercased()) }
      && (name ?? "").split(separator: " ").allSatisfy { title.contains($0.lowercased()) }
  }
}

extension LV2Description {
  /// Makes sound without audio coming in, of events or by its class.
  var isInstrument: Bool {
    guard audioInputCount == 0, audioOutputCount > 0 else { return false }
    return className == "Instrument"
      || ports.contains { port in
        if case .atom = port.kind { port.isInput } else { false }
      }
  }
}
