import FxAudio
import FxChain
import FxEngine

/// Scenes and MIDI mappings of a chain, as text and as JSON.
struct ControlReport {
  private let chain: BuiltChain

  init(_ chain: BuiltChain) { self.chain = chain }

  /// nil if the chain has none.
  var scenes: JSONOutput? {
    guard !chain.scenes.isEmpty else { return nil }
    return .array(
      chain.scenes.enumerated().map { index, scene in
        .members([
          "name": .string(scene.name),
          "isStart": index == chain.startScene ? .bool(true) : nil,
          "ramp": scene.ramp.map { .number($0) },
          "values": .object(
            scene.changes.map {
              JSONOutput.Member(name($0.parameter), json($0.value, $0.parameter))
            }),
        ])
      })
  }

  /// The mappings in the form of a chain's `midi`; nil if there are none.
  var controls: JSONOutput? {
    chain.controls.isEmpty ? nil : .array(chain.controls.map(\.json))
  }

  /// One line for each scene and mapping.
  var lines: [String] {
    chain.scenes.enumerated().map { index, scene in
      let values = scene.changes.map { change in
        "\(name(change.parameter)) \(shown(change.value, change.parameter))"
      }
      let ramp = scene.ramp.map { ", over \(shortNumber($0)) s" } ?? ""
      let start = index == chain.startScene ? " (at the start)" : ""
      return "scene \(scene.name)\(start): \(values.joined(separator: ", "))\(ramp)"
    } + chain.controls.map { "midi \($0.json.text(indented: false))" }
  }

  /// The parameter's name in the graph, without aliases of the chain.
  private func name(_ parameter: BuiltChain.Parameter) -> String {
    let node = chain.graph.nodes[parameter.node]
    guard case .unit(let unit) = node.content else { return node.id }
    return "\(node.id).\(unit.parameters[parameter.slot].path)"
  }

  private func json(_ value: Double, _ parameter: BuiltChain.Parameter) -> JSONOutput {
    if parameter.spec.isToggle { return .bool(value != 0) }
    return value.isFinite ? .number(value) : .string(shortNumber(value))
  }

  private func shown(_ value: Double, _ parameter: BuiltChain.Parameter) -> String {
    if parameter.spec.isToggle { return value == 0 ? "off" : "on" }
    if let choice = parameter.spec.choices.first(where: { $0.value == value }) {
      return choice.label
    }
    if parameter.spec.measure == .gain { return measured(value, .gain) }
    let unit = parameter.spec.measure.rawValue
    return unit.isEmpty ? shortNumber(value) : "\(shortNumber(value)) \(unit)"
  }
}
