import FxAudio
import FxKit
import Glibc

/// Every job of a batch, in order.
struct BatchPlan: Sendable, Equatable {
  /// The jobs of all shards.
  package let jobs: [BatchJob]

  /// The jobs of files that were found.
  package init(_ files: [BatchFile], _ template: BatchTemplate) throws(ChainFailure) {
    jobs = files.enumerated().map { index, file in
      BatchJob(
        index: index + 1, file: file,
        output: template.filled(file, index: index + 1, of: files.count, id: nil))
    }
    try check()
  }

  /// The jobs of a job file; a line without an output uses the template.
  package init(_ lines: [BatchJobLine], _ template: BatchTemplate?) throws(ChainFailure) {
    var jobs: [BatchJob] = []
    for (index, line) in lines.enumerated() {
      let file = BatchFile(listed: line.input)
      guard
        let output = line.output
          ?? template?.filled(file, index: index + 1, of: lines.count, id: line.id)
      else {
        throw ChainFailure(
          .request, code: .usage,
          "job \(index + 1) ('\(line.input)') has no output; give it one, or all of them with -o")
      }
      if let raw = line.raw {
        do throws(ChainFailure) {
          try RenderRequest.checkRaw(raw)
        } catch {
          throw ChainFailure(
            .request, code: .usage, "job \(index + 1) ('\(line.input)'): \(error.message)",
            hints: error.hints)
        }
      }
      var job = BatchJob(index: index + 1, file: file, output: output, id: line.id)
      job.settings = line.settings
      job.variables = line.variables
      job.tags = line.tags
      job.raw = line.raw
      jobs.append(job)
    }
    self.jobs = jobs
    try check()
  }

  package func jobs(of shard: BatchShard) -> [BatchJob] { jobs.filter { shard.contains($0.file) } }

  /// Refuses an output that would replace another output or an input.
  private func check() throws(ChainFailure) {
    var mistakes: [String] = []
    var writers: [PathKey: [BatchJob]] = [:]
    var order: [PathKey] = []
    var spelling = PathSpelling()
    for job in jobs {
      let path = PathKey(spelling.spelled(job.output))
      if writers[path] == nil { order.append(path) }
      writers[path, default: []].append(job)
    }
    for path in order {
      guard let same = writers[path], same.count > 1, let output = same.first?.output else {
        continue
      }
      mistakes.append("\(output) from \(same.map(\.file.path).joined(separator: ", "))")
    }
    guard mistakes.isEmpty else {
      throw Self.failure(
        .sameOutput, "inputs with the same output", mistakes,
        "{path} keeps the folders of the inputs apart; {ext} names that differ in their endings")
    }
    let inputs = Set(jobs.map { PathKey(spelling.spelled($0.file.path)) })
    for job in jobs where inputs.contains(PathKey(spelling.spelled(job.output))) {
      mistakes.append("\(job.output) from \(job.file.path)")
    }
    guard mistakes.isEmpty else {
      throw Self.failure(
        .overwrittenInput, "outputs that would take the place of an input", mistakes,
        "write into another folder: -o 'done/{path}.flac'")
    }
  }

  /// The most mistakes that a message lists.
  private static let listedMistakes = 5

  private static func failure(
    _ code: FailureCode, _ title: String, _ mistakes: [String], _ hint: String
  ) -> ChainFailure {
    let shown = mistakes.prefix(listedMistakes).joined(separator: "; ")
    let rest = mistakes.count - listedMistakes
    return ChainFailure(
      .request, code: code, "\(title): \(shown)" + (rest > 0 ? "; and \(rest) more" : ""),
      hints: [hint])
  }
}

/// Resolves the existing folders and links of a path.
private struct PathSpelling {
  private var folders: [PathKey: String] = [:]

  mutating func spelled(_ path: String) -> String {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      return BatchSearch.real(path)
    }
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    return "\(folder(slash.map { String(path[..<$0]) + "/" } ?? "."))/\(name)"
  }

  private mutating func folder(_ path: String) -> String {
    if let known = folders[PathKey(path)] { return known }
    var missing: [Substring] = []
    var there = path[...]
    var result = BatchSearch.real(String(there))
    // The existing part is resolved; the names below it are added unchanged.
    while access(result, F_OK) != 0, !there.isEmpty {
      while there.hasSuffix("/") { there = there.dropLast() }
      let slash = there.lastIndex(of: "/")
      missing.insert(slash.map { there[there.index(after: $0)...] } ?? there, at: 0)
      there = slash.map { there[...$0] } ?? ""
      result = BatchSearch.real(there.isEmpty ? "." : String(there))
    }
    var steps: [Substring] = []
    for step in missing where step != "." && !step.isEmpty {
      if step == "..", !steps.isEmpty { steps.removeLast() } else { steps.append(step) }
    }
    result = ([result == "/" ? "" : result] + steps.map(String.init)).joined(separator: "/")
    folders[PathKey(path)] = result
    return result
  }
}
