import FxAudio
import FxChain
import FxChecks
import FxKit

/// A list of the finished outputs, in the order of the jobs: each line is the line of its job with
/// the output in place of the input. It is a job file for the next batch.
enum BatchManifest {
  /// Keys of a job about its own render.
  private static let dropped = ["output", "set", "define", "tags", "raw"]

  /// Writes the manifest of records.
  ///
  /// - Parameter others: more files that it must not replace.
  /// - Throws: `ChainFailure` if it would replace a file that a record names, or cannot be written.
  static func write(
    _ records: [BatchRecord], to path: String, keeping others: [String] = []
  ) throws(ChainFailure) {
    var spelling = PathSpelling()
    let key = PathKey(spelling.spelled(path))
    let kept = others + records.flatMap { [$0.input, $0.output] }
    for other in kept where PathKey(spelling.spelled(other)) == key {
      throw ChainFailure(
        .request, code: .usage,
        "--manifest \(path) would replace \(other); give it another name", path: path)
    }
    try WholeFile.write(text(records), to: path)
  }

  /// The lines of finished records, sorted by their jobs and parts.
  static func text(_ records: [BatchRecord]) -> String {
    let sorted = records.filter { $0.status == .done }.sorted {
      ($0.index, $0.part?.number ?? 0) < ($1.index, $1.part?.number ?? 0)
    }
    return sorted.map { "\(line($0).text(indented: false))\n" }.joined()
  }

  private static func line(_ record: BatchRecord) -> JSONOutput {
    var members: [JSONOutput.Member] = []
    func set(_ key: String, _ value: JSONOutput) {
      if let place = members.firstIndex(where: { $0.key == key }) {
        members[place].value = value
      } else {
        members.append(.init(key, value))
      }
    }
    if let job = record.job {
      members = job.members.filter { !dropped.contains($0.key) || $0.key == job.inputKey }
    }
    set(record.job?.inputKey ?? BatchJobLine.inputKey, .string(record.output))
    if let id = record.id { if record.job == nil { set("id", .string(id)) } }
    set("duration", .number(record.result.seconds))
    guard let part = record.part else { return .object(members) }
    set("source", .string(record.input))
    set("segment", .integer(part.number))
    if let source = part.source {
      set("start", .number(source.start))
      set("end", .number(source.end))
    } else {
      members.removeAll { $0.key == "start" || $0.key == "end" }
    }
    return .object(members)
  }
}

/// A line of a job file as it was given, with the keys that fxrun does not know.
package struct CarriedJob: Sendable, Equatable {
  /// The key of the input file.
  let inputKey: String
  /// The members in their order; the values as they are spelled.
  let members: [JSONOutput.Member]

  init(_ line: JSONValue, inputKey: String) {
    self.inputKey = inputKey
    members = line.members.map { key, value in
      .init(key.string ?? "", .verbatim(value.spelling))
    }
  }

  var json: JSONOutput { .object(members) }
}
