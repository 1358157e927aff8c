import FxChain
import FxChecks
package import FxKit

/// The settings that all files of a batch share: the chain and how it is rendered.
package struct BatchOptions: Sendable, Equatable {
  /// The chain file's name in messages, and its text as read at the start.
  package var chain: String
  package var text: String
  package var variables: [String: String] = [:]
  package var settings: [BatchJob.Setting] = []
  package var bypassed: [String] = []
  package var scene: String?
  /// Files for the chain's other inputs, by name.
  package var inputs: [String: String] = [:]
  /// The formats of inputs without a header, by name; `main` is each of the files.
  package var rawInputs: [String: String] = [:]
  package var start = 0.0
  package var duration: Double?
  package var blockSize: Int?
  package var memoryLimit: Int?
  package var encoding = BatchEncoding()
  package var editing = BatchEditing()

  package init(_ chain: Chain) {
    self.chain = chain.path
    text = String(decoding: chain.bytes, as: UTF8.self)
    variables = chain.variables
  }

  /// The chain of a job.
  func chain(_ job: BatchJob? = nil) -> Chain {
    Chain(
      json: text, path: chain,
      variables: variables.merging(job?.variables ?? [:]) { $1 })
  }

  /// True if the chain of a job has a plugin or has mistakes.
  func hasPlugin(_ job: BatchJob) -> Bool {
    chain(job).dependencies?.units.contains { $0.binary != nil } ?? true
  }

  /// The request that `fxrun run` would make.
  func request(_ job: BatchJob) -> RenderRequest {
    var request = RenderRequest(
      inputs: inputs.merging(["main": job.file.path]) { $1 }, outputs: ["main": job.output])
    request.settings = (settings + job.settings).map { .init($0.parameter, $0.value) }
    request.rawInputs = rawInputs
    if let raw = job.raw { request.rawInputs["main"] = raw }
    request.bypassed = bypassed
    request.scene = scene
    request.start = start
    request.duration = duration
    request.blockSize = blockSize
    // Each processor already has a worker.
    request.threads = 1
    request.memoryLimit = memoryLimit
    encoding.apply(to: &request)
    editing.apply(to: &request)
    request.tags.merge(job.tags) { $1 }
    request.keepsPartials = false
    return request
  }

  /// All settings, for a worker and for keys.
  var json: JSONOutput {
    .members([
      "chain": .string(chain), "text": .string(text), "define": variables.json,
      "set": settings.json, "bypass": .array(bypassed.map { .string($0) }),
      "scene": scene.map { .string($0) }, "inputs": inputs.json,
      "raw": rawInputs.json, "start": .number(start),
      "duration": duration.map { .number($0) }, "blockSize": blockSize.map { .integer($0) },
      "memory": memoryLimit.map { .integer($0) },
      "encoding": encoding.json, "editing": editing.json,
    ])
  }

  init(_ value: ManifestValue) throws(ManifestMistake) {
    chain = try value["chain"].text
    text = try value["text"].text
    variables = try value["define"].texts
    settings = try [BatchJob.Setting](value["set"])
    bypassed = try value["bypass"].list { node throws(ManifestMistake) in try node.text }
    scene = try value.optional("scene")?.text
    inputs = try value["inputs"].texts
    rawInputs = try value["raw"].texts
    start = try value["start"].number
    duration = try value.optional("duration")?.number
    blockSize = try value.optional("blockSize")?.integer
    memoryLimit = try value.optional("memory")?.integer
    encoding = try BatchEncoding(value["encoding"])
    editing = try BatchEditing(value["editing"])
  }
}
