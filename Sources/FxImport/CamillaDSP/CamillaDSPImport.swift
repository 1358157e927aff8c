import FxChain
import FxKit

/// Reads a configuration of CamillaDSP, versions 1 to 4.
///
/// Source: CamillaDSP's own sources, as docs/import/camilladsp.md names them; for the formulas of its filters,
/// R. Bristow-Johnson, Audio EQ Cookbook.
struct CamillaDSPImport {
  let root: SourceValue
  let importing: Importing

  init(_ root: SourceValue, _ importing: Importing) {
    self.root = root
    self.importing = importing
  }

  func graph() -> ChainGraph {
    let title = root["title"]?.text
    let description = root["description"]?.text
    let devices = CamillaDSPDevices(root["devices"])
    devices.read()
    importing.sampleRate = devices.sampleRate ?? 48000
    var path = SignalPath(width: devices.inputChannels ?? 2)
    for step in root["pipeline"]?.elements ?? [] { add(step, to: &path) }
    settleUnused()
    var graph = path.graph()
    graph.name = title
    graph[key: "comment"] = description.map(ChainValue.string)
    graph.sampleRate = devices.sampleRate.map { .hertz($0) }
    graph.channels = devices.inputChannels
    return graph
  }

  private func add(_ step: SourceValue, to path: inout SignalPath) {
    step["description"]?.settle()
    switch step["type"]?.text {
    case "Filter": addFilters(step, to: &path)
    case "Mixer": addMixer(step, to: &path)
    case "Processor": addProcessor(step, to: &path)
    default: step.turn(.notPossible("CamillaDSP has no step of this type"))
    }
  }

  /// True for a step that is switched off.
  func isBypassed(_ step: SourceValue) -> Bool { step["bypassed"]?.flag ?? false }

  /// The comment of a node.
  func comment(_ kind: String, _ name: String, _ definition: SourceValue?, _ step: SourceValue)
    -> String
  {
    let texts = [definition?["description"], step["description"]].compactMap { $0?.text }
    return (["CamillaDSP: \(kind) '\(name)'"] + texts).joined(separator: ". ")
  }

  private func addMixer(_ step: SourceValue, to path: inout SignalPath) {
    guard let name = step["name"]?.text else { return }
    guard let definition = root["mixers"]?[name] else {
      step["name"]?.turn(.notPossible("there is no mixer of this name"))
      return
    }
    let mixer = CamillaDSPMixer(definition)
    guard let matrix = mixer.matrix(importing.id(name), comment("mixer", name, definition, step))
    else { return }
    if let count = mixer.inputChannels, count != path.width {
      definition["channels"]?["in"]?.turn(
        .approximated("the signal has \(path.width) channels here"))
    }
    guard accept(matrix, definition, path.width) else { return }
    if isBypassed(step) { return step.turn(.translated("a mixer that is bypassed is left out")) }
    path.append(matrix, width: mixer.outputChannels)
  }

  /// True if fxrun takes a node; otherwise its parts are not possible.
  func accept(_ node: some ChainNode, _ definition: SourceValue, _ channels: Int) -> Bool {
    guard let mistake = importing.mistake(of: node, channels: channels) else { return true }
    definition.turn(.notPossible(mistake))
    return false
  }

  /// Definitions that no step of the pipeline uses have no effect.
  private func settleUnused() {
    var used: [String: Set<String>] = [:]
    for step in root["pipeline"]?.elements ?? [] {
      let list = ["Filter": "filters", "Mixer": "mixers", "Processor": "processors"]
      guard let type = step["type"]?.text, let section = list[type] else { continue }
      for name in step["names"]?.elements ?? step["name"].map({ [$0] }) ?? [] {
        if let text = name.text { used[section, default: []].insert(text) }
      }
    }
    for section in ["filters", "mixers", "processors"] {
      for (name, definition) in root[section]?.members ?? []
      where used[section]?.contains(name) != true {
        definition.turn(.translated("left out: no step of the pipeline uses it"))
      }
    }
  }
}
