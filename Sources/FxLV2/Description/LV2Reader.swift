import CLilv
import FxAudio
import Glibc

/// Reads a plugin's description out of lilv's model.
struct LV2Reader {
  let world: OpaquePointer
  let plugin: OpaquePointer

  func description() -> LV2Description {
    let bundle = path(lilv_plugin_get_bundle_uri(plugin)) ?? ""
    let uri = LilvNode.text(of: lilv_plugin_get_uri(plugin))
    let name = LilvNode(lilv_plugin_get_name(plugin))?.text ?? ""
    var description = LV2Description(
      uri: uri, name: name.isEmpty ? uri : name, className: className, bundle: bundle)
    description.author = LilvNode(lilv_plugin_get_author_name(plugin))?.text
    description.license = values(of: "http://usefulinc.com/ns/doap#license").first
    description.minorVersion = version(LV2URI.minorVersion)
    description.microVersion = version(LV2URI.microVersion)
    description.binary = path(lilv_plugin_get_library_uri(plugin))
    description.requiredFeatures = LilvNode.texts(lilv_plugin_get_required_features(plugin))
      .sorted()
    description.optionalFeatures = LilvNode.texts(lilv_plugin_get_optional_features(plugin))
      .sorted()
    description.requiredOptions = values(of: LV2URI.requiredOption).sorted()
    if let problem = LV2PortIndices.problem(world, plugin) {
      description.refusal = Failure(
        .unusablePlugin, "the description of LV2 plugin '\(uri)' \(problem)")
      return description
    }
    description.ports = ports()
    description.refusal = LV2Support.refusal(of: description)
    return description
  }

  /// The last part of the first LV2 class other than `Plugin`.
  private var className: String {
    let classes = values(of: "http://www.w3.org/1999/02/22-rdf-syntax-ns#type").filter {
      $0.hasPrefix(LV2URI.core) && !$0.hasSuffix("#Plugin")
    }
    guard let name = classes.sorted().first?.dropFirst(LV2URI.core.count) else { return "Plugin" }
    return String(name.hasSuffix("Plugin") ? name.dropLast(6) : name)
  }

  private func path(_ uri: OpaquePointer?) -> String? {
    guard let uri, lilv_node_is_uri(uri), let text = lilv_node_as_uri(uri) else { return nil }
    return LilvNode.path(ofFile: String(cString: text))
  }

  private func values(of predicate: String) -> [String] {
    guard let predicate = LilvNode(world, uri: predicate) else { return [] }
    return LilvNode.texts(lilv_plugin_get_value(plugin, predicate.pointer))
  }

  private func version(_ predicate: String) -> Int {
    guard let number = values(of: predicate).first.flatMap(Double.init) else { return 0 }
    return Int(exactly: number) ?? 0
  }

  private func ports() -> [LV2Port] {
    let count = lilv_plugin_get_num_ports(plugin)
    var ports: [LV2Port] = []
    var groups: [LV2PortGroups.Membership?] = []
    for index in 0..<count {
      guard let port = lilv_plugin_get_port_by_index(plugin, index) else { return [] }
      let reader = LV2PortReader(world: world, plugin: plugin, port: port)
      let description = reader.description(Int(index))
      ports.append(description)
      groups.append(
        description.kind == .audio
          ? reader.portGroup.map { LV2PortGroups.Membership(uri: $0.uri, symbol: $0.symbol) } : nil)
    }
    return LV2PortGroups.marked(
      LV2SideChains.marked(ports), groups: groups,
      main: Set(values(of: LV2URI.mainInput) + values(of: LV2URI.mainOutput)))
  }
}
