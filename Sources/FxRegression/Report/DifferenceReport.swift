package import FxAnalysis
package import FxKit

/// One page that shows how what came differs from what is expected: HTML that holds all its
/// pictures and asks for nothing else.
package struct DifferenceReport: Sendable {
  /// One output's sounds. Where only one is there it is shown alone.
  package struct Output: Sendable {
    package var name: String
    package var expected: Sound?
    package var actual: Sound?
    package var comparison: Comparison?

    /// - Parameter comparison: Made here where it is nil and both sounds are there.
    package init(
      name: String = "main", expected: Sound?, actual: Sound?, comparison: Comparison? = nil
    ) {
      self.name = name
      self.expected = expected
      self.actual = actual
      self.comparison = comparison
      if comparison == nil, let expected, let actual {
        self.comparison = Comparison(expected: expected, actual: actual)
      }
    }
  }

  /// What the two sounds are called: `expected` and `actual`, or the names of two files. Plain text.
  package struct Names: Sendable, Equatable {
    package var expected: String
    package var actual: String

    package init(expected: String = "expected", actual: String = "actual") {
      self.expected = expected
      self.actual = actual
    }
  }

  package var title: String
  package var verdict: CaseVerdict?
  package var outputs: [Output]
  /// What passed each node when the golden was made, and now.
  package var then: NodePrints?
  package var now: NodePrints?
  package var names = Names()

  package init(
    title: String, verdict: CaseVerdict? = nil, outputs: [Output], then: NodePrints? = nil,
    now: NodePrints? = nil
  ) {
    self.title = title
    self.verdict = verdict
    self.outputs = outputs
    self.then = then
    self.now = now
  }

  /// Of a case, with the sounds that its verdict holds.
  package init(_ verdict: CaseVerdict, then: NodePrints? = nil, now: NodePrints? = nil) {
    self.init(
      title: verdict.name, verdict: verdict,
      outputs: verdict.outputs.map {
        Output(
          name: $0.name, expected: $0.expectedSound, actual: $0.actualSound,
          comparison: $0.comparison)
      }, then: then, now: now)
  }

  /// Writes the page under another name first, so that it is there whole or not at all.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package func write(to path: String) throws(ChainFailure) {
    try WholeFile.write(html(), to: path)
  }

  /// The page, below 1.5 MB however long the sounds are.
  package func html() -> String {
    var sections = [header, environment, explanation]
    sections += outputs.indices.map { outputSection(outputs[$0]) }
    sections.append(nodes)
    return ReportPage.html(title: title, body: sections.joined())
  }

  var divergences: [CaseVerdict.Divergence] {
    if let verdict, !verdict.divergences.isEmpty { return verdict.divergences }
    guard let then, let now else { return [] }
    return now.divergences(from: then)
  }

  // MARK: Sections

  private var header: String {
    let judgement = ReportWords.judgement(self)
    return """
      <header><p class="kind">Difference report</p><h1>\(Markup.escaped(title))</h1>
      <p class="verdict \(judgement.kind.rawValue)"><strong>\(judgement.kind.words)</strong> \
      \(judgement.sentence)</p></header>

      """
  }

  private var environment: String {
    guard let changes = verdict?.environment, !changes.isEmpty else { return "" }
    return "<section><h2>What it was made with</h2>"
      + ReportWords.list(changes.map { Markup.sentence($0.message) }) + "</section>\n"
  }

  private var explanation: String {
    let lines = ReportWords.explanation(self)
    guard !lines.isEmpty else { return "" }
    return "<section><h2>What is different</h2>" + ReportWords.list(lines) + "</section>\n"
  }

  private func outputSection(_ output: Output) -> String {
    let heading = outputs.count > 1 || output.name != "main" ? "Output \(output.name)" : "Sound"
    let detail = ChannelPair.Detail(channelCount: min(drawnCount, Self.channelLimit))
    var body = ReportFacts(output: output, names: names).html
    let channels = pairs(output, detail)
    let share = max(Self.channelLimit / max(outputs.count, 1), 1)
    let drawn = Self.chosen(channels, limit: share)
    for index in drawn { body += channelSection(channels[index]) }
    if drawn.count < channels.count, channels.contains(where: { !$0.isSame }) {
      body +=
        "<p class=\"quiet\">Drawn: \(drawn.count) of \(channels.count) channels, "
        + "those that differ the most.</p>"
    }
    return "<section><h2>\(Markup.escaped(heading))</h2>\n\(body)</section>\n"
  }

  // MARK: Channels

  /// On a page.
  static let channelLimit = 8

  private var drawnCount: Int {
    outputs.reduce(0) { $0 + max($1.expected?.channelCount ?? 0, $1.actual?.channelCount ?? 0) }
  }

  /// Those that differ, the most first; the first one where none does. In their order.
  private static func chosen(_ channels: [ChannelPair], limit: Int) -> [Int] {
    let differing = channels.indices.filter { !channels[$0].isSame }
    guard !differing.isEmpty else { return channels.isEmpty ? [] : [0] }
    func weight(_ index: Int) -> Float { channels[index].comparison?.peak ?? 0 }
    let ranked = differing.sorted { (weight($0), -$0) > (weight($1), -$1) }
    return ranked.prefix(limit).sorted()
  }

  private func pairs(_ output: Output, _ detail: ChannelPair.Detail) -> [ChannelPair] {
    let count = max(output.expected?.channelCount ?? 0, output.actual?.channelCount ?? 0)
    func channel(_ sound: Sound?, _ index: Int) -> [Float]? {
      guard let sound, sound.channels.indices.contains(index) else { return nil }
      return sound.channels[index]
    }
    return (0..<count).map { index in
      let compared = output.comparison?.channels
      return ChannelPair(
        name: ReportWords.channelName(index, of: count),
        expected: channel(output.expected, index), actual: channel(output.actual, index),
        expectedRate: ReportFacts.rate(output.expected),
        actualRate: ReportFacts.rate(output.actual),
        comparison: compared.flatMap { $0.indices.contains(index) ? $0[index] : nil },
        detail: detail)
    }
  }

  private func channelSection(_ pair: ChannelPair) -> String {
    let heading = pair.name.isEmpty ? "" : "<h3>\(pair.name)</h3>\n"
    guard pair.frameCount > 0 else { return "\(heading)<p>It has no frames.</p>" }
    let shown = Names(
      expected: Markup.escaped(names.expected, limit: 60),
      actual: Markup.escaped(names.actual, limit: 60))
    return """
      <section class="channel">\(heading)\(pair.waveforms(shown))\
      <div class="row three">\(pair.samplesAroundFirst(shown))\(pair.bands(shown))</div>\
      <div class="row three">\(pair.spectrograms(shown))</div></section>

      """
  }

  // MARK: Nodes

  private var nodes: String {
    let rows = NodeRow.rows(then: then, now: now, divergences: divergences)
    guard !rows.isEmpty else { return "" }
    return "<section><h2>Where it begins</h2>\n"
      + (NodeDrawing(rows)?.html ?? "") + NodeTable.html(rows) + "</section>\n"
  }
}
