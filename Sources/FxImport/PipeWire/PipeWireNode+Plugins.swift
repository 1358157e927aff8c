import FxChain
import FxKit

extension PipeWireNode {
  /// An LV2 plugin with its control ports by symbol.
  func plugin() -> Made? {
    guard let uri = source["plugin"]?.text else { return nil }
    var node = Node(plugin: uri, id: importing.id(name))
    for (symbol, value) in control?.members ?? [] {
      if let number = value.number { node[parameter: symbol] = .number(number) }
    }
    return Made(node, inputPort: { $0.port }, outputPort: { $0.port })
  }

  /// A LADSPA plugin that a unit of fxrun stands for.
  func ladspa() -> Made? {
    guard let plugin = source["plugin"]?.text else { return nil }
    let file = plugin.split(separator: "/").last.map(String.init) ?? plugin
    guard file.hasPrefix("librnnoise_ladspa") else { return nil }
    source["plugin"]?.turn(
      .approximated("fxrun's speechDenoise uses another method: curves differ"))
    control?.turn(.approximated("fxrun's speechDenoise has settings of its own"))
    return Made(SpeechDenoise(id: importing.id(name)))
  }
}
