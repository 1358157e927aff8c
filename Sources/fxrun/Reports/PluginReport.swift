import FxAudio
import FxChain
import FxLV2

/// An LV2 plugin as `fxrun plugins` shows it.
struct PluginReport {
  let plugin: LV2Description

  /// One line for the list.
  var line: String {
    let width = "\(plugin.audioInputCount)→\(plugin.audioOutputCount)"
    return "\(width.padded(to: 6)) \(plugin.className.padded(to: 14)) \(plugin.uri)  \(plugin.name)"
      + (plugin.canHost ? "" : "  (cannot be used)")
  }

  var text: String {
    var lines = [plugin.uri, "  \(plugin.name), \(plugin.className)"]
    if let author = plugin.author { lines.append("  by \(author)") }
    lines.append("  version \(plugin.minorVersion).\(plugin.microVersion), in \(plugin.bundle)")
    if let refusal = plugin.refusal {
      lines.append("  cannot be used: \(refusal.message)")
    }
    if !plugin.requiredFeatures.isEmpty {
      lines.append("  requires \(plugin.requiredFeatures.joined(separator: ", "))")
    }
    if plugin.latencyPort != nil { lines.append("  reports a latency, which fxrun takes out") }
    ports("audio in", plugin.mainInputs.map(\.symbol), &lines)
    ports("side-chain", plugin.sideChainInputs.map(\.symbol), &lines)
    ports("audio out", plugin.audioOutputs.map(\.symbol), &lines)
    let parameters = plugin.unitSpec.parameters
    if !parameters.isEmpty {
      lines.append("parameters:")
      let width = parameters.map(\.id.count).max() ?? 0
      for parameter in parameters {
        lines.append(
          "  \(parameter.id.padded(to: width))  \(UnitReport.range(parameter)), "
            + "default \(UnitReport.value(parameter))  \(parameter.summary)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func ports(_ title: String, _ symbols: [String], _ lines: inout [String]) {
    guard !symbols.isEmpty else { return }
    lines.append("  \(title): \(symbols.joined(separator: ", "))")
  }

  var json: JSONOutput {
    .members([
      "uri": .string(plugin.uri), "name": .string(plugin.name),
      "class": .string(plugin.className), "author": plugin.author.map { .string($0) },
      "version": .string("\(plugin.minorVersion).\(plugin.microVersion)"),
      "bundle": .string(plugin.bundle),
      "canHost": .bool(plugin.canHost),
      "refusal": plugin.refusal.map { .string($0.message) },
      "requiredFeatures": .array(plugin.requiredFeatures.map { .string($0) }),
      "audioInputs": .array(plugin.mainInputs.map { .string($0.symbol) }),
      "sideChainInputs": .array(plugin.sideChainInputs.map { .string($0.symbol) }),
      "audioOutputs": .array(plugin.audioOutputs.map { .string($0.symbol) }),
      "reportsLatency": .bool(plugin.latencyPort != nil),
      "parameters": .array(
        plugin.unitSpec.parameters.map(UnitReport.json)),
    ])
  }
}
