public import FxChain

/// A node of a chain as it is written, for units, plugins and included chains of any name.
///
///     Node(unit: "reverb", id: "room", parameters: ["decay": "2 s"])
///     Node(plugin: "http://gareus.org/oss/lv2/fil4#stereo", parameters: ["LSgain": -3])
///     Node(chain: "voice.json")
public struct Node: ChainNode {
  /// The id; nil for an automatic one.
  public var id: String?
  /// Every key of the node apart from its id, in the order in which they are written.
  public var keys: [ChainValue.Member]
  /// The Swift code that made the node; nil for a node that was read from JSON.
  public internal(set) var site: CallSite?
  /// The unit of the program that it is; empty for any other node.
  var units: UnitSet = []

  public var node: Node {
    get { self }
    set { self = newValue }
  }

  public init(node: Node) { self = node }

  /// A node of any keys.
  public init(id: String? = nil, keys: [ChainValue.Member], at site: CallSite? = nil) {
    self.id = id
    self.keys = keys
    self.site = site
  }

  /// A built-in unit by its name; `reverb@1` is a revision.
  ///
  /// - Parameters:
  ///   - unit: the name; `reverb@1` is a revision.
  ///   - id: the id in the chain; nil for an automatic one.
  ///   - site: the code that messages about the node name.
  public init(unit: String, id: String? = nil, at site: CallSite) {
    self.init(id: id, keys: [ChainValue.Member("unit", .string(unit))], at: site)
  }

  /// A unit for the generated types.
  init(_ unit: String, _ id: String?, _ fileID: String, _ line: Int) {
    self.init(unit: unit, id: id, at: CallSite(file: fileID, line: line))
  }

  /// A built-in unit by its name.
  ///
  /// - Parameters:
  ///   - unit: the name; `reverb@1` is a revision.
  ///   - id: the id in the chain; nil for an automatic one.
  ///   - parameters: values by parameter.
  ///   - options: options and lists by key.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    unit: String, id: String? = nil, parameters: KeyValuePairs<String, ChainValue> = [:],
    options: KeyValuePairs<String, ChainValue> = [:], fileID: String = #fileID, line: Int = #line
  ) {
    self.init(unit: unit, id: id, at: CallSite(file: fileID, line: line))
    add(parameters, options)
  }

  /// An LV2 plugin by its URI.
  ///
  /// - Parameters:
  ///   - plugin: the URI.
  ///   - id: the id in the chain; nil for an automatic one.
  ///   - parameters: values by the symbol of the control port.
  ///   - options: other keys: `preset`, `state`, `midi`, `isolated`, `latency`, `properties`.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    plugin: String, id: String? = nil, parameters: KeyValuePairs<String, ChainValue> = [:],
    options: KeyValuePairs<String, ChainValue> = [:], fileID: String = #fileID, line: Int = #line
  ) {
    self.init(
      id: id, keys: [ChainValue.Member("lv2", .string(plugin))],
      at: CallSite(file: fileID, line: line))
    add(parameters, options)
  }

  /// Another chain file in this one's place.
  ///
  /// - Parameters:
  ///   - chain: the file, relative to the chain's folder.
  ///   - id: the id in the chain; nil for an automatic one.
  ///   - parameters: values of the names that it exposes, or of `inner.parameter`.
  ///   - variables: values of its variables.
  ///   - scene: the scene that it begins with.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    chain: String, id: String? = nil, parameters: KeyValuePairs<String, ChainValue> = [:],
    variables: KeyValuePairs<String, ChainValue> = [:], scene: String? = nil,
    fileID: String = #fileID, line: Int = #line
  ) {
    self.init(
      id: id, keys: [ChainValue.Member("use", .string(chain))],
      at: CallSite(file: fileID, line: line))
    add(parameters, [:])
    if !variables.isEmpty {
      self[key: "variables"] = .object(variables.map { ChainValue.Member($0.key, $0.value) })
    }
    self[key: "scene"] = scene?.chainValue
  }

  private mutating func add(
    _ parameters: KeyValuePairs<String, ChainValue>, _ options: KeyValuePairs<String, ChainValue>
  ) {
    for (key, value) in options { self[key: key] = value }
    for (key, value) in parameters { self[parameter: key] = value }
  }

  /// Equal nodes are written alike, wherever they were made.
  public static func == (left: Node, right: Node) -> Bool {
    left.id == right.id && left.keys == right.keys && left.units == right.units
  }
}
