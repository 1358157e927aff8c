import FxAudio
import FxChain
import FxUnits

extension ChainGraph {
  /// Puts a node between two that are connected. A gain, a delay and `feedback` stay behind the
  /// new node, chosen channels before it; a mixer keeps its strip.
  ///
  /// - Returns: the new node in this graph.
  @discardableResult
  public mutating func insert<Value: ChainNode>(
    _ node: Value, between source: some GraphEnd, and destination: some GraphEnd,
    fileID: String = #fileID, line: Int = #line
  ) -> GraphNode<Value> {
    let site = CallSite(file: fileID, line: line)
    let (source, destination) = (source.end, destination.end)
    guard isOwn(source, site), isOwn(destination, site) else { return add(node) }
    if isList {
      guard let index = index(of: source.node), nodes.indices.contains(index + 1),
        nodes[index + 1].name == destination.node
      else {
        reportUnconnected(source, destination, site)
        return add(node)
      }
      return GraphNode(node, id: add(node.node, at: index + 1), identity)
    }
    let found = connections.indices.filter {
      source.matches(connections[$0].source) && destination.matches(connections[$0].destination)
    }
    let added = add(node)
    if found.isEmpty { reportUnconnected(source, destination, site) }
    for index in found.reversed() { divide(index, by: added.id, site) }
    return added
  }

  private mutating func reportUnconnected(
    _ source: GraphPort, _ destination: GraphPort, _ site: CallSite
  ) {
    mistakes.append(
      Diagnostic(
        .invalidConnection, "nothing connects '\(source.text)' to '\(destination.text)'",
        site: site))
  }

  private mutating func divide(_ index: Int, by id: String, _ site: CallSite) {
    let whole = connections[index]
    var destination = whole.destination
    // A strip is named after the node that feeds it, unless the connection names the strip.
    let end = destination.end
    if end.port == nil, hasNamedInputs(end.node) {
      destination = "\(end.node):\(whole.source.end.node)"
    }
    let first = Connection(
      whole.source, id, keys: whole.keys.filter { $0.key == "channels" }, site: site)
    let second = Connection(
      id, destination, keys: whole.keys.filter { $0.key != "channels" }, site: whole.site)
    connections.replaceSubrange(index...index, with: [first, second])
  }

  /// Removes a node and its connections.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - joins: true to connect the nodes before it with those after it.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public mutating func remove(
    _ node: some GraphEnd, joins: Bool = false, fileID: String = #fileID, line: Int = #line
  ) {
    let site = CallSite(file: fileID, line: line)
    let end = node.end
    guard isOwn(end, site) else { return }
    guard let index = index(of: end.node) else {
      mistakes.append(
        Diagnostic(.unknownNode, "there is no node '\(end.node)' to remove", site: site))
      return
    }
    removeNode(at: index)
    let id = end.node
    let before = connections.filter { $0.destination.end.node == id }
    let after = connections.filter { $0.source.end.node == id }
    connections.removeAll { $0.source.end.node == id || $0.destination.end.node == id }
    guard joins else { return }
    for first in before {
      for second in after {
        var destination = second.destination
        if destination.end.port == nil, hasNamedInputs(destination.end.node) {
          destination = "\(destination):\(id)"
        }
        let channels = first.keys.filter { $0.key == "channels" }
        connections.append(
          Connection(first.source, destination, keys: channels + second.keys, site: site))
      }
    }
  }

  /// Replaces a node; its id and its connections stay.
  ///
  /// - Returns: the new node in this graph.
  @discardableResult
  public mutating func replace<Value: ChainNode>(
    _ node: some GraphEnd, with replacement: Value, fileID: String = #fileID, line: Int = #line
  ) -> GraphNode<Value> {
    let site = CallSite(file: fileID, line: line)
    let id = node.end.node
    if isOwn(node.end, site) {
      if index(of: id) == nil {
        mistakes.append(
          Diagnostic(.unknownNode, "there is no node '\(id)' to replace", site: site))
      } else {
        self[id] = replacement.node
      }
    }
    return GraphNode(replacement, id: id, identity)
  }
}

extension ChainGraph {
  /// True for a unit whose inputs are named after the nodes that feed them: a mixer.
  private func hasNamedInputs(_ id: String) -> Bool {
    guard let unit = self[id]?.unit else { return false }
    let types = units.types + UnitSet.ofProgram.types + BuiltInUnits.all
    return types.first { $0.spec.id == unit }?.spec.list?.form == .namedInputs
  }
}

extension ChainGraph {
  /// Adds a node that receives the output of another one, in addition to where it goes.
  package mutating func add(_ node: Node, receiving source: GraphPort) {
    if isList, source.port == nil, let index = index(of: source.node) {
      _ = add(node, at: index + 1)
    } else {
      connect(source, to: add(node))
    }
  }
}
