/// All that a render's bits can depend on, as far as it can be known without listening.
package struct RenderEnvironment: Sendable, Equatable {
  /// A built-in unit or a plugin that the chain uses.
  package struct Unit: Sendable, Equatable {
    package var node: String
    /// `compressor`, or a plugin's URI.
    package var unit: String
    /// A built-in's revision, a plugin's `minor.micro`.
    package var version: String
    /// Of the plugin's binary, SHA-256; nil for a built-in unit.
    package var binary: String?
    /// Of the preset or state that it starts with, SHA-256; nil for none.
    package var state: String?

    package init(
      node: String, unit: String, version: String, binary: String? = nil, state: String? = nil
    ) {
      self.node = node
      self.unit = unit
      self.version = version
      self.binary = binary
      self.state = state
    }
  }

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
  package var units: [Unit]

  package init(
    fxrun: String, chain: String, graph: [GraphFact], inputs: [String: UInt64], sampleRate: Double,
    blockSize: Int, processor: String, flushesDenormals: Bool, seed: UInt64, units: [Unit]
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
