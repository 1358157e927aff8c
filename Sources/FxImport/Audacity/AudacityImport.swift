import FxChain
import FxKit
import FxNodes

/// Reads a macro of Audacity, of which a preset of its filter curve is one line: `FilterCurve:f0="20" v0="-6"`.
///
/// Source: macros as docs/import/audacity.md names them.
struct AudacityImport {
  private(set) var lines: [SourceValue] = []
  private(set) var graph = ChainGraph()

  init(_ text: String, _ importing: Importing) {
    var path = SignalPath(width: 2)
    let texts = text.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
    for (index, text) in texts.enumerated() {
      let text = String(text).trimmed
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      let source = SourceValue(.scalar(text), line: index + 1, path: text)
      lines.append(source)
      let end = text.firstIndex(of: ":") ?? text.endIndex
      let rest = end < text.endIndex ? String(text[text.index(after: end)...]) : ""
      let options = EffectOptions(Self.values(rest))
      AudacityEffect(
        name: String(text[..<end]).trimmed,
        effect: Effect(source: source, options: options, importing: importing)
      ).add(to: &path)
      source.settle()
    }
    graph = path.graph()
  }

  /// The values of `Delay="1" Decay="0.5"`.
  private static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for word in EffectWords.split(text) {
      guard let sign = word.firstIndex(of: "=") else { continue }
      values[String(word[..<sign]).lowercased()] = String(word[word.index(after: sign)...])
    }
    return values
  }
}
