import FxKit
import FxNodes

extension EcasoundOperator {
  /// `-elv2:uri,…`: the values of all control ports in their order, outputs too. ecasound sets those that are missing
  /// to 0.
  func plugin(_ uri: String) -> [Step] {
    effect.options.ignore("0")
    guard let ports = InstalledPlugins.shared.controlPorts(of: uri) else {
      return refuse(missing(uri))
    }
    guard let info = try? PluginInfo(uri: uri) else { return refuse(missing(uri)) }
    let isReplicated = info.inputCount <= 1 && info.outputCount <= 1
    guard isReplicated || info.inputCount == width else {
      return refuse("the plugin has \(info.inputCount) inputs, and the chain \(width) channels")
    }
    var node = Node(plugin: uri, id: effect.importing.id(info.name))
    for (index, port) in ports.enumerated() {
      if port.isParameter {
        node[parameter: port.symbol] = .number(number(index + 1))
      } else if !port.isInput {
        effect.options.ignore("\(index + 1)")
      }
    }
    return [Step(node: node, width: isReplicated ? width : info.outputCount)]
  }

  private func missing(_ uri: String) -> String {
    do {
      _ = try PluginInfo(uri: uri)
      return "fxrun cannot host it"
    } catch {
      return "fxrun: \(error.message)"
    }
  }

  /// A LADSPA plugin by its label: Steve Harris' plugins have LV2 twins with the same labels and ports.
  func ladspa() -> [Step] {
    let uri = "http://plugin.org.uk/swh-plugins/\(effect.options["0"] ?? "")"
    guard InstalledPlugins.shared.controlPorts(of: uri) != nil else {
      return refuse(
        "fxrun hosts LV2, not LADSPA, and no installed LV2 plugin is known to be its twin")
    }
    effect.approximate("the LV2 plugin \(uri), which is made of the same source")
    return plugin(uri)
  }
}
