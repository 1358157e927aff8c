import FxKit

/// The combined records of several journals, and the contradictions between them.
struct BatchMerge: Sendable, Equatable {
  /// The last record of each file, sorted by relative path and output.
  package private(set) var records: [BatchRecord] = []
  /// A sentence for each missing or duplicate record or shard.
  package private(set) var mistakes: [String] = []
  /// Unusual but harmless facts.
  package private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - expected: the inputs that need a record; nil to use the counts of the journals.
  ///   - sizeOfFile: the size of an output; nil if it does not exist.
  package init(
    _ journals: [(path: String, journal: BatchJournal)], expected: [BatchFile]?,
    sizeOfFile: (String) -> Int? = { InputStamp.size(ofFile: $0) }
  ) {
    var owners: [PathKey: (path: String, record: BatchRecord)] = [:]
    for (path, journal) in journals {
      if journal.isTorn {
        warnings.append("\(path): the last line is incomplete; its process was killed")
      }
      warnings += journal.damage
      for (output, job) in journal.latest where !job.isComplete {
        let count = job.records.count
        mistakes.append(
          "\(output.path): \(count) of \(job.first?.part?.count ?? 1) records of its parts in \(path)"
        )
      }
      for record in journal.latest.values.flatMap(\.records) {
        let output = PathKey(record.output)
        if let other = owners[output] {
          mistakes.append("\(output.path): twice, in \(other.path) and in \(path)")
        }
        owners[output] = (path, record)
        if record.status == .done, !record.hasOutput(sizeOfFile: sizeOfFile) {
          let size = sizeOfFile(record.output)
          mistakes.append(
            "\(record.output): "
              + (size.map { "has \($0) bytes, and its record says \(record.result.byteCount)" }
                ?? "does not exist, and its record says that it is done"))
        }
      }
    }
    mistakes.sort()
    records = owners.values.map(\.record).sorted {
      ($0.relative, $0.outputOfJob, $0.part?.number ?? 0)
        < ($1.relative, $1.outputOfJob, $1.part?.number ?? 0)
    }
    if let expected {
      compare(with: expected)
    } else {
      compare(journals.flatMap { path, journal in journal.headers.last.map { [(path, $0)] } ?? [] })
      for (path, journal) in journals { count(path, journal) }
    }
  }

  private mutating func compare(with expected: [BatchFile]) {
    var known: [PathKey: Set<PathKey>] = [:]
    for record in records {
      known[PathKey(record.input), default: []].insert(PathKey(record.outputOfJob))
    }
    for file in expected where known[PathKey(file.path)] == nil {
      mistakes.append("\(file.path): no record")
    }
    for (input, jobs) in known.sorted(by: { $0.key < $1.key }) where jobs.count > 1 {
      mistakes.append("\(input.path): \(jobs.count) records, with different outputs")
    }
    let wanted = Set(expected.map { PathKey($0.path) })
    for record in records where !wanted.contains(PathKey(record.input)) {
      mistakes.append("\(record.input): a record that is not expected")
    }
  }

  /// Every shard of the batch must be present once.
  private mutating func compare(_ headers: [(path: String, header: BatchHeader)]) {
    guard let first = headers.first?.header else { return }
    var paths: [String: [String]] = [:]
    for (path, header) in headers { paths[header.shard, default: []].append(path) }
    let counts = Set(headers.map { $0.header.shard.split(separator: "/").last ?? "" })
    guard counts.count == 1, let count = counts.first.flatMap({ Int($0) }), count <= 1_000_000
    else {
      mistakes.append("the journals are of batches with different numbers of shards")
      return
    }
    for number in 1...max(count, 1) where paths["\(number)/\(count)"] == nil {
      mistakes.append("shard \(number)/\(count): no journal")
    }
    for (shard, paths) in paths.sorted(by: { $0.key < $1.key }) where paths.count > 1 {
      mistakes.append("shard \(shard): in \(paths.joined(separator: " and "))")
    }
    if headers.contains(where: { $0.header.allFiles != first.allFiles }) {
      let numbers = headers.map { "\($0.path) \($0.header.allFiles)" }
      mistakes.append(
        "the shards found different numbers of files: \(numbers.joined(separator: ", "))")
    }
  }

  private mutating func count(_ path: String, _ journal: BatchJournal) {
    guard let header = journal.headers.last else { return }
    let count = journal.latest.count
    if count < header.files {
      mistakes.append(
        "\(path): \(header.files - count) of \(header.files) records are missing; "
          + "--expect LIST names them")
    }
  }

  /// Finds jobs whose order is unknown, so that no manifest can be written.
  mutating func checkOrder() {
    let jobs = Dictionary(grouping: records, by: \.index).mapValues { records in
      Set(records.map { PathKey($0.outputOfJob) }).sorted()
    }
    for (index, outputs) in jobs.sorted(by: { $0.key < $1.key })
    where index == 0 || outputs.count > 1 {
      let names = outputs.prefix(3).map(\.path).joined(separator: ", ")
      mistakes.append(
        index == 0
          ? "\(names): the records do not say their order; run the batch again with --manifest"
          : "\(names): records of different batches in one journal, with the same number \(index); "
            + "run the batch with --log and a new file")
    }
  }

  package var failed: [BatchRecord] { records.filter { $0.status == .failed } }
}
