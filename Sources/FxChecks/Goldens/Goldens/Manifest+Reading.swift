package import FxAudio
import FxChain
package import FxKit

extension Manifest {
  /// The code of the failure for a pointer of Git LFS.

  /// Reads a manifest.
  ///
  /// - Throws: `ChainFailure` of kind `input` if the file is missing or has a mistake.
  package init(contentsOfFile path: String) throws(ChainFailure) {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try ChainFile.readNamed(path)
    } catch {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): the golden cannot be read: \(error.message)",
        path: path)
    }
    guard !GitLFSPointer.matches(bytes) else {
      throw ChainFailure(
        .input, code: .gitLfsPointer,
        "\(path): \(GitLFSPointer.message); \(GitLFSPointer.hint)", path: path)
    }
    var found = Diagnostics()
    guard let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found),
      !found.hasErrors
    else { throw .badManifest(path, found.all.first?.message ?? "not JSON") }
    do throws(Failure) {
      try self.init(ManifestValue(document.root, "the manifest"))
    } catch {
      throw .badManifest(path, error.message)
    }
  }

  private init(_ value: ManifestValue) throws(Failure) {
    let version = try value["golden"].integer
    guard version == Self.version else {
      throw Failure(
        .badRecord, "it is of version \(version), and this fxrun reads version \(Self.version)")
    }
    outputs = try value["outputs"].list(Output.init)
    environment = try RenderEnvironment(value["environment"])
    fingerprints = try NodeFingerprints(value["nodes"])
    cost = try value.optional("cost").map(NodeCosts.init)
    // Goldens of fxrun 0.1 do not have this key.
    let revision = try value.optional("signals")?.integer ?? DefaultSignals.shared.rawValue
    guard let known = DefaultSignals(rawValue: revision) else {
      throw Failure(
        .badRecord,
        "its inputs had test signals of revision \(revision), which this fxrun does not know")
    }
    signals = known
  }
}

extension ChainFailure {
  fileprivate static func badManifest(_ path: String, _ message: String) -> ChainFailure {
    ChainFailure(
      .input, code: .badGolden,
      "\(path): this is no manifest of a golden: \(message); "
        + "take it from your version control again, or update the golden with --update",
      path: path)
  }
}

extension Manifest.Output {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      name: try value["name"].text,
      shape: Comparison.Shape(
        channelCount: try value["channels"].integer, frameCount: try value["frames"].integer,
        sampleRate: try value["sampleRate"].number),
      digest: try value["digest"].hexadecimal,
      sound: try value.optional("sound").map { value throws(Failure) in try value.text })
    soundDigest = try value.optional("soundDigest").map { value throws(Failure) in
      try value.hexadecimal
    }
  }
}

extension RenderEnvironment {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    var inputs: [String: UInt64] = [:]
    for (key, digest) in try value["inputs"].members { inputs[key] = try digest.hexadecimal }
    guard let seed = UInt64(try value["seed"].text) else {
      throw Failure(.badRecord, "'seed' is no whole number")
    }
    self.init(
      fxrun: try value["fxrun"].text, chain: try value["chain"].text,
      graph: try value["graph"].list(GraphFact.init), inputs: inputs,
      sampleRate: try value["sampleRate"].number, blockSize: try value["blockSize"].integer,
      processor: try value["processor"].text,
      flushesDenormals: try value["flushesDenormals"].flag, seed: seed,
      units: try value["units"].list(UnitIdentity.init))
    shapes = try value.optional("shapes")?.list(NodeShape.init) ?? []
    for (node, messages) in try value.optional("midi")?.members ?? [] {
      midi[node] = try messages.list { value throws(Failure) in try value.text }
    }
  }
}

extension GraphFact {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    func fact(_ value: ManifestValue) throws(Failure) -> Value {
      let text = try value.text
      guard let colon = text.firstIndex(of: ":") else { return Value(text, "") }
      // The name of a plugin property is a URI, which itself contains a colon.
      var end = colon
      while !text[end...].hasPrefix(": ") {
        guard let next = text[text.index(after: end)...].firstIndex(of: ":") else {
          return Value(text, "")
        }
        end = next
      }
      return Value(String(text[..<end]), String(text[end...].dropFirst(2)))
    }
    self.init(try value["of"].text, try value["is"].list(fact))
  }
}

extension NodeShape {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    func text(_ value: ManifestValue) throws(Failure) -> String { try value.text }
    self.init(
      node: try value["node"].text, latency: try value["latency"].count,
      inputs: try value["inputs"].list(text), outputs: try value["outputs"].list(text),
      instances: try value.optional("instances")?.integer)
  }
}

extension UnitIdentity {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    func text(_ value: ManifestValue) throws(Failure) -> String { try value.text }
    self.init(
      node: try value["node"].text, unit: try value["unit"].text,
      version: try value["version"].text, binary: try value.optional("binary").map(text),
      state: try value.optional("state").map(text),
      bundles: try value.optional("bundles")?.list(text) ?? [])
  }
}

extension NodeFingerprints {
  package init(_ value: ManifestValue) throws(Failure) {
    let window = try value["windowFrames"].integer
    guard (1...Self.longestWindow).contains(window), window.nonzeroBitCount == 1 else {
      throw Failure(.badRecord, "'windowFrames' is no power of two up to \(Self.longestWindow)")
    }
    self.init(
      windowFrameCount: window,
      nodes: try value["prints"].list(NodeFingerprint.init))
    frameCount = try value.optional("frames")?.integer
  }
}

extension NodeFingerprint {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      id: try value["node"].text, unit: try value["unit"].text,
      sources: try value.optional("hears")?.list { value throws(Failure) in
        try value.text
      } ?? [],
      input: try value.optional("input").map(Side.init),
      output: try value.optional("output").map(Side.init))
    repeats = try value.optional("repeats")?.flag ?? true
    for (id, frames) in try value.optional("later")?.members ?? [] {
      let count = try frames.integer
      guard (0...NodeFingerprints.longestDelay).contains(count) else {
        throw Failure(.badRecord, "'later' has a delay of \(count) frames")
      }
      delays[id] = count
    }
  }
}

extension NodeFingerprint.Side {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      channelCount: try value["channels"].integer, windows: try value["windows"].windows,
      peak: try value["peak"].number, rms: try value["rms"].number)
  }
}

extension NodeCosts {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    var nodes: [Node] = []
    for (id, cost) in try value["nodes"].members {
      nodes.append(Node(id: id, cost: try cost.number))
    }
    self.init(total: try value["total"].number, nodes: nodes)
  }
}
