import FxAudio
import FxChain
import FxKit

/// One line that a client sends: an object with one verb.
struct ControlRequest {
  enum Verb {
    /// A request that the running chain carries out.
    case live(LiveRequest)
    /// Starts or stops events on this connection.
    case watch(ControlSubscription?)
  }

  /// An id that the answer repeats.
  let id: JSONOutput?
  let verb: Verb

  /// The longest line in bytes, without its end.
  static let longestLine = 65536

  /// Reads a line. The id is returned even if the rest is refused.
  static func read(
    _ bytes: [UInt8]
  ) -> (id: JSONOutput?, verb: Result<Verb, ChainFailure>) {
    var found = Diagnostics()
    let document = JSONDocument.read(SourceText(path: "request", bytes: bytes), into: &found)
    guard let document, !found.hasErrors else {
      let mistake = found.all.first
      return (
        nil,
        .failure(
          ChainFailure(
            .request, codeText: mistake?.code.rawValue ?? FailureCode.invalidJSON.rawValue,
            "the line is not JSON: \(mistake?.message ?? "")", hints: mistake?.hints ?? []))
      )
    }
    let members = Members(document.root)
    var id: JSONOutput?
    do throws(ChainFailure) {
      id = try members["id"].map(identity)
      return (id, .success(try verb(document.root, members)))
    } catch {
      return (id, .failure(error))
    }
  }

  /// An id that can be repeated as it is.
  private static func identity(_ value: JSONValue) throws(ChainFailure) -> JSONOutput {
    if let text = value.string { return .string(text) }
    guard let number = value.number else {
      throw refusal("'id' is a number or a text, not \(value.kindName)")
    }
    guard Double(shortNumber(number)) == number, abs(number) <= 9_007_199_254_740_992 else {
      throw refusal("'id' has too many digits to be repeated; write it as a text")
    }
    return .number(number)
  }

  private static func verb(
    _ root: JSONValue, _ members: Members
  ) throws(ChainFailure) -> Verb {
    guard root.kindName == "an object" else {
      throw refusal("a request is an object, not \(root.kindName): {\"get\": \"comp.threshold\"}")
    }
    let known = ControlVerbs.names
    let asked = members.keys.filter(known.contains)
    guard let verb = asked.first, asked.count == 1, let type = ControlVerbs.named(verb) else {
      if asked.count > 1 {
        throw refusal(
          "a request is one thing, not '\(asked[0])' and '\(asked[1])' at once")
      }
      let word = members.keys.first { $0 != "id" }
      throw refusal(
        (word.map { "there is no request '\($0)'" } ?? "the request is empty")
          + "; known are \(known.joined(separator: ", "))",
        hints: word.map { Suggestion.hint(for: $0, in: known) } ?? [])
    }
    for key in members.keys where key != verb && key != "id" && !type.keys.contains(key) {
      throw refusal(
        "'\(verb)' takes no '\(key)'", hints: Suggestion.hint(for: key, in: type.keys + ["id"]))
    }
    return try type.read(members)
  }

  static func refusal(_ message: String, hints: [String] = []) -> ChainFailure {
    ChainFailure(.request, code: .badRequest, message, hints: hints)
  }

  /// An object's members by key.
  struct Members {
    private let members: [(key: String, value: JSONValue)]

    init(_ object: JSONValue) {
      members = object.members.map { ($0.key.string ?? "", $0.value) }
    }

    var keys: [String] { members.map(\.key) }

    subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    func text(_ key: String) throws(ChainFailure) -> String {
      guard let value = self[key] else { throw refusal("'\(key)' is missing") }
      guard let text = value.string else {
        throw refusal("'\(key)' names something: a text, not \(value.kindName)")
      }
      guard !text.isEmpty else { throw refusal("'\(key)' is empty") }
      return text
    }

    func flag(_ key: String) throws(ChainFailure) -> Bool? {
      guard let value = self[key] else { return nil }
      guard let flag = value.bool else {
        throw refusal("'\(key)' is true or false, not \(value.kindName)")
      }
      return flag
    }

    func bytes(_ key: String) throws(ChainFailure) -> [UInt8] {
      let numbers = self[key]?.elements.map { $0.number.flatMap { UInt8(exactly: $0) } } ?? []
      let bytes = numbers.compactMap { $0 }
      guard !bytes.isEmpty, bytes.count == numbers.count else {
        throw refusal("'\(key)' is a list of bytes: [176, 74, 64]")
      }
      return bytes
    }

    func seconds(_ key: String) throws(ChainFailure) -> Double? {
      guard let value = self[key] else { return nil }
      guard let seconds = value.number, seconds.isFinite, seconds >= 0 else {
        throw refusal("'\(key)' is a number of seconds")
      }
      return seconds
    }

    /// Seconds, or `m:ss`.
    func time(_ key: String) throws(ChainFailure) -> Double {
      if let seconds = self[key]?.number, seconds.isFinite, seconds >= 0 { return seconds }
      guard let text = self[key]?.string, let time = TimeArgument(argument: text) else {
        throw refusal("'\(key)' is a time of 0 s or more: seconds, or \"m:ss\"")
      }
      return time.seconds
    }

    func value(_ key: String) throws(ChainFailure) -> LiveValue {
      guard let value = self[key] else { throw refusal("'\(key)' is missing: the value") }
      if let number = value.number { return .number(number) }
      if let text = value.string { return .text(text) }
      if let flag = value.bool { return .text(flag ? "true" : "false") }
      throw refusal("'\(key)' is a number, a text or true or false, not \(value.kindName)")
    }

    /// Refuses keys that mean nothing beside this value of the verb.
    func expectNone(of keys: [String], beside verb: String) throws(ChainFailure) {
      guard let key = keys.first(where: { self[$0] != nil }) else { return }
      throw refusal("'\(key)' has no meaning beside {\"\(verb)\": \(self[verb]?.spelling ?? "")}")
    }

    func expectTrue(_ key: String) throws(ChainFailure) {
      guard self[key]?.bool == true else { throw refusal("write {\"\(key)\": true}") }
    }
  }
}
