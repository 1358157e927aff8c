import FxAudio
package import FxChain
import FxLV2

/// The presets and properties of an LV2 plugin.
package struct PluginStateReport {
  private let uri: String
  private let world: LV2World
  private let properties: [PluginProperty]

  init(_ uri: String, in world: LV2World) {
    self.uri = uri
    self.world = world
    properties = world.properties(of: uri)
  }

  /// Empty if there is nothing to show.
  package var text: String {
    var lines: [String] = []
    if !properties.isEmpty {
      lines.append("properties:")
      let width = properties.map(\.name.count).max() ?? 0
      for property in properties {
        lines.append(
          "  \(property.name.padded(to: width))  \(kind(property))"
            + (property.label == property.name ? "" : "  \(property.label)"))
      }
    }
    let presets = world.presets(of: uri)
    if !presets.isEmpty {
      lines.append("presets:")
      for preset in presets {
        lines.append("  \(preset.label)" + (preset.bank.map { "  (\($0))" } ?? ""))
      }
    }
    return Text.lines(lines)
  }

  private func kind(_ property: PluginProperty) -> String {
    switch property.kind {
    case .number(let spec): UnitReport.range(spec)
    case .flag: "true or false"
    case .text: "a string"
    case .uri: "a URI"
    case .file: "a file"
    case .unsupported(let type): "cannot be set from a chain: \(type.isEmpty ? "no type" : type)"
    }
  }

  /// The members for the JSON report.
  package var members: [JSONOutput.Member] {
    [
      JSONOutput.Member("properties", .array(properties.map(json))),
      JSONOutput.Member("presets", .array(world.presetStates(of: uri).map(json))),
    ]
  }

  private func json(_ property: PluginProperty) -> JSONOutput {
    .members([
      "uri": .string(property.uri), "name": .string(property.name),
      "label": .string(property.label), "type": .string(type(property)),
    ])
  }

  private func type(_ property: PluginProperty) -> String {
    switch property.kind {
    case .number(let spec): spec.isInteger ? "integer" : "number"
    case .flag: "flag"
    case .text: "text"
    case .uri: "uri"
    case .file: "file"
    case .unsupported(let type): type
    }
  }

  /// A preset with the values of its ports in the ports' own units of measure.
  private func json(_ preset: PluginPreset, _ state: PluginState?) -> JSONOutput {
    .members([
      "uri": .string(preset.uri), "label": .string(preset.label),
      "bank": preset.bank.map { .string($0) },
      "ports": state.map { state in
        .object(state.ports.map { JSONOutput.Member($0.symbol, .number($0.value)) })
      },
      "propertyCount": state.map { .integer($0.propertyCount) },
      "notes": state.flatMap { $0.notes.isEmpty ? nil : .array($0.notes.map { .string($0) }) },
      "problem": state == nil ? .string("it cannot be read") : nil,
    ])
  }
}
