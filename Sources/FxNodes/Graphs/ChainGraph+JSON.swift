package import FxChain

extension ChainGraph {
  /// A chain of version 2 that has been read; nil if it is not the object of a chain.
  ///
  /// - Parameters:
  ///   - root: the value of the text.
  ///   - units: the units of your own that it may name.
  ///   - code: the Swift code that made it.
  package init?(_ root: ChainValue, units: UnitSet, code: CodeOrigin?) {
    guard case .object(let members) = root, root["version"] == 2, let nodes = Self.nodes(root),
      let connections = Self.connections(root)
    else { return nil }
    self.init(isList: root["chain"] != nil, nodes)
    isRead = true
    self.connections = connections
    keys = members.filter { !Self.ownKeys.contains($0.key) }
    given = units
    restore(code)
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
