import FxChain
import FxLV2

/// Searches plugins by words, in any order, in their names, classes, authors and URIs; best first.
package struct PluginSearch: Sendable {
  private let words: [String]

  package init(_ words: [String]) {
    self.words = words.flatMap { $0.split(separator: " ").map { $0.lowercased() } }
  }

  /// The plugins that match all words; equal matches keep the order of the list. If none matches,
  /// the plugins that match except for a few letters. Without words, all plugins.
  package func found(in reports: [PluginReport]) -> [PluginReport] {
    guard !words.isEmpty else { return reports }
    let texts = reports.map(Texts.init)
    for forgiving in [false, true] {
      let ranked = texts.indices.compactMap { index in
        distance(from: texts[index], forgiving: forgiving).map { (distance: $0, index: index) }
      }
      guard ranked.isEmpty else {
        return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
          .map { reports[$0.index] }
      }
    }
    return []
  }

  /// The texts that are searched.
  private struct Texts {
    let line: String
    /// From the most to the least significant field.
    let fields: [[String]]

    init(_ report: PluginReport) {
      let plugin = report.plugin
      line = report.searchText.lowercased()
      fields = [plugin.name, plugin.className, plugin.author ?? "", plugin.uri].map {
        WordSearch.words($0)
      }
    }
  }

  private func distance(from texts: Texts, forgiving: Bool) -> Int? {
    var sum = 0
    for word in words {
      guard let distance = distance(of: word, from: texts, forgiving: forgiving) else { return nil }
      sum += distance
    }
    // Equal matches: the plugin with the shortest name comes first.
    return sum * 100 + min(texts.fields[0].count, 99)
  }

  private func distance(of word: String, from texts: Texts, forgiving: Bool) -> Int? {
    let wanted = WordSearch.words(word).joined()
    let found = texts.fields.indices.compactMap { field -> Int? in
      guard !wanted.isEmpty, !word.contains("→") else { return nil }
      return WordSearch.distance(of: wanted, from: texts.fields[field], forgiving: forgiving)
        .map { 2 * $0 + field }
    }.min()
    // Text of the list itself also matches: `1→2`, a part of a URI.
    return found ?? (texts.line.contains(word) ? 8 : nil)
  }
}
