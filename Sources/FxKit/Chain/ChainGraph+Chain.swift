import FxAudio
import FxChain
public import FxNodes

extension ChainGraph {
  /// Reads a chain from a JSON text. Keys that have no typed form stay as they are.
  ///
  /// A chain of version 1 is rewritten for version 2, with the same sound.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - path: its name in messages. For a chain of version 1 the files that it names are found
  ///     relative to its folder.
  /// - Throws: `ChainFailure` of kind `chain` for a text that is no chain, and for a chain of
  ///   version 1 with mistakes. Other mistakes are reported when the chain is checked.
  public init(json: String, path: String = "chain.json") throws(ChainFailure) {
    try self.init(Chain(json: json, path: path))
  }

  /// Reads the nodes and the connections of a chain.
  ///
  /// - Throws: `ChainFailure` of kind `chain` for a text that is no chain, and for a chain of
  ///   version 1 with mistakes. Other mistakes are reported when the chain is checked.
  public init(_ chain: Chain) throws(ChainFailure) {
    var root = try Self.value(chain.bytes, chain)
    if root["version"] == 1, let upgrade = try ChainUpgrade(chain) {
      root = try Self.value(upgrade.bytes, chain)
    }
    guard let graph = ChainGraph(root, units: chain.units, code: chain.code) else {
      let mistakes = chain.checked()
      throw mistakes.hasErrors
        ? ChainFailure(mistakes)
        : ChainFailure(.chain, code: .chain, "\(chain.path) is not a chain", path: chain.path)
    }
    self = graph
  }

  private static func value(_ bytes: [UInt8], _ chain: Chain) throws(ChainFailure) -> ChainValue {
    var found = Diagnostics()
    let text = SourceText(path: chain.path, bytes: bytes, code: chain.code)
    guard let document = JSONDocument.read(text, into: &found), !found.hasErrors else {
      throw ChainFailure(found)
    }
    return ChainValue(document.root)
  }
}

extension Chain {
  /// Makes a chain from a list of nodes, which are connected in their order.
  ///
  ///     let chain = Chain {
  ///       HighPass(frequency: .hertz(80))
  ///       if isLoud { Limiter(ceiling: -1) }
  ///     }
  ///
  /// - Parameters:
  ///   - path: the chain's name in messages. Files that the nodes name are relative to its folder.
  ///   - variables: values that replace the chain's own `variables`.
  ///   - nodes: the nodes in their order.
  public init(
    path: String = "chain.json", variables: [String: String] = [:],
    @NodeListBuilder _ nodes: () -> [Node]
  ) {
    self.init(ChainGraph(nodes), path: path, variables: variables)
  }

  /// Makes a chain from a graph. Its mistakes name the lines of Swift code that made the nodes and
  /// the connections.
  ///
  /// - Parameters:
  ///   - graph: the nodes and the connections.
  ///   - path: the chain's name in messages. Files that the nodes name are relative to its folder.
  ///   - variables: values that replace the chain's own `variables`.
  public init(
    _ graph: ChainGraph, path: String = "chain.json", variables: [String: String] = [:]
  ) {
    let written = graph.written()
    self.init(Array(written.text.utf8), path: path, variables, graph.units, code: written.code)
  }
}
