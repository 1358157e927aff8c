package import FxKit

/// An index page for the files that a suite has left in a folder. It lists every case, first those
/// that need attention, with explanations and links to their pages and sounds.
package struct SuitePage: Sendable {
  private let entries: [(SuiteCase, SuiteResult?)]
  private let folder: String

  /// - Parameters:
  ///   - results: by case; nil for those that were not run.
  ///   - folder: the folder for the page, which contains the files of the cases.
  package init(_ cases: [SuiteCase], _ results: [SuiteResult?], folder: String) {
    entries = Array(zip(cases, results))
    self.folder = folder
  }

  /// Writes the page as `index.html`.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package func write() throws(ChainFailure) {
    try WholeFile.write(html, to: "\(folder)/index.html")
  }

  package var html: String {
    let open = entries.compactMap { suiteCase, result in
      result.flatMap { $0.verdict.passes ? nil : section(suiteCase, $0.verdict) }
    }
    return ReportPage.html(
      title: title, body: header + open.joined() + passedSection + missingSection)
  }

  private var title: String { entries.count == 1 ? "1 case" : "\(entries.count) cases" }

  /// The judgements of the cases that were run.
  private var judgements: [Judgement] { entries.compactMap { $0.1.map { Judgement($0.verdict) } } }

  private var header: String {
    let all = judgements
    let counts: [(count: Int, words: String)] = [
      (all.count { $0 == .differs }, "with another sound or cost"),
      (all.count { $0 == .new }, "without a golden"), (all.count { $0 == .failed }, "failed"),
      (all.count { $0 == .same || $0 == .within }, "passed"),
      (entries.count - all.count, "not run"),
    ]
    let words = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.words)" }
    let worst = [Judgement.differs, .failed, .new].first(where: all.contains)
    let isThrough = all.count == entries.count
    let judgement = worst ?? (isThrough ? .same : .new)
    let word = worst?.words ?? (isThrough ? "Passed" : "Stopped")
    return """
      <header><p class="kind">Test report</p><h1>\(title)</h1>
      <p class="verdict \(judgement.rawValue)"><strong>\(word)</strong> \
      \(Markup.sentence(words.joined(separator: ", ")))</p></header>

      """
  }

  /// The section of a case that did not pass.
  private func section(_ suiteCase: SuiteCase, _ verdict: CaseVerdict) -> String {
    let judgement = Judgement(verdict)
    let headline = verdict.headline.isEmpty ? judgement.sentence : verdict.headline
    return """
      <section><h2>\(Markup.escaped(suiteCase.label))</h2>
      <p class="verdict \(judgement.rawValue)"><strong>\(judgement.words)</strong> \
      \(Markup.sentence(headline))</p>
      \(details(verdict.details(suiteCase.testCase.tolerance), judgement))
      \(judgement == .failed ? "" : links(suiteCase, verdict))</section>

      """
  }

  /// Sentences. For a failure, the text of the terminal, which may quote lines of a chain with a
  /// mark below.
  private func details(_ lines: [String], _ judgement: Judgement) -> String {
    guard judgement == .failed else { return Markup.list(lines.map(Markup.sentence)) }
    guard !lines.isEmpty else { return "" }
    let text = lines.map { Markup.escaped($0) }.joined(separator: "\n")
    return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Messages\">"
      + "<pre>\(text)</pre></div>"
  }

  /// Links to the files beside the page.
  private func links(_ suiteCase: SuiteCase, _ verdict: CaseVerdict) -> String {
    var actual = suiteCase.testCase
    actual.expectation = .sound("\(suiteCase.fileName).actual.wav")
    let outputs = verdict.outputs.isEmpty ? ["main"] : verdict.outputs.map(\.name)
    let sounds = outputs.compactMap { actual.soundPath(ofOutput: $0) }
    let files =
      [("\(suiteCase.fileName).html", "The difference, drawn")]
      + sounds.map { ($0, "Rendered sound: \($0)") }
    let links = files.filter { WholeFile.exists("\(folder)/\($0.0)") }.map { name, words in
      "<a href=\"./\(Self.reference(name))\">\(Markup.escaped(words))</a>"
    }
    return links.isEmpty ? "" : "<p class=\"files\">\(links.joined(separator: " "))</p>"
  }

  /// A name as part of a URL: characters other than letters, digits and `-._~` are percent-encoded.
  static func reference(_ name: String) -> String {
    name.utf8.reduce(into: "") { text, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
  }

  private var passedSection: String {
    let rows = entries.compactMap { suiteCase, result -> String? in
      guard let verdict = result?.verdict, verdict.passes else { return nil }
      let words =
        [Markup.sentence(Judgement(verdict).words)] + verdict.warnings.map(Markup.sentence)
      return "<tr><th scope=\"row\">\(Markup.escaped(suiteCase.label))</th>"
        + "<td>\(words.joined(separator: " "))</td></tr>"
    }
    return table("Passed", rows)
  }

  private var missingSection: String {
    table(
      "Not run",
      entries.filter { $0.1 == nil }.map {
        "<tr><th scope=\"row\">\(Markup.escaped($0.0.label))</th></tr>"
      })
  }

  private func table(_ heading: String, _ rows: [String]) -> String {
    guard !rows.isEmpty else { return "" }
    return "<section><h2>\(heading)</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      + "aria-label=\"\(heading)\"><table>\n\(rows.joined(separator: "\n"))</table></div></section>\n"
  }
}
