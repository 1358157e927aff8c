package import FxAnalysis
import FxAudio
import FxChain
package import FxKit

/// One page that shows how two sounds differ: complete in itself, for any browser, light and dark.
package struct DifferenceReport: Sendable {
  /// One output of a chain, or one pair of files.
  package struct Output: Sendable {
    package var name: String
    /// nil where the golden keeps no sound.
    package var expected: Sound?
    package var actual: Sound
    package var comparison: Comparison?

    package init(name: String, expected: Sound?, actual: Sound, comparison: Comparison?) {
      self.name = name
      self.expected = expected
      self.actual = actual
      self.comparison = comparison
    }
  }

  /// What each node made then and now.
  package struct Nodes: Sendable {
    package var then: NodePrints
    package var now: NodePrints
    package var divergences: [CaseVerdict.Divergence]

    package init(
      then: NodePrints, now: NodePrints, divergences: [CaseVerdict.Divergence]
    ) {
      self.then = then
      self.now = now
      self.divergences = divergences
    }
  }

  package var title: String
  /// Sentences: the first one says it, the others say more.
  package var lines: [String]
  package var outputs: [Output]
  package var nodes: Nodes?

  package init(title: String, lines: [String], outputs: [Output], nodes: Nodes? = nil) {
    self.title = title
    self.lines = lines
    self.outputs = outputs
    self.nodes = nodes
  }

  /// Channels that are drawn; more are a table's work.
  private static let mostChannels = 4

  /// Writes the page, whole or not at all.
  package func write(to path: String) throws(ChainFailure) {
    try WholeFile.write(html, to: path)
  }

  package var html: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Markup.escaped(title))</title>
    <style>\(ReportStyle.sheet)</style></head><body><main>
    <header><p class="kind">fxrun, what differs</p><h1>\(Markup.escaped(title))</h1>
    \(summary)</header>
    \(nodeSection)
    \(outputs.map(section).joined(separator: "\n"))
    </main></body></html>

    """
  }

  private var summary: String {
    guard let first = lines.first else { return "" }
    let rest = lines.dropFirst().map { "<li>\(Markup.escaped($0))</li>" }.joined()
    return "<p class=\"verdict\">\(Markup.escaped(first))</p>"
      + (rest.isEmpty ? "" : "<ul class=\"more\">\(rest)</ul>")
  }

  private var nodeSection: String {
    guard let nodes else { return "" }
    let section = NodeSection(
      then: nodes.then, now: nodes.now, divergences: nodes.divergences)
    return
      "<section><h2>Where it begins</h2>\(GraphDrawing(section.rows)?.svg ?? "")\(section.table)"
      + "</section>"
  }

  private func section(_ output: Output) -> String {
    let channelCount = max(output.actual.channelCount, output.expected?.channelCount ?? 0)
    let title = outputs.count > 1 ? "Output <em>\(Markup.escaped(output.name))</em>" : "The sound"
    var markup = "<section><h2>\(title)</h2>"
    if outputs.count > 1, let comparison = output.comparison {
      markup +=
        "<ul class=\"more\">"
        + comparison.lines.map { "<li>\(Markup.escaped($0))</li>" }.joined() + "</ul>"
    }
    markup += FactTable(output).markup + Self.legend(hasExpected: output.expected != nil)
    for channel in 0..<min(channelCount, Self.mostChannels) {
      markup += drawings(output, channel, of: channelCount)
    }
    if channelCount > Self.mostChannels {
      markup +=
        "<p>The other \(channelCount - Self.mostChannels) channels are in the table alone.</p>"
    }
    return markup + "</section>"
  }

  private static func legend(hasExpected: Bool) -> String {
    guard hasExpected else { return "" }
    return "<p class=\"key\"><span class=\"then\"></span>expected <span class=\"now\"></span>came "
      + "<span class=\"diff\"></span>difference, magnified "
      + "<span class=\"first\"></span>first <span class=\"peak\"></span>largest difference</p>"
  }

  private func drawings(_ output: Output, _ channel: Int, of count: Int) -> String {
    func samples(_ sound: Sound?) -> [Float]? {
      sound.flatMap { $0.channels.indices.contains(channel) ? $0.channels[channel] : nil }
    }
    let expected = samples(output.expected)
    let actual = samples(output.actual) ?? []
    let rate = output.actual.sampleRate
    let difference =
      output.comparison?.channels.indices.contains(channel) == true
      ? output.comparison?.channels[channel] : nil
    var markup =
      count > 1 ? "<h3>\(Markup.escaped(Comparison.channelName(channel, of: count)))</h3>" : ""
    markup +=
      WaveformDrawing(
        expected: expected, actual: actual, sampleRate: rate, difference: difference
      ).svg
    if let expected, let first = difference?.firstDifference {
      markup +=
        ZoomDrawing(expected: expected, actual: actual, frame: first, sampleRate: rate).svg
    }
    markup +=
      SpectrogramDrawing(expected: expected, actual: actual, sampleRate: rate).figures
    return markup + BandDrawing(expected: expected, actual: actual, sampleRate: rate).svg
  }
}
