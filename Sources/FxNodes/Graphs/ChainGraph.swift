import FxAudio
import FxChain

/// The nodes of a chain and their connections, as a value that code makes and changes.
///
///     var graph = ChainGraph()
///     let voice = graph.add(Input("voice"))
///     let mix = graph.add(Mixer(id: "mix"))
///     graph.connect(voice, to: mix.strip("voice", gain: .decibels(-3)))
///     graph.connect(mix, to: graph.add(Output()))
///     try Chain(graph).render(request)
///
/// A graph is the same document as a chain file, and reads and writes its JSON. Mistakes, such as an
/// id that two nodes have, are reported all together when the chain is checked, rendered or played.
public struct ChainGraph: Sendable {
  /// The nodes in their order. In a graph each one has an id.
  public private(set) var nodes: [Node] = []
  /// The connections in their order, in which signals at one input are summed.
  public internal(set) var connections: [Connection] = []
  /// True for a list of nodes, which are connected in their order; false for a graph with
  /// connections.
  public let isList: Bool
  /// The other keys of the chain, apart from its version.
  var keys: [ChainValue.Member] = []
  /// The code of these keys, by JSON pointer.
  var sites: [String: CallSite] = [:]
  var mistakes: [Diagnostic] = []
  /// The units of the chain that it was read from.
  var given: UnitSet = []
  let identity = GraphIdentity()
  /// True for a graph that was read from a chain: it knows the nodes of the graph from which that chain was
  /// made by their names.
  var isRead = false
  /// The first node of each id.
  private var indices: [String: Int] = [:]
  /// The last number of an automatic id, by its name.
  private var numbers: [String: Int] = [:]

  /// A graph without nodes.
  public init() { isList = false }

  /// A list of nodes, which are connected in their order.
  ///
  ///     let voice = ChainGraph {
  ///       HighPass(frequency: .hertz(80))
  ///       Compressor(ratio: 4)
  ///     }
  public init(@NodeListBuilder _ nodes: () -> [Node]) {
    self.init(isList: true, nodes())
  }

  init(isList: Bool, _ nodes: [Node]) {
    self.isList = isList
    for node in nodes { append(node) }
  }

  // MARK: Nodes

  /// Adds a node after the others.
  ///
  /// A node without an id gets an automatic one: its unit's name, with a number from the second node
  /// of this name on.
  ///
  /// - Returns: the node in this graph, with which it is connected.
  @discardableResult
  public mutating func add<Value: ChainNode>(_ node: Value) -> GraphNode<Value> {
    let id = add(node.node, at: nodes.count)
    return GraphNode(node, id: id, identity)
  }

  /// Inserts a node at an index; the id that it has here.
  mutating func add(_ node: Node, at index: Int) -> String {
    var node = node
    if let id = node.id {
      reportTaken(id, node.site)
    } else {
      let id = freeID(node.automaticName)
      // In a list an automatic id is not written, so that the text is the one of a hand.
      if !isList || id != node.automaticName { node.id = id }
    }
    nodes.insert(node, at: index)
    if index == nodes.count - 1 {
      note(node, at: index)
    } else {
      renumber()
    }
    return node.name
  }

  private mutating func append(_ node: Node) {
    if let id = node.id { reportTaken(id, node.site) }
    nodes.append(node)
    note(node, at: nodes.count - 1)
  }

  private mutating func note(_ node: Node, at index: Int) {
    if indices[node.name] == nil { indices[node.name] = index }
  }

  private mutating func renumber() {
    indices = [:]
    for (index, node) in nodes.enumerated() { note(node, at: index) }
  }

  private mutating func freeID(_ base: String) -> String {
    guard indices[base] != nil else { return base }
    var number = (numbers[base] ?? 1) + 1
    while indices["\(base)\(number)"] != nil { number += 1 }
    numbers[base] = number
    return "\(base)\(number)"
  }

  /// Reports a second node of an id. In a list the text shows it.
  private mutating func reportTaken(_ id: String, _ site: CallSite?) {
    guard !isList, let index = indices[id] else { return }
    let first = nodes[index].site
    mistakes.append(
      Diagnostic(
        .duplicateName, "a node is called '\(id)' already",
        hints: first.map { ["it was made at \($0.file):\($0.line)"] } ?? [], site: site))
  }

  /// The index of the first node with this id.
  func index(of id: String) -> Int? { indices[id] }

  /// A node with the id of an earlier one cannot be written.
  func isWritten(_ index: Int) -> Bool {
    isList || indices[nodes[index].name] == index
  }

  /// The node with this id; nil if there is none. Setting a node keeps its place and its
  /// connections; a new one comes last, and nil removes it with its connections.
  public subscript(id: String) -> Node? {
    get { indices[id].map { nodes[$0] } }
    set {
      guard let index = indices[id] else {
        if let newValue { add(newValue.id(id)) }
        return
      }
      if var node = newValue {
        if !isList || node.id != nil || node.automaticName != id { node.id = id }
        nodes[index] = node
      } else {
        removeNode(at: index)
      }
    }
  }

  /// The present value of a node; nil if it was removed.
  public subscript<Value: ChainNode>(node: GraphNode<Value>) -> Value? {
    get {
      guard knows(node.end) else { return nil }
      return self[node.id].map(Value.init(node:))
    }
    set {
      guard knows(node.end) else { return }
      self[node.id] = newValue?.node
    }
  }

  /// The value that the chain sets for a parameter of a node; nil where it has the default. Setting
  /// a parameter of a node that is not there has no effect.
  public subscript<Value: ParameterQuantity>(parameter: ParameterReference<Value>) -> Value? {
    get { self[parameter.node]?[parameter: parameter.parameter].flatMap { Value(chainValue: $0) } }
    set { self[parameter.node]?[parameter: parameter.parameter] = newValue?.chainValue }
  }

  /// Sets the code of every node.
  mutating func restoreNodes(_ site: (Node, Int) -> CallSite?) {
    for index in nodes.indices { nodes[index].site = site(nodes[index], index) }
  }

  mutating func removeNode(at index: Int) {
    nodes.remove(at: index)
    renumber()
  }
}

extension ChainGraph: Equatable {
  /// Equal graphs are written alike, wherever they were made.
  public static func == (left: ChainGraph, right: ChainGraph) -> Bool {
    left.isList == right.isList && left.nodes == right.nodes
      && left.connections == right.connections && left.orderedKeys == right.orderedKeys
  }
}
