import FxAudio
import FxChain
import FxLV2

/// The report of `fxrun plugins` on an LV2 plugin.
package struct PluginReport: Sendable {
  let plugin: LV2Description
  /// The verdict of its probe; nil if it was not probed.
  var verdict: PluginVerdict?

  /// The text that is searched for words.
  var searchText: String {
    "\(width) \(plugin.className) \(plugin.name) \(plugin.uri)"
      + (plugin.canHost ? "" : " (cannot be used)")
  }

  private var width: String { "\(plugin.audioInputCount)→\(plugin.audioOutputCount)" }

  /// One line per plugin: channels, class, name, URI.
  package static func list(_ reports: [PluginReport]) -> String {
    let classes = min(14, reports.map(\.plugin.className.count).max() ?? 0)
    let names = min(28, reports.map(\.plugin.name.count).max() ?? 0)
    let lines = reports.map { report in
      let plugin = report.plugin
      return "\(report.width.padded(to: 5)) \(fitted(plugin.className, classes)) "
        + "\(fitted(plugin.name, names)) \(plugin.uri)" + report.remark
    }
    return Text.lines(lines)
  }

  /// A warning at the end of a line.
  private var remark: String {
    if !plugin.canHost { return "  (cannot be used)" }
    guard let verdict, !verdict.isGood else { return "" }
    return "  (\(ProbeReport.name(verdict.outcome)) when probed)"
  }

  private static func fitted(_ text: String, _ width: Int) -> String {
    text.count <= width ? text.padded(to: width) : text.prefix(width - 1) + "…"
  }

  package var uri: String { plugin.uri }
  package var name: String { plugin.name }
  /// A sentence about several bundles with the plugin; nil for one.
  package var copies: String? { plugin.copies }
  package var className: String { plugin.className }

  package var text: String {
    var lines = [plugin.uri]
    for (key, value) in facts { lines.append("  \(key.padded(to: 10)) \(value)") }
    table("audio inputs", plugin.mainInputs.map(audioRow), &lines)
    table(
      "side-chain inputs (the port 'sidechain' of the node)",
      plugin.sideChainInputs.map(audioRow), &lines)
    table("audio outputs", plugin.audioOutputs.map(audioRow), &lines)
    parameters(&lines)
    table("readings", plugin.readingPorts.map(readingRow), &lines)
    table("other ports", otherPorts.map(otherRow), &lines)
    return Text.lines(lines)
  }

  private var facts: [(String, String)] {
    var facts = [("name", plugin.name), ("class", plugin.className)]
    if let author = plugin.author { facts.append(("author", author)) }
    facts.append(("version", "\(plugin.minorVersion).\(plugin.microVersion)"))
    if let license = plugin.license { facts.append(("licence", license)) }
    facts.append(("bundle", plugin.bundle))
    for bundle in plugin.otherBundles { facts.append(("ignored", bundle)) }
    if let binary = plugin.binary { facts.append(("binary", binary)) }
    facts.append(("usable", plugin.refusal.map { "cannot be used: \($0.message)" } ?? "yes"))
    if plugin.latencyPort != nil {
      facts.append(("latency", "reports a latency, which fxrun compensates"))
    }
    for feature in plugin.requiredFeatures { facts.append(("requires", feature)) }
    for feature in plugin.optionalFeatures { facts.append(("knows", feature)) }
    facts.append(
      ("probe", verdict.map(ProbeReport.text) ?? "not tried: fxrun plugins probe \(plugin.uri)"))
    return facts
  }

  // MARK: Ports

  private typealias Row = [String]

  /// Rows of cells, aligned; the last cell has the rest of the line.
  private func table(_ title: String, _ rows: [Row], _ lines: inout [String]) {
    guard !rows.isEmpty else { return }
    lines.append("\(title):")
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    for row in rows {
      var line = " "
      for (column, cell) in row.enumerated() {
        line += " " + (column == row.count - 1 ? cell : cell.padded(to: widths[column])) + " "
      }
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
  }

  private func audioRow(_ port: LV2Port) -> Row { [port.symbol, port.name] }

  private func readingRow(_ port: LV2Port) -> Row {
    [port.symbol, port.measure.measure == .gain ? "dB" : port.measure.label, port.name]
  }

  private func otherRow(_ port: LV2Port) -> Row {
    [port.symbol, "\(port.kindName) \(port.isInput ? "in" : "out")", port.name]
  }

  /// Ports that are neither audio nor parameters or readings.
  private var otherPorts: [LV2Port] {
    plugin.ports.filter { port in
      switch port.kind {
      case .audio: false
      case .control: port.role != nil
      case .cv, .atom, .event, .unknown: true
      }
    }
  }

  private func parameters(_ lines: inout [String]) {
    let parameters = plugin.shownParameters
    table("parameters", parameters.map { parameterRow($0, isRelative: $1) }, &lines)
    let named = parameters.map(\.spec).filter { !$0.choices.isEmpty }
    guard !named.isEmpty else { return }
    lines.append("choices:")
    for parameter in named {
      let isNumbered = !parameter.choicesAreExclusive
      let labels = parameter.choices.map { choice in
        isNumbered ? "\(choice.label) (\(shortNumber(choice.value)))" : choice.label
      }
      lines.append(contentsOf: Self.wrapped("  \(parameter.id): ", labels, width: 100))
    }
  }

  private func parameterRow(_ parameter: ParameterSpec, isRelative: Bool) -> Row {
    let isNamed = !parameter.choices.isEmpty && parameter.choicesAreExclusive
    let range =
      isNamed
      ? Text.count(parameter.choices.count, "choice")
      : UnitReport.range(parameter) + (isRelative ? " at 48 kHz" : "")
    return [
      parameter.id, range, "default \(UnitReport.value(parameter))", parameter.summary,
    ]
  }

  /// Words separated by dots, wrapped at the width; lines after the first are indented.
  private static func wrapped(_ title: String, _ words: [String], width: Int) -> [String] {
    var lines: [String] = []
    var line = title
    for (index, word) in words.enumerated() {
      let piece = word + (index < words.count - 1 ? " · " : "")
      if line.count + piece.count > width + 1, line != title {
        lines.append(line)
        line = "      "
      }
      line += piece
    }
    return (lines + [line]).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
