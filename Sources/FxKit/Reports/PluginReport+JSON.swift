import FxAudio
package import FxChain
import FxLV2

extension PluginReport {
  package var json: JSONOutput {
    .members([
      "uri": .string(plugin.uri), "name": .string(plugin.name),
      "class": .string(plugin.className), "author": plugin.author.map { .string($0) },
      "version": .string("\(plugin.minorVersion).\(plugin.microVersion)"),
      "license": plugin.license.map { .string($0) },
      "bundle": .string(plugin.bundle), "binary": plugin.binary.map { .string($0) },
      "ignoredBundles": plugin.otherBundles.isEmpty
        ? nil : .array(plugin.otherBundles.map { .string($0) }),
      "canHost": .bool(plugin.canHost),
      "refusal": plugin.refusal.map { .string($0.message) },
      "requiredFeatures": .array(plugin.requiredFeatures.map { .string($0) }),
      "optionalFeatures": .array(plugin.optionalFeatures.map { .string($0) }),
      "audioInputs": .array(plugin.mainInputs.map { .string($0.symbol) }),
      "sideChainInputs": .array(plugin.sideChainInputs.map { .string($0.symbol) }),
      "audioOutputs": .array(plugin.audioOutputs.map { .string($0.symbol) }),
      "reportsLatency": .bool(plugin.latencyPort != nil),
      "parameters": .array(plugin.shownParameters.map { UnitReport.json($0.spec) }),
      "ports": .array(plugin.ports.map(json)),
      "verdict": verdict.map(ProbeReport.json),
    ])
  }

  /// A port as the plugin declares it, in the port's own unit of measure.
  private func json(_ port: LV2Port) -> JSONOutput {
    .members([
      "index": .integer(port.index), "symbol": .string(port.symbol),
      "name": .string(port.name), "kind": .string(port.kindName.lowercased()),
      "direction": .string(port.isInput ? "input" : "output"),
      "optional": .bool(port.isOptional), "sideChain": .bool(port.isSideChain),
      "role": port.role.map { .string("\($0)") },
      "unit": port.measure.label.isEmpty ? nil : .string(port.measure.label),
      "minimum": port.minimum.map { .number($0) },
      "maximum": port.maximum.map { .number($0) },
      "default": port.defaultValue.map { .number($0) },
      "scalePoints": port.scalePoints.isEmpty
        ? nil
        : .array(
          port.scalePoints.map {
            .members(["label": .string($0.label), "value": .number($0.value)])
          }),
    ])
  }
}
