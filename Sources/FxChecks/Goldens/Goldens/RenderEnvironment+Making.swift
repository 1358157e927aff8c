import CKernels
import FxAudio
import FxChain
import FxEngine
import FxKit
import FxLV2

extension RenderEnvironment {
  /// The environment in which a compiled chain renders now.
  ///
  /// - Parameter fingerprints: the render's fingerprints, with the digests of its sources.
  init(_ compiled: CompiledChain, chain: Chain, fingerprints: [RenderFingerprint]) {
    let nodes = compiled.resolved.graph.nodes
    var inputs: [String: UInt64] = [:]
    for fingerprint in fingerprints where nodes.indices.contains(fingerprint.node) {
      if let sound = fingerprint.sound { inputs[nodes[fingerprint.node].id] = sound }
    }
    self.init(
      fxrun: Release.version, chain: SHA256.digest(of: chain.bytes),
      graph: GraphFact.facts(of: compiled), inputs: inputs, sampleRate: compiled.sampleRate,
      blockSize: compiled.blockSize, processor: Self.processorName, flushesDenormals: true,
      seed: compiled.built.seed, units: nodes.compactMap { UnitIdentity($0) })
    shapes = NodeShape.shapes(of: compiled)
    midi = MIDIWords.messages(of: compiled.built.graph)
  }

  /// The instruction set that the kernels use.
  static var processorName: String {
    #if arch(arm64)
      "neon"
    #else
      switch fx_vector_level() {
      case 2...: "avx512"
      case 1: "avx2"
      default: "baseline"
      }
    #endif
  }
}
