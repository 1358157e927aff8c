import ArgumentParser
import FxAudio
import FxKit

/// The chain file and its variables, the same for every command.
struct ChainArguments: ParsableArguments {
  @Argument(
    help:
      "The chain file, the name of an installed chain (fxrun chains), or none for a chain that changes nothing.",
    completion: .words(.chains))
  var chain: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give one of the chain's variables a value; may be repeated.", valueName: "name=value"),
    completion: .words(.variables))
  var define: [String] = []

  func load() throws(ChainFailure) -> Chain {
    try Self.load(chain, variables: Pair.dictionary(define, option: "--define"))
  }

  static func load(
    _ file: String, variables: [String: String] = [:]
  ) throws(ChainFailure) -> Chain {
    if let mistake = PluginHosting.mistake {
      throw ChainFailure(.request, code: .usage, mistake)
    }
    return try Chain(named: file, variables: variables)
  }
}

/// `name=value` on the command line.
enum Pair {
  static func split(_ text: String, option: String) throws(ChainFailure) -> (String, String) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw ChainFailure(
        .request, code: .usage, "\(option) takes name=value, not '\(text)'")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  static func dictionary(
    _ texts: [String], option: String
  ) throws(ChainFailure) -> [String: String] {
    var pairs: [String: String] = [:]
    for text in texts {
      let (name, value) = try split(text, option: option)
      guard pairs.updateValue(value, forKey: name) == nil else {
        throw ChainFailure(.request, code: .usage, "\(option) names '\(name)' twice")
      }
    }
    return pairs
  }
}
