import FxChain

extension Node {
  /// The id, or the automatic one: the unit's name, the end of a plugin's URI, the name of a file,
  /// or the name of an input or an output. The main ones are called `input` and `output`.
  public var name: String { id ?? automaticName }

  /// The id of a node that has none.
  var automaticName: String {
    if let unit { return unit }
    if let plugin = self[key: "lv2"]?.text { return Names.id(ofPlugin: plugin) }
    if let file = self[key: "use"]?.text { return Names.id(ofFile: file, otherwise: "chain") }
    if let source = self[key: "source"] { return Self.name(source, "input") }
    if let sink = self[key: "sink"] { return Self.name(sink, "output") }
    return "node"
  }

  private static func name(_ endpoint: ChainValue, _ bound: String) -> String {
    if let name = endpoint[bound]?.text ?? endpoint.text, name != "main" {
      return Names.isID(name) ? name : Names.id(ofFile: name, otherwise: bound)
    }
    if let file = endpoint["file"]?.text { return Names.id(ofFile: file, otherwise: bound) }
    let kind = endpoint.members.first?.key ?? bound
    return Names.isID(kind) ? kind : bound
  }
}
