/// An element of a node's list: a band of an equalizer, a strip of a mixer.
public protocol NodeItem: Sendable, Hashable {
  /// The element as it is written.
  var fields: NodeItemFields { get set }

  init(fields: NodeItemFields)
}

/// The keys of an element of a list.
public struct NodeItemFields: Sendable, Hashable {
  /// The name of the element; nil for one that is known by its number.
  public var id: String?
  /// Its options and parameters, in the order in which they are written.
  public var keys: [ChainValue.Member]
  /// The path of the element in its chain: `eq.bands.presence`; empty for one that is in no node.
  let path: String

  public init(id: String? = nil) {
    self.init(id: id, keys: [], path: "")
  }

  init(id: String?, keys: [ChainValue.Member], path: String) {
    self.id = id
    self.keys = keys
    self.path = path
  }

  /// Sets an option or a parameter, unless the value is nil.
  public mutating func set<Value: ParameterQuantity>(_ key: String, _ value: Value?) {
    if let value { keys.set(key, value.chainValue) }
  }

  /// A reference to a parameter of the element. The element has to come from its node:
  /// `eq.bands["presence"]`.
  public func reference<Value: ParameterQuantity>(
    _ parameter: String, as type: Value.Type = Value.self
  ) -> ParameterReference<Value> {
    ParameterReference(path: path.isEmpty ? parameter : "\(path).\(parameter)")
  }

  /// The keys with the id.
  var written: [ChainValue.Member] {
    (id.map { [ChainValue.Member("id", .string($0))] } ?? []) + keys
  }
}

/// The elements of a node's list.
///
///     eq.bands["presence"].gain.path  // "eq.bands.presence.gain"
///     eq.bands[2].gain.path           // "eq.bands.2.gain"
public struct NodeItems<Item: NodeItem>: Sendable {
  private let node: Node
  private let key: String

  init(_ node: Node, _ key: String) {
    self.node = node
    self.key = key
  }

  /// The elements that the node lists. A mixer has a strip for each connection too.
  public var listed: [Item] {
    switch node[key: key] {
    case .array(let elements)?:
      elements.enumerated().map { item($1["id"]?.text ?? String($0 + 1), $1) }
    case .object(let members)?: members.map { item($0.key, $0.value) }
    default: []
    }
  }

  /// The element of this name, which need not be listed.
  public subscript(id: String) -> Item { item(id, node.item(key, id) ?? .object([])) }

  /// The element of this number, from 1.
  public subscript(number: Int) -> Item { self[String(number)] }

  private func item(_ name: String, _ value: ChainValue) -> Item {
    let keys = value.members.filter { $0.key != "id" }
    return Item(
      fields: NodeItemFields(
        id: Int(name) == nil ? name : nil, keys: keys, path: "\(node.name).\(key).\(name)"))
  }
}
