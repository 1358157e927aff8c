import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Words that only the chain, the system or a performance knows. An argument declares them:
/// `completion: .words(.nodes)`.
enum CompletionWords: String {
  /// Devices that play, and devices that record.
  case players, recorders
  /// An installed chain, or a chain file.
  case chains
  case plugins, pluginClasses
  /// The names of a unit, or a chain file.
  case plotted
  /// The parameters and options of the plotted unit or plugin, each with `=`.
  case plottedValues
  /// Names in the chain of the command line; those that end with `=` need a value.
  case nodes, nodeFiles, scenes, variables, inputFiles, outputFiles, values
  /// The performances, and the requests to one.
  case performances, requests
  /// Names in the chain that a performance plays.
  case playedParameters, learnedParameters, playedNodes, playedGains, playedScenes
}

extension CompletionKind {
  /// The kind is only a mark in the description of the commands: `CompletionScript` has the scripts.
  static func words(_ words: CompletionWords) -> CompletionKind { .shellCommand(words.rawValue) }
}

/// A possible word, with a sentence about it.
struct CompletionWord {
  var text: String
  var sentence = ""
  /// A file name follows the word.
  var takesFile = false
}

extension CompletionWords {
  /// What a list of words depends on: the words before the cursor.
  struct Context {
    /// The positional arguments.
    var places: [String] = []
    /// The values of `--define`.
    var definitions: [String] = []
    /// The performance that a request is for.
    var performance: String?

    /// The names in the chain, which is the first argument.
    var names: ChainNames? {
      guard let path = places.first, path.hasSuffix(".json") else { return nil }
      return Self.names(path, definitions)
    }

    /// The names in the chain that the performance plays.
    var playedNames: ChainNames? {
      answer(.members(["status": .bool(true)]))?["status"]?["chain"]?.string
        .flatMap { Self.names($0, []) }
    }

    /// The parameters of the performance.
    var playedParameters: [String] {
      let list = answer(.members(["list": .string("parameters")]))?["parameters"]
      return list?.elements.compactMap { $0["name"]?.string } ?? []
    }

    private static func names(_ path: String, _ definitions: [String]) -> ChainNames? {
      let pairs = (try? Pair.dictionary(definitions, option: "--define")) ?? [:]
      return (try? Chain(contentsOfFile: path, variables: pairs)).map(ChainNames.init)
    }

    private func answer(_ request: JSONOutput) -> JSONValue? {
      performance.flatMap { try? ControlAddress($0) }?.answer(to: request)
    }
  }

  /// The words that begin with `start`.
  func list(_ start: String, in context: Context) -> [CompletionWord] {
    all(start, in: context).filter { $0.text.hasPrefix(start) || start.hasPrefix($0.text) }
  }

  private func all(_ start: String, in context: Context) -> [CompletionWord] {
    func plain(_ names: [String]?) -> [CompletionWord] { (names ?? []).map { .init(text: $0) } }
    func files(_ names: [String]?) -> [CompletionWord] {
      (names ?? []).map { .init(text: "\($0)=", takesFile: true) }
    }
    switch self {
    case .players: return DeviceReport.names(recording: false).map { .init(text: $0, sentence: $1) }
    case .recorders:
      return DeviceReport.names(recording: true).map { .init(text: $0, sentence: $1) }
    case .chains:
      return plain(ShippedChains.installed.names) + [
        CompletionWord(text: "none", sentence: "A chain that changes nothing.")
      ]
    case .plugins:
      return InstalledPlugins.shared.all().map { CompletionWord(text: $0.uri, sentence: $0.name) }
    case .pluginClasses:
      return plain(Set(InstalledPlugins.shared.all().map(\.className)).sorted())
    case .plotted: return plain(UnitLibrary.shared.unitNames)
    case .plottedValues:
      let spec = context.places.first.flatMap { UnitLibrary.shared.unit(named: $0)?.spec }
      return Self.values(spec.map(ChainNames.values) ?? [], start)
    case .nodes: return plain(context.names?.nodes)
    case .nodeFiles: return files(context.names?.nodes)
    case .scenes: return plain(context.names?.scenes)
    case .variables: return plain(context.names?.variables.map { "\($0)=" })
    case .inputFiles: return files(context.names?.inputs)
    case .outputFiles: return files(context.names?.outputs)
    case .values: return Self.values(context.names?.parameters ?? [], start)
    case .performances: return plain(ControlAddress.names)
    case .requests:
      return ControlVerbs.all.map { CompletionWord(text: $0.verb, sentence: $0.summary) }
    case .playedParameters: return plain(context.playedParameters)
    case .learnedParameters: return plain(["off"] + context.playedParameters)
    case .playedNodes:
      return plain(
        context.playedParameters.filter { $0.hasSuffix(".bypass") }
          .map { String($0.dropLast(".bypass".count)) })
    case .playedGains:
      return plain(
        context.playedParameters.filter { $0.hasSuffix(".gain") }
          .map { String($0.dropLast(".gain".count)) })
    case .playedScenes: return plain(context.playedNames?.scenes)
    }
  }

  /// `name=` of each parameter; after the sign, its words.
  private static func values(
    _ parameters: [(name: String, words: [String])], _ start: String
  ) -> [CompletionWord] {
    guard let sign = start.firstIndex(of: "=") else {
      return parameters.map { CompletionWord(text: "\($0.name)=") }
    }
    let name = start[..<sign]
    return parameters.filter { $0.name == name }.flatMap { parameter in
      parameter.words.map { CompletionWord(text: "\(parameter.name)=\($0)") }
    }
  }
}
