import CKernels
import FxAudio
import FxChain
import FxEngine
import FxGraph
import FxKit
import FxLV2

extension RenderEnvironment {
  /// What a compiled chain renders with here and now.
  ///
  /// - Parameter fingerprints: of the render; where the sources' digests come from.
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
      seed: compiled.built.seed, units: nodes.compactMap(Self.unit))
  }

  /// The instruction set that kernels use.
  static var processorName: String {
    #if arch(arm64)
      "neon"
    #else
      switch fx_vector_level() {
      case 2: "avx512"
      case 1: "avx2"
      default: "baseline"
      }
    #endif
  }

  private static func unit(_ node: Node) -> Unit? {
    guard case .unit(let unit) = node.content else { return nil }
    switch unit.kind {
    case .builtIn(let name, let revision):
      return Unit(node: node.id, unit: name, version: String(revision))
    case .lv2(let uri):
      let plugin = UnitLibrary.shared.plugins.describe(uri: uri)
      return Unit(
        node: node.id, unit: uri,
        version: "\(plugin?.minorVersion ?? 0).\(plugin?.microVersion ?? 0)",
        binary: plugin?.binary.flatMap(SHA256.digest(ofFile:)),
        state: unit.setup.state.map { state(of: $0, uri) })
    }
  }

  /// What a plugin starts with, wherever it lies.
  private static func state(of state: PluginSetup.State, _ uri: String) -> String {
    if case .folder(let path) = state { return SHA256.digest(ofFile: path) ?? "unreadable" }
    guard let found = try? UnitLibrary.shared.state(state, ofPlugin: uri) else {
      return "unreadable"
    }
    var lines = found.ports.map { "\($0.symbol) \($0.value)" }
    lines += found.parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    lines.append(String(found.propertyCount))
    return SHA256.digest(of: lines.joined(separator: "\n"))
  }
}
