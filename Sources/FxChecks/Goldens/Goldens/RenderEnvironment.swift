package import FxKit

/// Everything known that a render's bits can depend on.
package struct RenderEnvironment: Sendable, Equatable {
  /// `0.1.0`.
  package var fxrun: String
  /// SHA-256 of the chain file.
  package var chain: String
  /// The complete chain with its included chains, as facts, so that a change can be named.
  package var graph: [GraphFact]
  /// The digest of each source's samples, by the id of its node.
  package var inputs: [String: UInt64]
  package var sampleRate: Double
  package var blockSize: Int
  /// `baseline`, `avx2`, `avx512`, `neon`.
  package var processor: String
  var flushesDenormals: Bool
  package var seed: UInt64
  package var units: [UnitIdentity]
  /// Empty in earlier manifests.
  package var shapes: [NodeShape] = []
  /// The messages of MIDI files by node id; empty in earlier manifests.
  package var midi: [String: [String]] = [:]

  package init(
    fxrun: String, chain: String, graph: [GraphFact], inputs: [String: UInt64], sampleRate: Double,
    blockSize: Int, processor: String, flushesDenormals: Bool, seed: UInt64, units: [UnitIdentity]
  ) {
    self.fxrun = fxrun
    self.chain = chain
    self.graph = graph
    self.inputs = inputs
    self.sampleRate = sampleRate
    self.blockSize = blockSize
    self.processor = processor
    self.flushesDenormals = flushesDenormals
    self.seed = seed
    self.units = units
  }
}

extension RenderEnvironment {
  /// The name of the output that a sink node belongs to; nil for other nodes.
  func output(ofNode id: String) -> String? {
    graph.first { $0.name == id }?.value("sink").map { words in
      words.hasPrefix("file ") ? String(words.dropFirst(5)) : words == "stdout" ? "main" : words
    }
  }
}
