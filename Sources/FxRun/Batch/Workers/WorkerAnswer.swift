import FxKit
import FxAudio
import FxChain
import FxChecks

/// A worker's answer to a job.
struct WorkerAnswer: Sendable, Equatable {
  enum Outcome: Sendable, Equatable {
    /// The result, or one for each part of a split input.
    case done([BatchRecord.Result])
    /// The input has the digest that the supervisor knows, so its output is up to date.
    case unchanged
    case failed(ChainFailure)
  }

  var outcome: Outcome
  var digest: String
  var stamp: String

  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("digest", .string(digest)), .init("stamp", .string(stamp)),
    ]
    switch outcome {
    case .done(let results): members.append(.init("done", .array(results.map(\.answer))))
    case .unchanged: members.append(.init("unchanged", .bool(true)))
    case .failed(let failure): members.append(.init("failed", failure.record(exitStatus: nil)))
    }
    return .object(members)
  }

  init(_ outcome: Outcome, digest: String, stamp: String) {
    self.outcome = outcome
    self.digest = digest
    self.stamp = stamp
  }

  init(_ value: ManifestValue) throws(Failure) {
    digest = try value["digest"].text
    stamp = try value["stamp"].text
    if let results = value.optional("done") {
      outcome = .done(
        try results.list { result throws(Failure) in try BatchRecord.Result(answer: result) })
    } else if value.optional("unchanged") != nil {
      outcome = .unchanged
    } else {
      outcome = .failed(try ChainFailure(value["failed"]))
    }
  }
}

/// The supervisor's message for a job: the job, and the input's known digest if its output exists.
struct WorkerTask: Sendable, Equatable {
  var job: BatchJob
  var knownDigest: String?

  var json: JSONOutput {
    .members(["job": job.json, "known": knownDigest.map { .string($0) }])
  }

  init(_ job: BatchJob, knownDigest: String?) {
    self.job = job
    self.knownDigest = knownDigest
  }

  init(_ value: ManifestValue) throws(Failure) {
    job = try BatchJob(value["job"])
    knownDigest = try value.optional("known")?.text
  }
}

extension WorkerAnswer {
  /// With more warnings, if its file was rendered.
  func warned(by warnings: [String]) -> WorkerAnswer {
    guard case .done(var results) = outcome else { return self }
    for index in results.indices {
      results[index].warnings += warnings.filter { !results[index].warnings.contains($0) }
    }
    var warned = self
    warned.outcome = .done(results)
    return warned
  }

  /// With the warnings that the process has printed to standard error.
  func warned(by printed: [UInt8]) -> WorkerAnswer {
    warned(by: ProcessWarnings.found(in: String(decoding: printed, as: UTF8.self)))
  }
}

extension BatchRecord.Result {
  /// With what only the supervisor needs.
  fileprivate var answer: JSONOutput {
    json.with(
      [
        part.map { .init("part", $0.json) }, writtenName.map { .init("written", .string($0)) },
      ].compactMap { $0 })
  }

  fileprivate init(answer: ManifestValue) throws(Failure) {
    try self.init(answer)
    part = try answer.optional("part").map { value throws(Failure) in try BatchPart(value) }
    writtenName = try answer.optional("written")?.text
  }
}
