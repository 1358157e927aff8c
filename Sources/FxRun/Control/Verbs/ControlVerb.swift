import ArgumentParser
import FxChain
import FxKit

/// A request to a playing chain: its words, its object, and the text of its answer. A new request
/// is a type like this and a line in `ControlVerbs`. The socket, the help, the completion and
/// docs/control.md are made from it.
protocol ControlVerb: ParsableCommand {
  /// The first word, and the key of the object.
  static var verb: String { get }
  /// The arguments in words: `NAME VALUE [SECONDS]`.
  static var arguments: String { get }
  /// A short description for the help.
  static var summary: String { get }
  /// Sentences for the documentation.
  static var details: String { get }
  /// The object's keys besides the verb's.
  static var keys: [String] { get }
  /// Examples of objects with remarks on their answers, for the documentation.
  static var objects: KeyValuePairs<String, String> { get }
  /// True for a request whose answer has no time limit.
  static var isPatient: Bool { get }

  /// Reads the object.
  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb

  /// The object for the words.
  var object: JSONOutput { get }

  /// The answer in words; empty if there is nothing to print.
  func text(_ answer: JSONValue) -> String
}

extension ControlVerb {
  static var arguments: String { "" }
  static var keys: [String] { [] }
  static var isPatient: Bool { false }

  /// The words of a request.
  static var usage: String { arguments.isEmpty ? verb : "\(verb) \(arguments)" }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: verb, abstract: summary,
      usage: "fxrun control PERFORMANCE \(usage)", discussion: details)
  }

  /// Reads a request that consists of its verb only.
  static func bare(
    _ request: LiveRequest, _ members: ControlRequest.Members
  ) throws(ChainFailure) -> ControlRequest.Verb {
    try members.expectTrue(verb)
    return .live(request)
  }

  var object: JSONOutput { .members([Self.verb: .bool(true)]) }

  func text(_ answer: JSONValue) -> String { "" }
}

/// The requests, in the order of the help.
enum ControlVerbs {
  static var all: [any ControlVerb.Type] {
    [
      GetVerb.self, SetVerb.self, BypassVerb.self, MuteVerb.self, SoloVerb.self, SceneVerb.self,
      MIDIVerb.self, LearnVerb.self, LoadVerb.self, PauseVerb.self, ResumeVerb.self,
      SeekVerb.self, SkipVerb.self, LoopVerb.self, VolumeVerb.self, RestVerb.self, ABVerb.self,
      TempoVerb.self, TapVerb.self, PlayVerb.self, RemoveVerb.self, PlayersVerb.self,
      RecordVerb.self,
      TransportVerb.self, StatusVerb.self, MetersVerb.self, ListVerb.self, WatchVerb.self,
      StopVerb.self,
    ]
  }

  static var names: [String] { all.map { $0.verb } }

  static func named(_ name: String) -> (any ControlVerb.Type)? {
    all.first { $0.verb == name }
  }

  /// One line for each request.
  static var help: String {
    all.map { "\($0.usage.padded(to: 25)) \($0.summary)" }.joined(separator: "\n")
  }

  // MARK: Tables of docs/control.md

  static var wordTable: String {
    table(["request", ""], all.map { ["`\(escaped($0.usage))`", $0.details] })
  }

  static var objectTable: String {
    table(
      ["request", "answer"],
      all.flatMap { verb in verb.objects.map { [$0.key, $0.value] } })
  }

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String {
      "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
    let lines = [line(head), "|" + head.map { _ in "---|" }.joined()] + rows.map(line)
    return lines.joined(separator: "\n") + "\n"
  }
}
