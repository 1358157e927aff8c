import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Lists the installed plugins, all or a selection.
struct PluginsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the installed plugins: channels, class, name and URI (the default).",
    discussion: "Several filters narrow the list down together; letters' case does not count.")

  @Argument(
    help:
      "Words of the plugin's name, class, author or URI, in any order, the best match first; or a URI, to show one."
  )
  var query: [String] = []

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Only this LV2 class: Reverb, Compressor, …", valueName: "class"),
    completion: .words(.pluginClasses))
  var className: String?

  @Option(help: ArgumentHelp("Only names with these words.", valueName: "words"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Only plugins with this many audio inputs and outputs, side-chains counted: 2-2.",
      valueName: "in-out"))
  var channels: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only plugins with this many audio inputs.", valueName: "count"))
  var inputs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only plugins with this many audio outputs.", valueName: "count"))
  var outputs: Int?

  @Option(
    help: ArgumentHelp(
      "Only plugins that require or support a feature: its URI or the end of it.",
      valueName: "feature"))
  var feature: String?

  @Flag(help: "Only effects: plugins with audio inputs and outputs.")
  var effects = false

  @Flag(help: "Only instruments: plugins that play notes.")
  var instruments = false

  @Flag(help: "Only plugins that fxrun can use.")
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

  /// The query, if it is a single word that is a plugin's URI or cannot be anything else.
  private func names(_ plugins: InstalledPlugins) -> String? {
    guard query.count == 1, let word = query.first, word.contains(":") else { return nil }
    let isURI = word.contains("://") || word.lowercased().hasPrefix("urn:")
    return isURI || plugins.contains(word) ? word : nil
  }

  func run() throws {
    let installed = InstalledPlugins.shared
    if let uri = names(installed) { return try PluginsCommand.show(uri, asJSON: json) }
    let filter = try filter()
    let plugins = installed.all()
    let skipped = installed.skippedBundles()
    PluginsCommand.warn(of: skipped)
    let reports = PluginSearch(query).found(in: plugins.filter(filter.fits))
    PluginsCommand.warn(ofCopiesIn: reports)
    if json {
      let unread = usable ? [] : skipped.map(\.json)
      Output.json(.array(reports.map(\.json) + unread))
      return
    }
    guard reports.isEmpty else { return Output.line(PluginReport.list(reports)) }
    let isFiltered = RawArguments.given.count > 1
    Output.error(
      "no plugin\(isFiltered ? " matches" : ""); searched: "
        + ForeignText.visible(installed.searchFolders.joined(separator: ", "))
        + classHint(plugins))
  }

  /// A suggestion for a class that no plugin has.
  private func classHint(_ plugins: [PluginReport]) -> String {
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

  /// Reads `2-2`, also in the notation of the list.
  private func channelWidths() throws -> (inputs: Int?, outputs: Int?) {
    guard let channels else { return (inputs, outputs) }
    let parts = channels.split { "-→x/:".contains($0) }.compactMap { Int($0) }
    guard parts.count == 2 else {
      throw FailureReport.report(
        ChainFailure(
          .request, code: .usage,
          "--channels takes inputs and outputs, as in 1-2, not '\(channels)'"), asJSON: json)
    }
    return (inputs ?? parts[0], outputs ?? parts[1])
  }

  private func filter() throws -> PluginFilter {
    let width = try channelWidths()
    var filter = PluginFilter()
    filter.className = className
    filter.name = name
    (filter.inputs, filter.outputs) = width
    filter.feature = feature
    filter.isEffect = effects
    filter.isInstrument = instruments
    filter.isUsable = usable
    return filter
  }
}
