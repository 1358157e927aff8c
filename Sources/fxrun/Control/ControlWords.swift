import FxDiagnostics
import FxAudio
import FxKit
import Glibc

/// A request in words, as the command line has it: `set comp.threshold -20dB`.
struct ControlWords {
  /// How an answer is told.
  enum Form {
    case nothing, value, onOrOff, list, status, sentence, learned, events, transport, json
  }

  let request: JSONOutput
  let form: Form

  /// True for what may take as long as it likes.
  var isPatient: Bool { form == .learned || form == .sentence }

  static let help = """
    get NAME                  the value of a parameter
    set NAME VALUE [SECONDS]  send a parameter to a value: -20dB, 3.2kHz, true
    bypass NODE [on|off]      let a node pass its input on
    mute NAME [on|off]        silence a strip (mix.strips.voice) or a gain
    solo NAME [on|off]        silence the other strips of a mixer
    mute                      silence what is heard, or sound again
    volume LEVEL [SECONDS]    the level of what is heard: -6dB
    scene NAME                go over to a scene of the chain
    learn NAME|off            bind the next MIDI control that is moved
    load [FILE]               read the chain again, or go over to another one
    pause                     stop the files; tails ring out
    resume                    go on with them
    seek TIME                 go to a place in the files: 90, 1:30
    skip SECONDS              go forward, or back below zero
    loop [FROM [TO]]|off      play a part over and over
    rest SECONDS|off          render nothing while all is silent
    ab [a|b]                  hear the other one of two chains
    transport                 where the files are, and how loud
    meters                    levels and loads, as JSON
    status                    what plays, where, and for how long
    list                      all parameters with their values and ranges
    watch [changes] [events]  what happens, as JSON, until Ctrl-C
    stop                      fade out and end
    """

  init(_ words: [String]) throws(ChainFailure) {
    guard let verb = words.first else { throw Self.usage("nothing is asked") }
    let rest = Array(words.dropFirst())
    func check(_ counts: ClosedRange<Int>, _ usage: String) throws(ChainFailure) {
      guard counts.contains(rest.count) else {
        throw Self.usage("it is '\(usage)', not '\(words.joined(separator: " "))'")
      }
    }
    switch verb {
    case "get":
      try check(1...1, "get NAME")
      request = .members(["get": .string(rest[0])])
      form = .value
    case "set":
      try check(2...3, "set NAME VALUE [SECONDS]")
      request = .members([
        "set": .string(rest[0]), "to": .string(rest[1]),
        "seconds": rest.count == 3 ? try Self.seconds(rest[2]) : nil,
      ])
      form = .nothing
    case "mute" where rest.isEmpty:
      request = .members(["mute": .string("output")])
      form = .nothing
    case "scene":
      try check(1...1, "scene NAME")
      request = .members(["scene": .string(rest[0])])
      form = .nothing
    case "learn":
      try check(1...1, "learn NAME or learn off")
      request = .members(["learn": rest[0] == "off" ? .bool(false) : .string(rest[0])])
      form = .learned
    case "pause", "resume", "transport", "meters":
      try check(0...0, verb)
      request = .members([verb: .bool(true)])
      form = verb == "meters" ? .json : verb == "transport" ? .transport : .nothing
    case "seek", "skip":
      try check(1...1, "\(verb) \(verb == "seek" ? "TIME" : "SECONDS")")
      request = .members([verb: .string(rest[0])])
      form = .nothing
    case "volume":
      try check(1...2, "volume LEVEL [SECONDS]")
      request = .members([
        "volume": .string(rest[0]),
        "seconds": rest.count == 2 ? try Self.seconds(rest[1]) : nil,
      ])
      form = .nothing
    case "loop":
      try check(0...2, "loop [FROM [TO]] or loop off")
      request = .members([
        "loop": rest.first == "off"
          ? .bool(false) : rest.first.map { .string($0) } ?? .bool(true),
        "to": rest.dropFirst().first.map { .string($0) },
      ])
      form = .nothing
    case "rest":
      try check(1...1, "rest SECONDS or rest off")
      request = .members(["rest": rest[0] == "off" ? .bool(false) : .string(rest[0])])
      form = .nothing
    case "ab":
      try check(0...1, "ab [a|b]")
      request = .members(["ab": rest.first.map { .string($0) } ?? .bool(true)])
      form = .nothing
    case "bypass", "mute", "solo":
      try check(1...2, "\(verb) NAME [on|off]")
      var isOn: Bool?
      if rest.count == 2 {
        guard let given = ["on": true, "off": false][rest[1]] else {
          throw Self.usage("it is on or off, not '\(rest[1])'")
        }
        isOn = given
      }
      request = .object(
        [JSONOutput.Member(verb, .string(rest[0]))]
          + (isOn.map { [JSONOutput.Member("on", .bool($0))] } ?? []))
      form = .onOrOff
    case "load":
      try check(0...1, "load [FILE]")
      request = .members(["load": rest.first.map { .string(Self.absolute($0)) } ?? .bool(true)])
      form = .sentence
    case "status":
      try check(0...0, "status")
      request = .members(["status": .bool(true)])
      form = .status
    case "list":
      try check(0...1, "list")
      request = .members(["list": .string(rest.first ?? "parameters")])
      form = .list
    case "watch":
      try check(0...2, "watch [changes] [events]")
      request = .members([
        "watch": rest.isEmpty ? .bool(true) : .array(rest.map { .string($0) })
      ])
      form = .events
    case "stop":
      try check(0...0, "stop")
      request = .members(["stop": .bool(true)])
      form = .nothing
    default:
      let known = Self.help.split(separator: "\n").compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      throw Self.usage(
        "there is no '\(verb)'"
          + (Suggestion.hint(for: verb, in: known).first.map { "; \($0)" } ?? ""))
    }
  }

