import FxAudio
import FxChain
import FxChecks
import FxKit

/// Renders samples or files through a chain into memory. It writes no file and uses no device.
struct ServeRender {
  /// The values of `fxrun run` that make sense in memory.
  struct Options {
    fileprivate var request = RenderRequest()

    init(_ value: ManifestValue?) throws(Failure) {
      guard let value else { return }
      try value.allow(
        "set", "bypass", "scene", "start", "duration", "sampleRate", "blockSize", "threads",
        "loudness")
      for (name, setting) in try value.optional("set")?.members ?? [] {
        request.settings.append(RenderRequest.Setting(name, try setting.text))
      }
      request.bypassed =
        try value.optional("bypass")?.list { name throws(Failure) in try name.text } ?? []
      request.scene = try value.optional("scene")?.text
      request.start = try value.optional("start")?.number ?? 0
      request.duration = try value.optional("duration")?.number
      request.sampleRate = try value.optional("sampleRate")?.number
      request.blockSize = try value.optional("blockSize")?.integer
      request.threads = try value.optional("threads")?.integer
      request.loudness = try value.optional("loudness")?.number
    }
  }

  let chain: ServeChain
  let inputs: [String: ServeRequest.Source]
  let options: Options

  func answer() throws(ChainFailure) -> ServeAnswer {
    var request = options.request
    for (name, input) in inputs {
      switch input {
      case .file(let path): request.inputs[name] = path
      case .samples(let format, let channels):
        request.sampleInputs[name] = .samples(format, channels)
      }
    }
    let memory = MemoryEndpoints()
    request.memory = memory
    let job = try RenderJob(try chain.load(), request)
    let summary = try job.render()
    let outputs = memory.outputs
    return ServeAnswer(
      .members([
        "outputs": .array(
          outputs.map { name, sink in
            .members([
              "name": .string(name), "sampleRate": .number(sink.format.sampleRate),
              "channels": .integer(sink.channels.count),
              "frames": .integer(sink.channels.first?.count ?? 0),
            ])
          }),
        "summary": SummaryReport(summary: summary, diagnostics: job.diagnostics).json,
      ]), samples: outputs.flatMap(\.sink.channels))
  }
}
