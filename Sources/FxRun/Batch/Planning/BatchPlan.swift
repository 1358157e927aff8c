import FxAudio
import FxKit
import Glibc

/// Every job of a batch, in order.
struct BatchPlan: Sendable, Equatable {
  /// The jobs of all shards.
  package let jobs: [BatchJob]

  /// The jobs of files that were found.
  ///
  /// - Parameter isSplit: true if each file becomes several outputs.
  package init(
    _ files: [BatchFile], _ template: BatchTemplate, isSplit: Bool = false
  ) throws(ChainFailure) {
    var jobs: [BatchJob] = []
    for (index, file) in files.enumerated() {
      let output = template.filled(file, index: index + 1, of: files.count, id: nil)
      var job = BatchJob(index: index + 1, file: file, output: output)
      if isSplit { try job.split() }
      jobs.append(job)
    }
    self.jobs = jobs
    try check()
  }

  /// The jobs of a job file; a line without an output uses the template.
  package init(
    _ lines: [BatchJobLine], _ template: BatchTemplate?, isSplit: Bool = false
  ) throws(ChainFailure) {
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
      job.carried = line.carried
      if isSplit { try job.split() }
      jobs.append(job)
    }
    self.jobs = jobs
    try check()
  }

  package func jobs(of shard: BatchShard) -> [BatchJob] { jobs.filter { shard.contains($0.file) } }

  /// Refuses an output that would replace another output, an input or a file that an input names.
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
    let read = jobs.flatMap { [$0.file.path] + $0.file.named }
    let inputs = Set(read.map { PathKey(spelling.spelled($0)) })
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

extension BatchJob {
  /// Writes its outputs by the template `output`.
  fileprivate mutating func split() throws(ChainFailure) {
    do throws(Failure) {
      let parts = try BatchParts(output)
      self.parts = parts
      output = parts.template
    } catch {
      throw ChainFailure(
        .request, code: .usage,
        "the output '\(output)' of '\(file.path)' cannot be filled in: \(error.message)",
        hints: error.hints)
    }
  }
}
