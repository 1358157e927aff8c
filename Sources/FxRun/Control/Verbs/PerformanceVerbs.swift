import ArgumentParser
import FxChain
import FxKit
import Glibc

// Requests about the whole playback.

struct LoadVerb: ControlVerb {
  static let verb = "load"
  static let arguments = "[FILE]"
  static let summary = "reload the chain, or load another"
  static let details =
    "Reload the chain, or load another, without a gap in the sound."
  static let objects: KeyValuePairs = [
    "`{\"load\":true}`, `{\"load\":\"/home/me/other.json\"}`":
      "`{\"loaded\":\"1 new node, 2 values (comp.ratio, out.gain)\"}` once the chain plays; its mistakes, if it has any. Paths count from the folder that fxrun was started in."
  ]
  static let isPatient = true

  @Argument(help: "Another chain.", completion: .file(extensions: ["json"])) var file: String?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    if members[verb]?.bool == true { return .live(.load()) }
    return .live(.load(path: ShippedChains.installed.file(try members.text(verb))))
  }

  var object: JSONOutput {
    .members([
      Self.verb: file.map { .string(Self.absolute(ShippedChains.installed.file($0))) }
        ?? .bool(true)
    ])
  }

  /// The playing process may have another current folder.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  func text(_ answer: JSONValue) -> String { ControlText.word("loaded", of: answer) }
}

struct StatusVerb: ControlVerb {
  static let verb = "status"
  static let summary = "what plays, where, and for how long"
  static let details =
    "What plays, where, for how long, and what is bypassed, muted and soloed."
  static let objects: KeyValuePairs = ["`{\"status\":true}`": "`{\"status\":{…}}`"]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.status, members)
  }

  func text(_ answer: JSONValue) -> String { ControlText.table(Self.verb, of: answer) }
}

struct MetersVerb: ControlVerb {
  static let verb = "meters"
  static let summary = "levels and loads, as JSON"
  static let details = "Levels, gain reduction and loads at this moment, as JSON."
  static let objects: KeyValuePairs = [
    "`{\"meters\":true}`": "`{\"meters\":{…}}`, [as `--meters` prints them](live.md#for-machines)"
  ]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.snapshot, members)
  }

  func text(_ answer: JSONValue) -> String { answer.spelling }
}

struct ListVerb: ControlVerb {
  static let verb = "list"
  static let arguments = "[parameters]"
  static let summary = "all parameters and readings with their values"
  static let details =
    "All parameters with their values and ranges, and all readings with their values and units."
  static let objects: KeyValuePairs = [
    "`{\"list\":\"parameters\"}`": "`{\"parameters\":[…],\"readings\":[…]}`"
  ]

  @Argument(help: "What is listed.", completion: .list(["parameters"])) var what = "parameters"

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    guard members[verb]?.string == "parameters" else {
      throw ControlRequest.refusal("what can be listed are \"parameters\"")
    }
    return .live(.parameters)
  }

  var object: JSONOutput { .members([Self.verb: .string(what)]) }
  func text(_ answer: JSONValue) -> String { ControlText.parameters(answer) }
}

struct WatchVerb: ControlVerb {
  static let verb = "watch"
  static let arguments = "[changes] [events]"
  static let summary = "events, as JSON, until Ctrl-C"
  static let details = "Print events, a JSON object a line, until Ctrl-C."
  static let objects: KeyValuePairs = [
    "`{\"watch\":true}`":
      "`{\"watching\":true}`, and events from then on. `\"changes\"`, `\"events\"` or a list of them "
      + "in place of `true`; `false` ends it."
  ]
  private static let words = ControlSubscription.Kind.allCases.map(\.rawValue)

  @Argument(help: "changes, events or both; without any both.", completion: .list(words))
  var kinds: [String] = []

  func validate() throws {
    guard kinds.count <= Self.words.count else {
      throw ValidationError("there are \(Self.words.count) things to watch")
    }
  }

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .watch(try ControlSubscription(members))
  }

  var object: JSONOutput {
    .members([
      Self.verb: kinds.isEmpty ? .bool(true) : .array(kinds.map { .string($0) })
    ])
  }
}

struct StopVerb: ControlVerb {
  static let verb = "stop"
  static let summary = "fade out and end"
  static let details = "Fade out and end."
  static let objects: KeyValuePairs = [
    "`{\"stop\":true}`": "`{\"ok\":true}`, and the end of the connection"
  ]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.stop, members)
  }
}
