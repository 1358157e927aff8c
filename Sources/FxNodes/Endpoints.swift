import FxChain

/// An input of the chain, which the caller binds to a file, a device or samples.
public struct Input: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - name: the name of the input; `main` is the first argument of the command line.
  ///   - id: the id of the node; nil for the name.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    _ name: String = "main", id: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    node = Node(
      id: id, keys: [ChainValue.Member("source", ["input": .string(name)])],
      at: CallSite(file: fileID, line: line))
  }
}

/// An output of the chain, which the caller binds to a file, a device or samples.
public struct Output: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - name: the name of the output; `main` is `-o` of the command line.
  ///   - id: the id of the node; nil for the name.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    _ name: String = "main", id: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    node = Node(
      id: id, keys: [ChainValue.Member("sink", ["output": .string(name)])],
      at: CallSite(file: fileID, line: line))
  }
}

/// A source with more to say than an input: `Source.file("voice.wav", gain: -3)`.
public struct Source: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  init(_ kind: String, _ target: ChainValue, _ id: String?, _ fileID: String, _ line: Int) {
    node = Node(
      id: id, keys: [ChainValue.Member("source", .object([.init(kind, target)]))],
      at: CallSite(file: fileID, line: line))
  }

  mutating func set<Value: ParameterQuantity>(_ key: String, _ value: Value?) {
    if let value { node[key: "source"]?[key] = value.chainValue }
  }
}

/// A sink with more to say than an output: `Sink.file("mix.flac", bits: 24)`.
public struct Sink: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  init(_ kind: String, _ target: ChainValue, _ id: String?, _ fileID: String, _ line: Int) {
    node = Node(
      id: id, keys: [ChainValue.Member("sink", .object([.init(kind, target)]))],
      at: CallSite(file: fileID, line: line))
  }

  mutating func set<Value: ParameterQuantity>(_ key: String, _ value: Value?) {
    if let value { node[key: "sink"]?[key] = value.chainValue }
  }
}