  private static func seconds(_ text: String) throws(ChainFailure) -> JSONOutput {
    guard let seconds = Double(text), seconds.isFinite else {
      throw usage("'\(text)' is no number of seconds")
    }
    return .number(seconds)
  }

  private static func usage(_ message: String) -> ChainFailure {
    ChainFailure(
      .request, code: "usage", message, hints: [""] + help.split(separator: "\n").map(String.init))
  }

  /// The performance may have been started in another folder.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// An answer as text; empty where there is nothing to say.
  func text(_ answer: JSONValue) -> String {
    let members = ControlRequest.Members(answer)
    switch form {
    case .nothing, .events: return ""
    case .value: return members["value"].map(Self.word) ?? ""
    case .onOrOff: return members["on"]?.bool == true ? "on" : "off"
    case .sentence: return members["loaded"].map(Self.word) ?? ""
    case .learned: return members["learned"].map(Self.word) ?? ""
    case .json: return answer.spelling
    case .status, .transport:
      let object = members[form == .status ? "status" : "transport"]
      return (object?.members ?? []).compactMap { key, value -> String? in
        let text =
          value.kindName == "a list"
          ? value.elements.map(Self.word).joined(separator: ", ") : Self.word(value)
        return text.isEmpty ? nil : "\((key.string ?? "").padded(to: 14)) \(text)"
      }.joined(separator: "\n")
    case .list: return Self.table(members["parameters"]?.elements ?? [])
    }
  }

  private static func table(_ parameters: [JSONValue]) -> String {
    let rows = parameters.map { parameter -> (String, String, String) in
      let members = ControlRequest.Members(parameter)
      func word(_ key: String) -> String { members[key].map(Self.word) ?? "" }
      let unit = word("unit").isEmpty || word("unit") == "ratio" ? "" : " \(word("unit"))"
      let choices = (members["choices"]?.elements ?? []).map {
        ControlRequest.Members($0)["label"].map(Self.word) ?? ""
      }
      let range =
        switch word("kind") {
        case "toggle": "true or false"
        case "choice": choices.joined(separator: ", ")
        default: "\(word("minimum"))…\(word("maximum"))\(unit)"
        }
      return (word("name"), "\(word("value"))\(unit)", range)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let values = rows.map(\.1.count).max() ?? 0
    return rows.map { row in
      "\(row.0.padded(to: width))  \(row.1.padded(to: values, left: true))  \(row.2)"
    }.joined(separator: "\n")
  }

  private static func word(_ value: JSONValue) -> String {
    if let number = value.number { return shortNumber(number) }
    return ForeignText.visible(value.string ?? value.spelling)
  }
}
