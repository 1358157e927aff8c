/// A port of a node: `eq:In 1`, or the name of a node that has one.
struct PipeWirePort: Equatable {
  let node: String
  /// nil for the node's first port.
  let port: String?

  init(_ text: String) {
    if let colon = text.firstIndex(of: ":") {
      node = String(text[..<colon])
      port = String(text[text.index(after: colon)...])
    } else {
      (node, port) = (text, nil)
    }
  }

  init(node: String, port: String?) { (self.node, self.port) = (node, port) }

  /// The number at the end of the name: 2 in `In 2`; nil for a port without one.
  var number: Int? {
    port.flatMap { name in name.split(separator: " ").dropFirst().last.flatMap { Int($0) } }
  }
}
