import FxAudio
import FxChain
import FxChecks
import FxKit
import FxMedia

/// One file to render, with its own settings.
package struct BatchJob: Sendable, Equatable {
  /// A parameter and its value.
  package struct Setting: Sendable, Equatable {
    package var parameter: String
    package var value: String

    package init(_ parameter: String, _ value: String) {
      self.parameter = parameter
      self.value = value
    }
  }

  /// The number among all jobs, from 1.
  package var index: Int
  package var file: BatchFile
  package var output: String
  /// The id from a line of a job file.
  package var id: String?
  /// Applied after the settings for all files.
  package var settings: [Setting] = []
  /// Variables of the chain, added to those for all files or replacing them.
  package var variables: [String: String] = [:]
  /// Tags of the output, added to those for all files or replacing them.
  package var tags: [String: String] = [:]
  /// The format of an input without a header, in place of that for all files.
  package var raw: String?
  /// The names of its outputs, if it is split into several.
  var parts: BatchParts?
  /// How its loudness is treated, in place of the request's.
  var levelling = Levelling()
  /// The name of its album.
  package var album: String?
  /// Its line with all keys, if they are kept. The supervisor's own, as the next three are.
  var carried: CarriedJob?
  /// Sentences for its record.
  var remarks: [String] = []
  /// Why it cannot be rendered.
  var obstacle: ChainFailure?
  /// The result of its measurement.
  var measured: BatchRecord.Result?

  /// True for a job that changes the chain.
  var hasSettings: Bool { !settings.isEmpty || !variables.isEmpty }

  package init(index: Int, file: BatchFile, output: String, id: String? = nil) {
    self.index = index
    self.file = file
    self.output = output
    self.id = id
  }

  /// Removes what a worker that has ended left of its output.
  func clear() {
    if let parts { parts.clear() } else { FileSink.removeStale(output, isFresh: true) }
  }

  /// For a worker.
  var json: JSONOutput {
    .members([
      "index": .integer(index), "input": .string(file.path), "relative": .string(file.relative),
      "pathBytes": file.raw.map { .array($0.bytes.map { .integer(Int($0)) }) },
      "output": .string(output), "id": id.map { .string($0) }, "set": settings.json,
      "define": variables.json, "tags": tags.json, "raw": raw.map { .string($0) },
      "levelling": levelling.json, "isSplit": .bool(parts != nil),
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    let bytes = try value.optional("pathBytes")?.list { byte throws(Failure) in
      UInt8(clamping: try byte.integer)
    }
    let relative = try value["relative"].text
    let file: BatchFile
    if let bytes {
      file = BatchFile(RawPath(bytes), relative: RawPath(relative))
    } else {
      file = BatchFile(path: try value["input"].text, relative: relative)
    }
    self.init(
      index: try value["index"].integer, file: file, output: try value["output"].text,
      id: try value.optional("id")?.text)
    settings = try [Setting](value["set"])
    variables = try value["define"].texts
    tags = try value["tags"].texts
    raw = try value.optional("raw")?.text
    levelling = try Levelling(value["levelling"])
    if try value["isSplit"].flag { parts = try BatchParts(output) }
  }
}

extension [BatchJob.Setting] {
  var json: JSONOutput {
    .array(map { .array([.string($0.parameter), .string($0.value)]) })
  }

  init(_ value: ManifestValue) throws(Failure) {
    self = try value.list { pair throws(Failure) in
      let texts = try pair.list { text throws(Failure) in try text.text }
      guard texts.count == 2 else { throw Failure(.badRecord, "a setting is a pair") }
      return BatchJob.Setting(texts[0], texts[1])
    }
  }
}

extension [String: String] {
  var json: JSONOutput {
    .object(keys.sorted().map { JSONOutput.Member($0, .string(self[$0] ?? "")) })
  }
}

extension ManifestValue {
  /// An object whose values are texts.
  var texts: [String: String] {
    get throws(Failure) {
      var texts: [String: String] = [:]
      for (key, value) in try members { texts[key] = try value.text }
      return texts
    }
  }
}
