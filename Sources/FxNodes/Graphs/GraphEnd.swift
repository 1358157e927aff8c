/// What a connection may begin or end at: a node, a port of a node, or its spelling in a chain file
/// (`"comp:sidechain"`).
public protocol GraphEnd: Sendable {
  var end: GraphPort { get }
}

/// A port of a node in a graph.
public struct GraphPort: GraphEnd {
  /// The id of the node.
  public let node: String
  /// The name of the port; nil for the main one.
  public let port: String?
  /// One channel of the port, from 1; nil for all of them.
  public let channel: Int?
  /// The graph that the node was added to; nil for a node that is known by its name only.
  var graph: GraphIdentity?
  /// The element of the node's list that a connection to this port sets.
  var item: Item?

  /// An element of a node's list, such as the strip of a mixer.
  struct Item: Sendable {
    let list: String
    let fields: NodeItemFields
  }

  public init(_ node: String, port: String? = nil, channel: Int? = nil) {
    self.node = node
    self.port = port
    self.channel = channel
  }

  public var end: GraphPort { self }

  /// As a chain file spells it: `comp`, `comp:sidechain`, `map:in[2]`.
  var text: String {
    let port = port.map { ":\($0)" } ?? ""
    return node + port + (channel.map { "[\($0)]" } ?? "")
  }
}

extension String: GraphEnd {
  public var end: GraphPort {
    let parts = split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return GraphPort(self) }
    return GraphPort(String(parts[0]), port: String(parts[1]))
  }
}

/// Tells the nodes of one graph, and of its copies, from those of another.
final class GraphIdentity: Sendable {}
