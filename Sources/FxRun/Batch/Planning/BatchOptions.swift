import FxAudio
import FxChain
import FxChecks
import FxKit

/// The settings that all files of a batch share: the chain and the request.
struct BatchOptions: Sendable {
  /// The chain file's name in messages, and its text as read at the start.
  package var chain: String
  package var text: String
  package var variables: [String: String] = [:]
  /// The request for every file, which is its input `main`.
  package var request = RenderRequest()

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
    var request = request
    request.inputs["main"] = job.file.path
    request.outputs = ["main": job.parts?.workTemplate ?? job.output]
    request.settings += job.settings.map { .init($0.parameter, $0.value) }
    if let raw = job.raw { request.rawInputs["main"] = raw }
    // Each processor already has a worker.
    request.threads = 1
    request.encoding.tags.merge(job.tags) { $1 }
    request.keepsPartials = false
    request.album = job.levelling.album
    request.isOnlyMeasured = job.levelling.isOnlyMeasured
    if job.levelling.replacesLoudness { request.loudness = nil }
    return request
  }

  /// All settings, for a worker and for keys.
  var json: JSONOutput {
    .members([
      "chain": .string(chain), "text": .string(text), "define": variables.json,
      "set": request.settings.map { BatchJob.Setting($0.parameter, $0.value) }.json,
      "bypass": .array(request.bypassed.map { .string($0) }),
      "scene": request.scene.map { .string($0) }, "inputs": request.inputs.json,
      "raw": request.rawInputs.json,
      "options": .object(
        request.values.sorted { $0.key < $1.key }.map { JSONOutput.Member($0.key, $0.value.json) }),
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    chain = try value["chain"].text
    text = try value["text"].text
    variables = try value["define"].texts
    request.settings = try [BatchJob.Setting](value["set"]).map { .init($0.parameter, $0.value) }
    request.bypassed = try value["bypass"].list { node throws(Failure) in try node.text }
    request.scene = try value.optional("scene")?.text
    request.inputs = try value["inputs"].texts
    request.rawInputs = try value["raw"].texts
    var options: [String: OptionValue] = [:]
    for (key, option) in try value["options"].members { options[key] = try OptionValue(option) }
    request.set(options)
  }
}

extension OptionValue {
  fileprivate var json: JSONOutput {
    switch self {
    case .text(let text), .sound(let text), .model(let text): .string(text)
    case .number(let number): .number(number)
    case .flag(let flag): .bool(flag)
    case .texts(let texts): texts.json
    }
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    if let flag = try? value.flag {
      self = .flag(flag)
    } else if let number = try? value.number {
      self = .number(number)
    } else if let texts = try? value.texts {
      self = .texts(texts)
    } else {
      self = .text(try value.text)
    }
  }
}
