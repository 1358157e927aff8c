import FxAudio
import FxChain
import FxChecks
import FxKit

/// A request of another program.
enum ServeRequest {
  case render(ServeRender)
  case check(ServeChain, sampleRate: Double, channels: Int)
  case stats(Source)
  case test(ServeTest)

  /// A file, or samples that follow the request.
  enum Source {
    case file(String)
    case samples(SampleFormat, [[Float]])
  }

  /// Reads a request and the samples that follow it.
  static func read(_ line: [UInt8], _ stream: ServeStream) -> Result<ServeRequest, ChainFailure> {
    var found = Diagnostics()
    let text = SourceText(path: "request", bytes: line)
    guard let document = JSONDocument.read(text, into: &found), !found.hasErrors else {
      return .failure(mistake(found.all.first?.message ?? "is no JSON"))
    }
    do throws(Failure) {
      return .success(try request(ManifestValue(document.root, "the request"), stream))
    } catch {
      return .failure(mistake(error.message))
    }
  }

  private static func mistake(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: .usage, "the request cannot be read: \(message)")
  }

  private static func request(
    _ value: ManifestValue, _ stream: ServeStream
  ) throws(Failure) -> ServeRequest {
    switch try value["do"].text {
    case "render":
      try value.allow("do", "chain", "inputs", "options")
      let chain = try ServeChain(value["chain"])
      let options = try ServeRender.Options(value.optional("options"))
      var inputs: [String: Source] = [:]
      for (name, input) in try value["inputs"].members {
        inputs[name] = try source(input, stream)
      }
      return .render(ServeRender(chain: chain, inputs: inputs, options: options))
    case "check":
      try value.allow("do", "chain", "sampleRate", "channels")
      return .check(
        try ServeChain(value["chain"]), sampleRate: try value["sampleRate"].number,
        channels: try value["channels"].integer)
    case "stats":
      try value.allow("do", "input")
      return .stats(try source(value["input"], stream))
    case "test":
      try value.allow("do", "file", "text", "record", "folder")
      return .test(
        ServeTest(
          file: try value["file"].text, text: try value.optional("text")?.text,
          recording: try value.optional("record")?.word(ServeTest.Recording.self),
          folder: try value.optional("folder")?.text))
    case let name:
      throw Failure(.badRecord, "there is no request '\(name)': render, check, stats or test")
    }
  }

  private static func source(
    _ value: ManifestValue, _ stream: ServeStream
  ) throws(Failure) -> Source {
    if let file = value.optional("file") {
      try value.allow("file")
      return .file(try file.text)
    }
    try value.allow("sampleRate", "channels", "frames")
    let format = SampleFormat(
      sampleRate: try value["sampleRate"].number, channels: try value["channels"].integer)
    let frames = try value["frames"].integer
    guard format.channels <= 256, frames <= Sound.largestSampleCount / max(format.channels, 1)
    else {
      throw Failure(
        .badRecord, "\(format.channels) channels of \(frames) frames are too many samples")
    }
    var channels: [[Float]] = []
    for _ in 0..<format.channels {
      guard let samples = stream.samples(frames) else {
        throw Failure(.badRecord, "the input ends within its samples")
      }
      channels.append(samples)
    }
    return .samples(format, channels)
  }

  private static func check(_ format: SampleFormat) throws(ChainFailure) {
    guard (100...3_072_000).contains(format.sampleRate), (1...256).contains(format.channels) else {
      throw ChainFailure(
        .request, code: .outOfRange,
        "no sound has \(format.channels) channels at \(format.sampleRate) Hz: 1 to 256 at 100 to 3072000 Hz do"
      )
    }
  }

  func answer() -> ServeAnswer {
    do throws(ChainFailure) {
      if let mistake = PluginHosting.mistake {
        throw ChainFailure(.request, code: .usage, mistake)
      }
      switch self {
      case .render(let render): return try render.answer()
      case .check(let chain, let sampleRate, let channels):
        try Self.check(SampleFormat(sampleRate: sampleRate, channels: channels))
        let found = try chain.load().checked(sampleRate: sampleRate, channels: channels)
        return ServeAnswer(found.json)
      case .stats(.file(let path)):
        return ServeAnswer(try FileStatistics(path: path) { _, _ in true }.json)
      case .stats(.samples(let format, let channels)):
        try Self.check(format)
        return ServeAnswer(try FileStatistics(format, channels, name: "samples").json)
      case .test(let test): return try test.answer()
      }
    } catch {
      return ServeAnswer(error)
    }
  }
}

/// The chain of a request: a file, the name of an installed chain, or a text.
struct ServeChain {
  private let named: String?
  private let text: (json: String, path: String)?
  private let variables: [String: String]

  init(_ value: ManifestValue) throws(Failure) {
    try value.allow("name", "text", "path", "define")
    named = try value.optional("name")?.text
    let json = try value.optional("text")?.text
    let path = try value.optional("path")?.text ?? "chain.json"
    text = json.map { ($0, path) }
    guard (named == nil) != (text == nil) else {
      throw Failure(.badRecord, "a chain has a 'name' or a 'text'")
    }
    var variables: [String: String] = [:]
    for (name, value) in try value.optional("define")?.members ?? [] {
      variables[name] = try value.text
    }
    self.variables = variables
  }

  func load() throws(ChainFailure) -> Chain {
    if let text { return Chain(json: text.json, path: text.path, variables: variables) }
    return try Chain(named: named ?? "", variables: variables)
  }
}

extension ManifestValue {
  /// Refuses other keys: a key with a spelling mistake would have no effect.
  func allow(_ names: String...) throws(Failure) {
    for (name, _) in try members where !names.contains(name) {
      throw Failure(.badRecord, "there is no key '\(name)' here: \(names.joined(separator: ", "))")
    }
  }
}
