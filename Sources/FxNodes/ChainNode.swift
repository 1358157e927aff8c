/// What may stand in a chain: a unit, a plugin, an included chain, a source or a sink.
///
/// The built-in units have types of their own (`Reverb`, `Compressor`), whose properties are
/// references to their parameters. For a node that has no type of its own, use `Node`, or conform to
/// this protocol:
///
///     struct Fuzz: ChainNode {
///       var node: Node
///       init(node: Node) { self.node = node }
///       init(drive: Level? = nil, fileID: String = #fileID, line: Int = #line) {
///         node = Node(unit: "fuzz", at: CallSite(file: fileID, line: line))
///         node.set("drive", drive)
///       }
///       var drive: ParameterReference<Level> { reference("drive") }
///     }
public protocol ChainNode: GraphEnd, Equatable {
  /// The node as it is written in a chain.
  var node: Node { get set }

  /// A value for a node that is already in a chain. Keys without a typed form stay as they are.
  init(node: Node)
}

extension ChainNode {
  public var end: GraphPort { GraphPort(node.name) }

  /// The same node under another id.
  public func id(_ id: String) -> Self { changed { $0.id = id } }

  /// The same node with a comment for people.
  public func comment(_ text: String) -> Self { changed { $0[key: "comment"] = .string(text) } }

  /// The same node; a file, relative to the current folder, records its output.
  ///
  /// - Parameters:
  ///   - file: the path; its extension chooses the format.
  ///   - bits: 16, 24 or 32 (float); nil for the format's usual number.
  ///   - dither: whether 16 bits are dithered.
  public func tap(_ file: String, bits: Int? = nil, dither: Bool? = nil) -> Self {
    changed { node in
      guard bits != nil || dither != nil else {
        node[key: "tap"] = .string(file)
        return
      }
      var tap: ChainValue = ["file": .string(file)]
      tap["bits"] = bits?.chainValue
      tap["dither"] = dither?.chainValue
      node[key: "tap"] = tap
    }
  }

  /// The same node as an earlier revision of its unit, whose sound never changes.
  public func revision(_ number: Int) -> Self {
    changed { node in node[key: "unit"] = node.unit.map { .string("\($0)@\(number)") } }
  }

  /// The same node; `wet` mixes by this law.
  public func wetLaw(_ law: WetLaw) -> Self { changed { $0[key: "wetLaw"] = law.chainValue } }

  /// The same node with another value of a key that has no typed form.
  public func key(_ key: String, _ value: ChainValue) -> Self { changed { $0[key: key] = value } }

  /// The same node with another value of a parameter without a typed form.
  ///
  /// - Parameters:
  ///   - path: the path within the node: `decay`, `bands.presence.gain`.
  ///   - value: the value, a number or a text with its unit.
  public func parameter(_ path: String, _ value: ChainValue) -> Self {
    changed { $0[parameter: path] = value }
  }

  /// The value that the node sets for one of its parameters; nil where it has the default, or where
  /// the value has another type.
  ///
  ///     var room = Reverb(decay: 2)
  ///     room[\.decay] = .milliseconds(800)
  public subscript<Value: ParameterQuantity>(
    _ parameter: KeyPath<Self, ParameterReference<Value>>
  ) -> Value? {
    get { node[parameter: self[keyPath: parameter].parameter].flatMap { Value(chainValue: $0) } }
    set { node[parameter: self[keyPath: parameter].parameter] = newValue?.chainValue }
  }

  /// A port of the node: `sidechain`, an LV2 symbol, a band of a crossover.
  ///
  /// - Parameters:
  ///   - name: the name of the port.
  ///   - channel: one channel of the port, from 1; nil for all of them.
  public func port(_ name: String, channel: Int? = nil) -> GraphPort {
    GraphPort(node.name, port: name, channel: channel)
  }

  /// A reference to one of the node's parameters.
  public func reference<Value: ParameterQuantity>(
    _ parameter: String, as type: Value.Type = Value.self
  ) -> ParameterReference<Value> {
    ParameterReference(node: node.name, parameter: parameter)
  }

  /// The elements of the node's list with this key.
  public func items<Item: NodeItem>(_ key: String, of type: Item.Type = Item.self)
    -> NodeItems<Item>
  {
    NodeItems(node, key)
  }

  func changed(_ change: (inout Node) -> Void) -> Self {
    var copy = self
    change(&copy.node)
    return copy
  }
}

/// How `wet` mixes the processed signal with the input.
public enum WetLaw: String, ParameterChoice {
  /// In linear proportion.
  case linear
  /// With equal power, so that sounds that differ keep their loudness in the middle.
  case power
}
