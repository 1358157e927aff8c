import ArgumentParser
import FxDiagnostics
import FxKit

/// A request to a chain that plays: how it is written in words and as an object, and how its answer is
/// shown. A new one is a type like this and a line in `ControlVerbs`; the socket, the help, the
/// completion and docs/control.md have it from there.
protocol ControlVerb: ParsableCommand {
  /// The first word, and the key of the object.
  static var verb: String { get }
  /// What follows in words: `NAME VALUE [SECONDS]`.
  static var arguments: String { get }
  /// For a line of the help.
  static var summary: String { get }
  /// For the documentation, in sentences.
  static var details: String { get }
  /// Keys that the object may have beside the verb's.
  static var keys: [String] { get }
  /// Objects, and what is said of their answers, for the documentation.
  static var objects: KeyValuePairs<String, String> { get }
  /// Words that may follow.
  static var choices: [String] { get }
  /// True for what may take as long as it likes.
  static var isPatient: Bool { get }

  /// Reads the object.
  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb

  /// The object that the words stand for.
  var object: JSONOutput { get }

  /// The answer in words; empty where there is nothing to say.
  func text(_ answer: JSONValue) -> String
}

extension ControlVerb {
  static var arguments: String { "" }
  static var keys: [String] { [] }
  static var choices: [String] { [] }
  static var isPatient: Bool { false }

  /// The words of a request.
  static var usage: String { arguments.isEmpty ? verb : "\(verb) \(arguments)" }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: verb, abstract: summary,
      usage: "fxrun control PERFORMANCE \(usage)", discussion: details)
  }

  /// A request that is nothing but its verb.
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

  /// A line for each.
  static var help: String {
    all.map { "\($0.usage.padded(to: 25)) \($0.summary)" }.joined(separator: "\n")
  }

  /// Words that can follow those of a command line.
  static func completions(after words: some Sequence<String>) -> [String] {
    for word in words {
      if let verb = named(word) { return verb.choices }
    }
    return names
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
