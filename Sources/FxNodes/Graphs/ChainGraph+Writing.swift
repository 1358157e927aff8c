import FxAudio
package import FxChain

extension ChainGraph {
  /// The chain as JSON text, and the code that made its parts.
  package func written() -> (text: String, code: CodeOrigin) {
    var code = CodeOrigin()
    code.sites = sites
    code.mistakes = mistakes
    var members = [ChainValue.Member("version", .number(Double(ChainFormat.version)))]
    members.append(.init(isList ? "chain" : "nodes", writtenNodes(&code)))
    if !connections.isEmpty {
      members.append(.init("connections", .array(connections.map(\.written))))
      for (index, connection) in connections.enumerated() {
        code.sites["/connections/\(index)"] = connection.site
      }
      code.sites["/connections"] = connections[0].site
    }
    var unwritable: [UnwritableValue] = []
    let root = ChainValue.object(Self.ordered(members + keys)).writable(&unwritable)
    for value in unwritable {
      code.mistakes.append(
        Diagnostic(.invalidValue, value.message, site: code.site(of: value.pointer)))
    }
    return ((root ?? .object([])).jsonText + "\n", code)
  }

  /// The other keys in the order of the format.
  var orderedKeys: [ChainValue.Member] { Self.ordered(keys) }

  private static func ordered(_ members: [ChainValue.Member]) -> [ChainValue.Member] {
    let order = ChainFormat.chain.keys.map(\.key)
    let ranks = members.map { order.firstIndex(of: $0.key) ?? order.count }
    return members.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { members[$0] }
  }

  private func writtenNodes(_ code: inout CodeOrigin) -> ChainValue {
    if isList {
      for (index, node) in nodes.enumerated() { code.sites["/chain/\(index)"] = node.site }
      return .array(
        nodes.map { node in
          .object((node.id.map { [.init("id", .string($0))] } ?? []) + node.keys)
        })
    }
    var members: [ChainValue.Member] = []
    for (index, node) in nodes.enumerated() where isWritten(index) {
      code.sites["/nodes/\(pointerStep(node.name))"] = node.site
      members.append(.init(node.name, .object(node.keys)))
    }
    return .object(members)
  }

  /// Takes the code of nodes and connections from the chain that was read.
  mutating func restore(_ code: CodeOrigin?) {
    guard let code else { return }
    mistakes = code.mistakes
    sites = code.sites.filter { pointer, _ in
      !["/nodes", "/chain", "/connections"].contains { pointer.hasPrefix($0) }
    }
    let isList = isList
    restoreNodes { node, index in
      code.site(of: isList ? "/chain/\(index)" : "/nodes/\(pointerStep(node.name))")
    }
    for index in connections.indices {
      connections[index].site = code.site(of: "/connections/\(index)")
    }
  }
}
