import FxAudio
package import FxChain
import FxChecks
package import FxKit

/// The result of one file: a line of a journal.
package struct BatchRecord: Sendable, Equatable {
  package enum Status: String, Sendable { case done, failed, measured }

  /// The result of a render.
  package struct Result: Sendable, Equatable {
    package var frames = 0
    package var channels = 0
    package var sampleRate = 0.0
    /// Decibels; `-inf` for silence.
    package var peak = -Double.infinity
    /// In LUFS, if it was measured.
    package var loudness: Double?
    package var clippedSamples = 0
    package var warnings: [String] = []
    /// Bytes of the output.
    package var byteCount = 0
    /// Only of a measured file.
    var measurement: BatchMeasurement?
    /// Only of a file that is one of several from its input.
    package var part: BatchPart?
    /// The name under which the worker wrote that file.
    var writtenName: String?

    package init() {}

    package var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
  }

  package var input: String
  /// The input's path within the given folder.
  package var relative: String
  package var output: String
  package var id: String?
  /// The number of its job, from 1; 0 in the records of earlier versions.
  package var index: Int
  /// The line of its job, with keys that fxrun does not know.
  var job: CarriedJob?
  package var status: Status
  /// The digest of everything that the output depends on besides the input.
  package var plan: String
  /// The digest of the input's bytes; empty if it could not be read.
  package var digest: String
  /// The input's size, time and inode; while they are the same, the digest is the same.
  package var stamp: String
  package var result = Result()
  package var failure: ChainFailure?
  /// The exit status of `fxrun run` for the failure.
  package var exitStatus: Int32?
  /// Seconds for this file.
  package var elapsed = 0.0
  /// The name of the album, and its gain and level.
  package var album: String?
  package var albumGain: AlbumGain?
  /// True if the sound has the wanted loudness already.
  package var isAlreadyRight = false
  /// The number of attempts for this file, from 1.
  package var attempt = 1
  /// The worker's number, from 1.
  package var worker = 1

  package init(_ job: BatchJob, _ status: Status, plan: String, digest: String, stamp: String) {
    input = job.file.path
    relative = job.file.relative
    output = job.output
    id = job.id
    index = job.index
    self.job = job.carried
    album = job.album
    albumGain = job.levelling.album
    isAlreadyRight = job.levelling.isAlreadyRight
    self.status = status
    self.plan = plan
    self.digest = digest
    self.stamp = stamp
  }

  /// With the place and the keys that the job has in this run.
  func renamed(_ job: BatchJob) -> BatchRecord {
    var record = self
    (record.index, record.id, record.job) = (job.index, job.id, job.carried)
    return record
  }

  /// True for a file that is done and whose output has its recorded size. A measurement has no
  /// output.
  func hasOutput(sizeOfFile: (String) -> Int? = { InputStamp.size(ofFile: $0) }) -> Bool {
    switch status {
    case .done: sizeOfFile(output) == result.byteCount
    case .measured: true
    case .failed: false
    }
  }

  /// The file of a split input that it is about.
  package var part: BatchPart? { result.part }

  /// The output of its job: for parts, the template of their names.
  var outputOfJob: String { part?.template ?? output }

  /// The key that decides whether an output is up to date.
  package var key: String { "\(plan.prefix(32))-\(digest)" }

  package var json: JSONOutput {
    .members([
      "input": .string(input), "relative": .string(relative), "output": .string(output),
      "id": id.map { .string($0) }, "index": .integer(index), "part": part?.json,
      "status": .string(status.rawValue), "key": .string(key),
      "plan": .string(plan), "digest": .string(digest), "stamp": .string(stamp),
      "result": status == .failed ? nil : result.json,
      "album": album.map { .string($0) }, "albumGain": albumGain?.json,
      "alreadyRight": isAlreadyRight ? .bool(true) : nil,
      "error": failure?.record(exitStatus: exitStatus), "elapsed": .number(elapsed),
      "attempt": .integer(attempt), "worker": .integer(worker),
      "inputKey": job.map { .string($0.inputKey) }, "job": job?.json,
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    let file = BatchFile(path: try value["input"].text, relative: try value["relative"].text)
    let job = BatchJob(
      index: try value.optional("index")?.integer ?? 0, file: file,
      output: try value["output"].text, id: try value.optional("id")?.text)
    self.init(
      job, try value["status"].word(Status.self), plan: try value["plan"].text,
      digest: try value["digest"].text, stamp: try value["stamp"].text)
    if status != .failed { result = try Result(value["result"]) }
    result.part = try value.optional("part").map { part throws(Failure) in try BatchPart(part) }
    if let line = value.optional("job") {
      self.job = CarriedJob(try line.object, inputKey: try value["inputKey"].text)
    }
    if let error = value.optional("error") {
      failure = try ChainFailure(error)
      exitStatus = try error.optional("exitStatus").map { value throws(Failure) in
        Int32(clamping: try value.integer)
      }
    }
    album = try value.optional("album")?.text
    albumGain = try value.optional("albumGain").map { value throws(Failure) in
      try AlbumGain(value)
    }
    isAlreadyRight = try value.optional("alreadyRight")?.flag ?? false
    elapsed = try value["elapsed"].number
    attempt = try value["attempt"].integer
    worker = try value["worker"].integer
  }
}

extension BatchRecord.Result {
  var json: JSONOutput {
    .members([
      "frames": .integer(frames), "channels": .integer(channels),
      "sampleRate": .number(sampleRate), "seconds": .number(seconds), "peak": .level(peak),
      "loudness": loudness.map { .level($0) },
      "clippedSamples": .integer(clippedSamples), "bytes": .integer(byteCount),
      "warnings": .array(warnings.map { .string($0) }), "measurement": measurement?.json,
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    frames = try value["frames"].integer
    channels = try value["channels"].integer
    sampleRate = try value["sampleRate"].number
    peak = try value["peak"].level
    loudness = try value.optional("loudness").map { value throws(Failure) in try value.level
    }
    clippedSamples = try value["clippedSamples"].integer
    byteCount = try value["bytes"].integer
    warnings = try value["warnings"].list { warning throws(Failure) in try warning.text }
    measurement = try value.optional("measurement").map { value throws(Failure) in
      try BatchMeasurement(value)
    }
  }
}
