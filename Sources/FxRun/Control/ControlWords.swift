import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// A request in words, as on the command line: `set comp.threshold -20dB`.
struct ControlWords {
  private let verb: any ControlVerb

  /// The request as an object for one line.
  var request: JSONOutput { verb.object }

  /// True for a request whose answer has no time limit.
  var isPatient: Bool { type(of: verb).isPatient }

  init(_ words: [String]) throws(ChainFailure) {
    guard let first = words.first else { throw Self.usage("nothing is asked") }
    guard let type = ControlVerbs.named(first) else {
      let hint = Suggestion.hint(for: first, in: ControlVerbs.names).first
      throw Self.usage("there is no '\(first)'" + (hint.map { "; \($0)" } ?? ""))
    }
    do {
      // Values may begin with a minus sign.
      verb = try type.parse(["--"] + words.dropFirst())
    } catch {
      throw ChainFailure(
        .request, code: .usage, "\(type.verb): \(type.message(for: error))",
        hints: ["it is '\(type.usage)', not '\(words.joined(separator: " "))'"])
    }
  }

  /// The help text if the words ask for it, otherwise nil.
  static func help(_ words: [String]) -> String? {
    let asks = words.contains { ["--help", "-h"].contains($0) }
    if let first = words.first, let type = ControlVerbs.named(first) {
      return asks ? type.helpMessage() : nil
    }
    return words.first == "help" ? ControlVerbs.named(words.last ?? "")?.helpMessage() : nil
  }

  private static func usage(_ message: String) -> ChainFailure {
    let help = ControlVerbs.help.split(separator: "\n").map(String.init)
    return ChainFailure(.request, code: .usage, message, hints: [""] + help)
  }

  /// An answer as text; empty if there is nothing to print.
  func text(_ answer: JSONValue) -> String { verb.text(answer) }
}

/// A time in seconds as a number.
struct SecondsArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = Double(argument), seconds.isFinite else { return nil }
    self.seconds = seconds
  }
}
