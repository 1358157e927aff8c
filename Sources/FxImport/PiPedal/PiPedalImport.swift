import FxChain
import FxKit
import FxNodes

/// Reads a pedalboard of PiPedal, or the first preset of a bank: LV2 plugins one after the other.
///
/// Source: pedalboards as docs/import/pipedal.md names them.
struct PiPedalImport {
  private let root: SourceValue
  private let importing: Importing

  init(_ root: SourceValue, _ importing: Importing) {
    (self.root, self.importing) = (root, importing)
  }

  func graph() -> ChainGraph {
    var path = SignalPath(width: 2)
    let board = pedalboard()
    board["name"]?.settle()
    level("input_volume_db", board, "input", &path)
    for item in board["items"]?.elements ?? [] { add(item, to: &path) }
    level("output_volume_db", board, "output", &path)
    for key in ["snapshots", "selectedSnapshot"] {
      board[key]?.turn(
        .notPossible(
          "snapshots: the chain has the values of the pedalboard; write scenes for others"))
    }
    for key in ["nextInstanceId", "selectedPlugin", "pathProperties"] { board[key]?.settle() }
    return path.graph()
  }

  /// The pedalboard; of a bank, its first preset.
  private func pedalboard() -> SourceValue {
    guard root["items"] == nil else { return root }
    let presets = root["presets"]?.elements ?? []
    for other in presets.dropFirst() {
      other.turn(.notPossible("the chain has the first preset: import the others by themselves"))
    }
    for key in ["nextInstanceId", "selectedPreset", "name"] { root[key]?.settle() }
    presets.first?["instanceId"]?.settle()
    return presets.first?["preset"] ?? root
  }

  private func level(_ key: String, _ board: SourceValue, _ name: String, _ path: inout SignalPath)
  {
    guard let level = board[key]?.number, level != 0 else { return }
    let node = Gain(id: importing.id(name), gain: .decibels(level)).comment("PiPedal: \(key)")
    if let mistake = importing.mistake(of: node, channels: path.width) {
      board[key]?.turn(.notPossible(mistake))
    } else {
      path.append(node)
    }
  }

  // MARK: Plugins

  private func add(_ item: SourceValue, to path: inout SignalPath) {
    guard let uri = item["uri"]?.text else { return }
    if uri.hasSuffix("#Empty") { return item.settle(.translated("an empty place")) }
    guard !uri.hasSuffix("#Split"), item["topChain"] == nil else {
      return item.turn(.notPossible("a split: write its two paths with the chain's connections"))
    }
    let name = item["pluginName"]?.text ?? uri
    var node = Node(plugin: uri, id: importing.id(name))
    for value in item["controlValues"]?.elements ?? [] {
      guard let key = value["key"]?.text, let number = value["value"]?.number else { continue }
      node[parameter: key] = .number(number)
    }
    readSettings(of: item)
    let made = node.comment("PiPedal: \(name)").bypassed(item["isEnabled"]?.flag == false)
    if let mistake = importing.mistake(of: made, channels: path.width) {
      return item.turn(.notPossible(mistake))
    }
    path.append(made)
  }

  private func readSettings(of item: SourceValue) {
    for key in [
      "instanceId", "stateUpdateCount", "title", "useModUi", "iconColor", "sideChainInputId",
    ] {
      item[key]?.settle(.translated("PiPedal's own"))
    }
    item["midiChannelBinding"]?.settle(.notPossible("write MIDI mappings in 'midi' of the chain"))
    refuse(item["midiBindings"], "write MIDI mappings in 'midi' of the chain")
    let hasState = item["lv2State"]?.elements.first?.flag ?? false
    item["lv2State"]?.settle(
      hasState
        ? .notPossible("a state: save it with 'fxrun save-state', and name it in the node")
        : .translated("the plugin has no state"))
    if let preset = item["lilvPresetUri"]?.text, !preset.isEmpty {
      item["lilvPresetUri"]?.turn(.translated("its values stand in the pedalboard"))
    }
    refuse(item["pathProperties"], "a file of the plugin: name it in 'properties' of the node")
  }

  /// Refuses a list or a map that is not empty.
  private func refuse(_ value: SourceValue?, _ reason: String) {
    guard let value else { return }
    let isEmpty = value.elements.isEmpty && value.members.isEmpty
    value.settle(isEmpty ? .translated : .notPossible(reason))
  }
}
