import FxLV2

/// Selects plugins for a list. All conditions must hold; letter case is ignored.
package struct PluginFilter: Sendable {
  package var className: String?
  /// Words that must be in its name.
  package var name: String?
  package var inputs: Int?
  package var outputs: Int?
  /// A feature that it requires or supports: its URI or the end of its URI.
  package var feature: String?
  package var isEffect = false
  package var isInstrument = false
  package var isUsable = false

  package init() {}

  package func fits(_ report: PluginReport) -> Bool {
    let plugin = report.plugin
    if let inputs, plugin.audioInputCount != inputs { return false }
    if let outputs, plugin.audioOutputCount != outputs { return false }
    if isEffect, plugin.audioInputCount == 0 || plugin.audioOutputCount == 0 { return false }
    if isInstrument, !plugin.isInstrument { return false }
    if isUsable, !plugin.canHost { return false }
    if let className, plugin.className.lowercased() != className.lowercased() { return false }
    if let feature {
      let known = plugin.requiredFeatures + plugin.optionalFeatures
      guard known.contains(where: { $0.lowercased().hasSuffix(feature.lowercased()) }) else {
        return false
      }
    }
    let title = plugin.name.lowercased()
    return (name ?? "").split(separator: " ").allSatisfy { title.contains($0.lowercased()) }
  }
}
