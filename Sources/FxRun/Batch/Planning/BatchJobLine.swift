import FxAudio
import FxChain
package import FxKit

/// A line of a job file: one JSON object.
///
///     {"input":"take1.wav","output":"done/1.flac","set":{"comp.threshold":"-18 dB"},"id":"1"}
package struct BatchJobLine: Sendable, Equatable {
  package var input: String
  package var output: String?
  package var id: String?
  package var settings: [BatchJob.Setting] = []
  package var variables: [String: String] = [:]
  package var tags: [String: String] = [:]
  package var raw: String?
  /// The whole line, if its other keys are kept.
  var carried: CarriedJob?

  /// What the keys of a line mean.
  package struct Keys: Sendable {
    /// The key of the input file.
    package var input = BatchJobLine.inputKey
    /// Keep keys that fxrun does not know, instead of refusing them.
    package var carriesOthers = false

    package init() {}
  }

  static let inputKey = "input"
  private static let options = ["output", "id", "set", "define", "tags", "raw"]

  /// The jobs of a file; empty lines are ignored.
  ///
  /// - Throws: `ChainFailure` of kind `request` that names the first line with a mistake.
  package static func all(
    _ bytes: [UInt8], path: String, _ keys: Keys = Keys()
  ) throws(ChainFailure) -> [BatchJobLine] {
    var lines: [BatchJobLine] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    where line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
      lines.append(try BatchJobLine(Array(line), place: "\(path):\(number + 1)", keys))
    }
    return lines
  }

  package init(
    _ bytes: [UInt8], place: String, _ keys: Keys = Keys()
  ) throws(ChainFailure) {
    func mistake(_ message: String, _ hints: [String] = []) -> ChainFailure {
      ChainFailure(
        .request, code: .badJob, "\(place): \(message)",
        hints: [
          "a line is {\"\(keys.input)\": \"FILE\"}; it may also have "
            + "output, id, set, define, tags and raw"
        ] + hints)
    }
    var found = Diagnostics()
    let document = JSONDocument.read(SourceText(path: place, bytes: bytes), into: &found)
    if let problem = found.all.first { throw mistake(problem.message) }
    guard let root = document?.root, root.kind == .object else {
      throw mistake("a job is a JSON object")
    }
    if keys.carriesOthers {
      carried = CarriedJob(root, inputKey: keys.input)
    } else if let other = root.members.lazy.map({ $0.key.string ?? "" }).first(where: {
      $0 != keys.input && !Self.options.contains($0)
    }) {
      throw mistake(
        "there is no key '\(other)'",
        ["with --carry, fxrun keeps keys that it does not know for the record of the file"])
    }
    func text(_ key: String) throws(ChainFailure) -> String? {
      guard let value = root[key] else { return nil }
      guard let text = value.string else {
        throw mistake("'\(key)' is a string, not \(value.kindName)")
      }
      guard !text.isEmpty else { throw mistake("'\(key)' is empty") }
      guard !text.utf8.contains(0) else {
        throw mistake("'\(key)' contains a NUL character")
      }
      return text
    }
    func pairs(_ key: String) throws(ChainFailure) -> [BatchJob.Setting] {
      guard let value = root[key] else { return [] }
      guard value.kind == .object else {
        throw mistake("'\(key)' is an object, not \(value.kindName)")
      }
      var pairs: [BatchJob.Setting] = []
      for (name, value) in value.members {
        switch value.kind {
        case .string, .number, .true, .false:
          pairs.append(.init(name.string ?? "", value.string ?? value.spelling))
        default:
          throw mistake("'\(name.string ?? "")' is a text or a number, not \(value.kindName)")
        }
      }
      return pairs
    }
    guard let input = try text(keys.input) else {
      let names = root.members.compactMap(\.key.string).joined(separator: ", ")
      throw mistake(
        "the job has no '\(keys.input)'",
        names.isEmpty ? [] : ["--input-key names the key of the file; this line has \(names)"])
    }
    self.input = input
    output = try text("output")
    if let value = root["id"], value.kind == .number {
      id = value.spelling
    } else {
      id = try text("id")
    }
    raw = try text("raw")
    settings = try pairs("set")
    for pair in try pairs("define") { variables[pair.parameter] = pair.value }
    for pair in try pairs("tags") {
      guard !pair.parameter.isEmpty, !pair.parameter.contains("=") else {
        throw mistake("'\(pair.parameter)' cannot be the name of a tag")
      }
      tags[pair.parameter] = pair.value
    }
  }
}
