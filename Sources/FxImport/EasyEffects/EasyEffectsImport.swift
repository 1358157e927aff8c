import FxChain
import FxKit

/// Reads a preset of EasyEffects, versions 6 to 8.
///
/// Source: EasyEffects, `src/*_preset.cpp` and the schemas of its settings, for the keys and their units; LSP
/// Plugins, Calf and bs2b for what the plugins do.
struct EasyEffectsImport {
  private let root: SourceValue
  private let importing: Importing

  init(_ root: SourceValue, _ importing: Importing) {
    (self.root, self.importing) = (root, importing)
  }

  func graph() -> ChainGraph {
    root["spectrum"]?.settle(.translated("a display; the sound is the same"))
    let sections = ["output", "input"].compactMap { key in root[key].map { (key, $0) } }
    let chosen =
      sections.first { $0.1["plugins_order"]?.elements.isEmpty == false } ?? sections.first
    for (_, section) in sections where section !== chosen?.1 {
      section.turn(
        .notPossible(
          "the chain has the plugins of '\(chosen?.0 ?? "")': import the other part by itself"))
    }
    var path = SignalPath(width: 2)
    if let section = chosen?.1 { add(section, to: &path) }
    var graph = path.graph()
    graph.channels = 2
    return graph
  }

  private func add(_ section: SourceValue, to path: inout SignalPath) {
    section["blocklist"]?.settle(.translated("fxrun processes the streams that it is given"))
    let order = section["plugins_order"]
    order?.settle()
    var used: Set<String> = []
    for value in order?.elements ?? [] {
      guard let name = value.text, used.insert(name).inserted else { continue }
      guard let settings = section[name] else {
        value.turn(.notPossible("the preset has no settings of this plugin"))
        continue
      }
      EasyEffectsPlugin(name, settings, importing).add(to: &path)
    }
    for (key, value) in section.members
    where !used.contains(key) && key != "blocklist" && key != "plugins_order" {
      value.turn(.translated("left out: plugins_order does not name it"))
    }
  }
}
