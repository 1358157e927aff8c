import CLilv

/// Checks a plugin's port indices before lilv allocates a table up to the highest index.
enum LV2PortIndices {
  /// More than any plugin has.
  static let limit = 65535

  /// The problem, as a continuation of `its description`; nil when there is none.
  static func problem(_ world: OpaquePointer, _ plugin: OpaquePointer) -> String? {
    guard let port = LilvNode(world, uri: LV2URI.hasPort),
      let index = LilvNode(world, uri: LV2URI.index),
      let ports = lilv_plugin_get_value(plugin, port.pointer)
    else { return nil }
    defer { lilv_nodes_free(ports) }
    var iterator = lilv_nodes_begin(ports)
    while !lilv_nodes_is_end(ports, iterator) {
      defer { iterator = lilv_nodes_next(ports, iterator) }
      guard let node = lilv_nodes_get(ports, iterator), !lilv_node_is_literal(node) else {
        continue
      }
      for text in LilvNode.texts(lilv_world_find_nodes(world, node, index.pointer, nil))
      where isWhole(text) && Int(text).map({ !(0...limit).contains($0) }) ?? true {
        return "gives a port the index \(text.prefix(40)), and indices are 0 to \(limit)"
      }
    }
    return nil
  }

  /// True for a text that lilv accepts as an index; it ignores plugins with any other.
  private static func isWhole(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
