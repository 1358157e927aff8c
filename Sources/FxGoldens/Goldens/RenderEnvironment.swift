package import FxKit

/// All that a render's bits can depend on, as far as it can be known without listening.
package struct RenderEnvironment: Sendable, Equatable {
  /// `0.1.0`.
  package var fxrun: String
  /// SHA-256 of the chain file.
  package var chain: String
  /// What the chain comes to, with all that it uses, so that a change can be named.
  package var graph: [GraphFact]
  /// By source, by its node's id: the digest of the samples that went in.
  package var inputs: [String: UInt64]
  package var sampleRate: Double
  package var blockSize: Int
  /// `baseline`, `avx2`, `avx512`, `neon`.
  package var processor: String
  package var flushesDenormals: Bool
  package var seed: UInt64
  package var units: [UnitIdentity]

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
  /// The output that a node is the sink of, by its name; nil for any other node.
  func output(ofNode id: String) -> String? {
    graph.first { $0.name == id }?.value("sink").map { words in
      words.hasPrefix("file ") ? String(words.dropFirst(5)) : words == "stdout" ? "main" : words
    }
  }
}
