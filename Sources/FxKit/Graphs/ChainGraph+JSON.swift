import FxAudio
import FxChain

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
    guard case .object(let members) = root, root["version"] == 2, let nodes = Self.nodes(root),
      let connections = Self.connections(root)
    else {
      let mistakes = chain.checked()
      throw mistakes.hasErrors
        ? ChainFailure(mistakes)
        : ChainFailure(.chain, code: .chain, "\(chain.path) is not a chain", path: chain.path)
    }
    self.init(isList: root["chain"] != nil, nodes)
    self.connections = connections
    keys = members.filter { !Self.ownKeys.contains($0.key) }
    given = chain.units
    restore(chain.code)
  }

  private static func value(_ bytes: [UInt8], _ chain: Chain) throws(ChainFailure) -> ChainValue {
    var found = Diagnostics()
    let text = SourceText(path: chain.path, bytes: bytes, code: chain.code)
    guard let document = JSONDocument.read(text, into: &found), !found.hasErrors else {
      throw ChainFailure(found)
    }
    return ChainValue(document.root)
  }

  /// The nodes of a chain; nil if they are not a list or an object of objects.
  private static func nodes(_ root: ChainValue) -> [Node]? {
    var nodes: [Node] = []
    switch (root["chain"], root["nodes"]) {
    case (.array(let elements)?, nil):
      for element in elements {
        guard case .object(let members) = element else { return nil }
        let id = members.value(of: "id")
        if let id, id.text == nil { return nil }
        nodes.append(Node(id: id?.text, keys: members.filter { $0.key != "id" }))
      }
    case (nil, .object(let members)?):
      for member in members {
        guard case .object(let keys) = member.value else { return nil }
        nodes.append(Node(id: member.key, keys: keys))
      }
    default: return nil
    }
    return nodes
  }

  /// The connections of a chain; nil if they are not a list of strings and objects.
  private static func connections(_ root: ChainValue) -> [Connection]? {
    guard let written = root["connections"] else { return [] }
    guard case .array(let elements) = written else { return nil }
    var connections: [Connection] = []
    for element in elements {
      switch element {
      case .string(let text): connections += arrows(text)
      case .object(let members):
        let ends = (members.value(of: "from")?.text, members.value(of: "to")?.text)
        guard case (let from?, let to?) = ends else {
          connections.append(Connection("", "", site: nil, other: element))
          continue
        }
        let keys = members.filter { $0.key != "from" && $0.key != "to" }
        connections.append(Connection(from, to, keys: keys, site: nil))
      default: return nil
      }
    }
    return connections
  }

  /// `a -> b:port -> c` as connections of two nodes each.
  private static func arrows(_ text: String) -> [Connection] {
    let parts: [Substring] = text.split(separator: "->", omittingEmptySubsequences: false)
    let ends = parts.map { part in
      var end = part.drop { $0 == " " }
      while end.last == " " { end.removeLast() }
      return String(end)
    }
    guard ends.count > 1, ends.allSatisfy({ !$0.isEmpty }) else {
      return [Connection("", "", site: nil, other: .string(text))]
    }
    return zip(ends, ends.dropFirst()).enumerated().map { index, pair in
      // In the middle the port belongs to the input.
      Connection(index == 0 ? pair.0 : pair.0.end.node, pair.1, site: nil)
    }
  }

  /// The chain as a JSON text of version 2: indented, in the order of the format.
  ///
  /// A node with the id of an earlier one is left out, and so is a number that is not finite; a
  /// check reports both.
  public var json: String { written().text }
}
