package import FxKit

/// A page that shows how the actual sound differs from the expected one. The HTML contains all its
/// pictures and sounds and loads nothing else.
package struct DifferenceReport: Sendable {
  /// The sounds of one output. A single sound is shown alone.
  package struct Output: Sendable {
    package var name: String
    package var expected: Sound?
    package var actual: Sound?
    package var comparison: Comparison?

    /// - Parameter comparison: computed here if it is nil and both sounds exist.
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

  /// The names of the two sounds: `expected` and `actual`, or the names of two files. Plain text.
  package struct Names: Sendable, Equatable {
    package var expected: String
    package var actual: String

    package init(expected: String = "expected", actual: String = "actual") {
      self.expected = expected
      self.actual = actual
    }
  }

  /// The fingerprints of the nodes then and now.
  package struct Nodes: Sendable {
    package var then: NodeFingerprints
    package var now: NodeFingerprints
    var divergences: [CaseVerdict.Divergence]

    package init(
      then: NodeFingerprints, now: NodeFingerprints, divergences: [CaseVerdict.Divergence]
    ) {
      self.then = then
      self.now = now
      self.divergences = divergences
    }
  }

  package var title: String
  /// Sentences without capital letter and full stop: the first is the summary, the others give
  /// details.
  package var lines: [String]
  package var outputs: [Output]
  package var nodes: Nodes?
  package var names = Names()
  /// The changes of the environment, shown first.
  var environment: [CaseVerdict.EnvironmentChange] = []
  /// The judgement if it is known; otherwise the comparisons decide.
  var judgement: Judgement?

  package init(title: String, lines: [String], outputs: [Output], nodes: Nodes? = nil) {
    self.title = title
    self.lines = lines
    self.outputs = outputs
    self.nodes = nodes
  }

  /// Writes the page under a temporary name and renames it, so that it appears complete or not at
  /// all.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package func write(to path: String) throws(ChainFailure) {
    try WholeFile.write(html, to: path)
  }

  /// The page. For sounds of any length its drawings are smaller than 1.5 MB, and its sounds than
  /// `SoundPlayers.limit`.
  package var html: String {
    var sections = [header, environmentSection, explanation]
    sections += outputs.indices.map(outputSection)
    sections.append(nodeSection)
    return ReportPage.html(title: title, body: sections.joined())
  }

  // MARK: Sections

  private var header: String {
    let judgement =
      judgement ?? Judgement(of: outputs.compactMap(\.comparison), isExplained: !lines.isEmpty)
    let sentence = Markup.sentence(lines.first ?? judgement.sentence)
    return """
      <header><p class="kind">Difference report</p><h1>\(Markup.escaped(title))</h1>
      <p class="verdict \(judgement.rawValue)"><strong>\(judgement.words)</strong> \(sentence)\
      </p></header>

      """
  }

  private var environmentSection: String {
    guard !environment.isEmpty else { return "" }
    return "<section><h2>Environment</h2>"
      + Markup.list(environment.map { Markup.sentence($0.message) }) + "</section>\n"
  }

  private var explanation: String {
    let more = lines.dropFirst().map(Markup.sentence).filter { !$0.isEmpty }
    guard !more.isEmpty else { return "" }
    return "<section><h2>What is different</h2>" + Markup.list(more) + "</section>\n"
  }

  private func outputSection(_ index: Int) -> String {
    let output = outputs[index]
    let heading = outputs.count > 1 || output.name != "main" ? "Output \(output.name)" : "Sound"
    let isOneOfMany = outputs.count > 1
    let detail = ChannelPair.Detail(channelCount: min(drawnCount, Self.channelLimit))
    var body = ""
    if isOneOfMany, let comparison = output.comparison {
      body += Markup.list(comparison.lines.map(Markup.sentence))
    }
    body += ReportFacts(output: output, names: names).html
    body +=
      SoundPlayers(
        output, names: names, byteLimit: SoundPlayers.limit / max(outputs.count, 1)
      ).html
    let channels = pairs(output, detail)
    let share = index < Self.channelLimit ? max(Self.channelLimit / outputs.count, 1) : 0
    let drawn = Self.chosen(channels, limit: share)
    for index in drawn { body += channelSection(channels[index]) }
    if drawn.count < channels.count(where: { !$0.isSame }) {
      body +=
        "<p class=\"quiet\">Drawn: \(drawn.count) of \(channels.count) channels, "
        + "those that differ the most.</p>"
    }
    return "<section><h2>\(Markup.escaped(heading))</h2>\n\(body)</section>\n"
  }

  // MARK: Channels

  /// The most channels on a page.
  static let channelLimit = 8

  private var drawnCount: Int {
    outputs.reduce(0) { $0 + max($1.expected?.channelCount ?? 0, $1.actual?.channelCount ?? 0) }
  }

  /// The channels that differ most, or the first channel if none differs; in channel order.
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
        name: Markup.channelName(index, of: count),
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
    // A spectrum of a few samples means nothing.
    let hasSpectrum = pair.frameCount >= Self.leastFrameCount
    return """
      <section class="channel">\(heading)\(pair.waveforms(shown))\
      <div class="row">\(pair.samplesAroundFirst(shown))\(hasSpectrum ? pair.bands(shown) : "")\
      </div>\(pair.magnitude())<div class="row">\(hasSpectrum ? pair.spectrograms(shown) : "")</div></section>

      """
  }

  private static let leastFrameCount = 256

  // MARK: Nodes

  private var nodeSection: String {
    guard let nodes else { return "" }
    let rows = NodeRow.rows(
      then: nodes.then, now: nodes.now, divergences: nodes.divergences)
    guard !rows.isEmpty else { return "" }
    return "<section><h2>Where it begins</h2>\n"
      + (NodeDrawing(rows)?.html ?? "") + NodeTable.html(rows) + "</section>\n"
  }
}
