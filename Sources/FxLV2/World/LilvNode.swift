import CLilv

/// An owned node of lilv's model.
struct LilvNode: ~Copyable {
  let pointer: OpaquePointer

  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  init?(_ world: OpaquePointer, uri: String) {
    self.init(lilv_new_uri(world, uri))
  }

  deinit { lilv_node_free(pointer) }

  var text: String { LilvNode.text(of: pointer) }
  var number: Double? { LilvNode.number(of: pointer) }

  /// A node's text; bytes that are not UTF-8 become replacement characters.
  static func text(of node: OpaquePointer?) -> String {
    guard let node, let text = lilv_node_as_string(node) else { return "" }
    return String(cString: text)
  }

  /// A finite number, in any of the forms that descriptions use.
  static func number(of node: OpaquePointer?) -> Double? {
    guard let node else { return nil }
    let number: Double? =
      if lilv_node_is_float(node) || lilv_node_is_int(node) {
        LV2Number.shortest(Double(lilv_node_as_float(node)))
      } else if lilv_node_is_bool(node) {
        lilv_node_as_bool(node) ? 1 : 0
      } else {
        Double(text(of: node))
      }
    guard let number, number.isFinite else { return nil }
    return number
  }

  /// The path of a file's URI; nil for another URI.
  static func path(ofFile uri: String) -> String? {
    guard uri.hasPrefix("file:"), let path = lilv_file_uri_parse(uri, nil) else { return nil }
    defer { lilv_free(path) }
    return String(cString: path)
  }

  /// The elements of a collection of nodes that the caller owns; frees the collection.
  static func texts(_ nodes: UnsafeMutableRawPointer?) -> [String] {
    defer { lilv_nodes_free(nodes) }
    return sharedTexts(UnsafeRawPointer(nodes))
  }

  /// The elements of a collection that lilv owns.
  static func sharedTexts(_ nodes: UnsafeRawPointer?) -> [String] {
    guard let nodes else { return [] }
    var texts: [String] = []
    var iterator = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, iterator) {
      texts.append(text(of: lilv_nodes_get(nodes, iterator)))
      iterator = lilv_nodes_next(nodes, iterator)
    }
    return texts
  }
}
