import CLilv
import FxAudio

/// The properties of a plugin in lilv's model: its `patch:writable` parameters, and the port that
/// receives them.
struct LV2PropertyReader {
  struct Property {
    var declaration: PluginProperty
    /// The URI by which the plugin itself knows it.
    var key: String
    /// An atom type's URI.
    var type: String
    /// The plugin's value is the chain's value times this.
    var scale: Double
  }

  let properties: [Property]
  /// The index of the port that receives the messages; nil when there is none.
  let port: Int?

  init(world: LilvWorld, plugin: String) {
    world.load(resource: plugin)
    port = LV2PropertyReader.messagePort(world, plugin)
    properties = world.objects(of: plugin, LV2URI.patchWritable).sorted().map {
      LV2PropertyReader.property($0, of: plugin, world)
    }
  }

  /// `decay` of `http://example.org/reverb#decay`.
  static func lastPart(of uri: String) -> String {
    uri.split { "#/:".contains($0) }.last.map(String.init) ?? uri
  }

  private static func property(_ uri: String, of plugin: String, _ world: LilvWorld) -> Property {
    let symbol = world.value(of: uri, LV2URI.symbol)?.text ?? ""
    let name = symbol.isEmpty ? lastPart(of: uri) : symbol
    let label = world.value(of: uri, LV2URI.label)?.text ?? ""
    let unit = world.value(of: uri, LV2URI.unit)?.text
    let type = world.value(of: uri, LV2URI.range)?.text ?? ""
    var measure = unit.flatMap { LV2Measure(unit: $0) } ?? .none
    let kind: PluginProperty.Kind
    switch type {
    case LV2URI.atomFloat, LV2URI.atomDouble, LV2URI.atomInt, LV2URI.atomLong:
      let isInteger = type == LV2URI.atomInt || type == LV2URI.atomLong
      if isInteger, measure.scale != 1 { measure = .none }
      kind = .number(
        spec(
          name, label, measure, isInteger,
          low: world.value(of: uri, LV2URI.minimum)?.number,
          high: world.value(of: uri, LV2URI.maximum)?.number,
          initial: world.value(of: uri, LV2URI.defaultValue)?.number))
    case LV2URI.atomBool: kind = .flag
    case LV2URI.atomString: kind = .text
    case LV2URI.atomPath: kind = .file
    case LV2URI.atomURI, LV2URI.atomURID: kind = .uri
    default: kind = .unsupported(type)
    }
    return Property(
      declaration: PluginProperty(
        uri: uri, name: name, label: label.isEmpty ? name : label, kind: kind),
      key: key(of: uri, plugin: plugin), type: type, scale: measure.scale)
  }

  /// The descriptions of LSP plugins (1.2.5) leave the plugin's name out of these URIs; the
  /// binaries do not.
  private static func key(of uri: String, plugin: String) -> String {
    let shortened = "http://lsp-plug.in//ports#"
    return uri.hasPrefix(shortened) ? "\(plugin)/ports#\(uri.dropFirst(shortened.count))" : uri
  }

  private static func spec(
    _ name: String, _ label: String, _ measure: LV2Measure, _ isInteger: Bool, low: Double?,
    high: Double?, initial: Double?
  ) -> ParameterSpec {
    let least = (low ?? -.infinity) / measure.scale
    let most = (high ?? .infinity) / measure.scale
    return ParameterSpec(
      name, label.isEmpty ? name : label, measure.measure,
      LV2Number.shortest(min(least, most)...max(least, most)),
      default: initial.map { LV2Number.shortest($0 / measure.scale) } ?? .nan, smoothing: .none,
      isInteger: isInteger)
  }

  /// The input that supports messages; of several, the one with the control designation.
  private static func messagePort(_ world: LilvWorld, _ plugin: String) -> Int? {
    guard let node = LilvNode(world.pointer, uri: plugin),
      let plugin = lilv_plugins_get_by_uri(
        lilv_world_get_all_plugins(world.pointer), node.pointer),
      let supports = LilvNode(world.pointer, uri: LV2URI.atomSupports),
      let designation = LilvNode(world.pointer, uri: LV2URI.designation),
      LV2PortIndices.problem(world.pointer, plugin) == nil
    else { return nil }
    var found: Int?
    for index in 0..<lilv_plugin_get_num_ports(plugin) {
      guard let port = lilv_plugin_get_port_by_index(plugin, index) else { continue }
      let types = LilvNode.sharedTexts(lilv_port_get_classes(plugin, port))
      guard types.contains(LV2URI.inputPort), types.contains(LV2URI.atomPort),
        LilvNode.texts(lilv_port_get_value(plugin, port, supports.pointer))
          .contains(LV2URI.patchMessage)
      else { continue }
      let isControl =
        LilvNode(lilv_port_get(plugin, port, designation.pointer))?.text == LV2URI.control
      if isControl { return Int(index) }
      found = found ?? Int(index)
    }
    return found
  }
}
