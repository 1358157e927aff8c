package import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The names in a chain that a command line can mention, for completion.
package struct ChainNames: Sendable {
  /// The chain's variables.
  package private(set) var variables: [String] = []
  /// The nodes with a unit or a plugin.
  package private(set) var nodes: [String] = []
  package private(set) var scenes: [String] = []
  package private(set) var inputs: [String] = []
  package private(set) var outputs: [String] = []
  /// The parameters, with the words that they accept.
  package private(set) var parameters: [(name: String, words: [String])] = []

  /// - Parameter chain: a chain with a mistake has its variables only.
  package init(_ chain: Chain) {
    var found = Diagnostics()
    let text = SourceText(path: chain.path, bytes: chain.bytes)
    variables =
      JSONDocument.read(text, into: &found)?.root["variables"]?.members.compactMap(\.key.string)
      ?? []
    guard let built = try? chain.outline(.check()).built else { return }
    scenes = built.scenes.map(\.name)
    (inputs, outputs) = (built.inputNames, built.outputNames)
    for (name, parameter) in built.exposed.sorted(by: { $0.key < $1.key }) {
      parameters.append((name, Self.words(parameter.spec)))
    }
    for node in built.graph.nodes {
      guard let unit = node.unit else { continue }
      nodes.append(node.id)
      for slot in unit.parameters {
        parameters.append(("\(node.id).\(slot.path)", Self.words(slot.spec)))
      }
    }
  }

  /// The parameters and options of a unit, with the words that they accept.
  package static func values(_ unit: UnitSpec) -> [(name: String, words: [String])] {
    unit.parameters.map { ($0.id, words($0)) }
      + unit.options.map { option in
        if case .choice(let words) = option.kind { return (option.key, words) }
        return (option.key, option.kind == .flag ? ["true", "false"] : [])
      }
  }

  private static func words(_ spec: ParameterSpec) -> [String] {
    spec.isToggle ? ["true", "false"] : spec.choices.map(\.label)
  }
}
