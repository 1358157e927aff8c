import FxAudio
@testable import FxChain
import Testing

/// Text from other programs or files cannot look like a line of fxrun's own.
struct ForeignTextTests {
  @Test(arguments: [
    ("\u{1B}[31m", "\\u{1b}[31m"), ("a\nerror: b", "a\\nerror: b"), ("\r", "\\r"), ("\t", "\\t"),
    ("\u{7}", "\\u{7}"), ("\u{7F}", "\\u{7f}"), ("\u{9B}1m", "\\u{9b}1m"),
    ("\u{202E}evil", "\\u{202e}evil"), ("\u{2028}", "\\u{2028}"), ("\u{2066}", "\\u{2066}"),
    ("\u{200F}", "\\u{200f}"), ("\u{FEFF}", "\\u{feff}"), ("é 𝄞 日本 ﷺ", "é 𝄞 日本 ﷺ"),
  ])
  func `hidden characters are shown as escapes`(_ text: String, _ shown: String) {
    #expect(ForeignText.visible(text) == shown)
  }

  @Test func `fxrun's own colours stay, and other control sequences do not`() {
    let own = "\u{1B}[1;31merror:\u{1B}[0m a\tb\n"
    #expect(ForeignText.withColours(own) == own)
    #expect(ForeignText.withColours("\u{1B}[2J\u{1B}]0;x\u{7}") == "\\u{1b}[2J\\u{1b}]0;x\\u{7}")
    #expect(ForeignText.withColours("\u{1B}[12;") == "\\u{1b}[12;")
    #expect(ForeignText.withColours("a\rb") == "a\\rb")
  }

  @Test func `a long text keeps its beginning and its end`() {
    #expect(ForeignText.shortened("short") == "short")
    let long = String(repeating: "a", count: 100_000) + "end"
    let shown = ForeignText.shortened(long, to: 40)
    #expect(shown.count == 40)
    #expect(shown.hasPrefix("aaaa") && shown.hasSuffix("aend") && shown.contains("…"))
  }

  @Test func `a report shows names as they are and on their own line`() {
    let name = #"a\u001b[2K\nvoice.json:1:1: error: forged\u202e"#
    let text = list("{ \"unit\": \"\(name)\" }")
    let (_, diagnostics) = build(text, path: "x\nerror: forged\u{9B}.json")
    let lines = diagnostics.text().split(separator: "\n")
    #expect(lines.allSatisfy { !$0.hasPrefix("voice.json:1:1") && !$0.hasPrefix("error: forged") })
    #expect(
      lines.first?.hasPrefix(
        #"x\nerror: forged\u{9b}.json:1:38: error: there is no unit 'a\u{1b}[2K\nvoice.json"#)
        == true,
      "\(lines)")
    let json = diagnostics.json.text()
    #expect(json.unicodeScalars.allSatisfy { !ForeignText.isHidden($0) || $0 == "\n" })
    // The true text.
    #expect(json.contains(#"a\u001B[2K\nvoice.json:1:1: error: forged\u202E"#))
  }

  @Test func `the caret stays below the mistake`() {
    let (_, diagnostics) = build(
      "{ \"version\": 1, \"chain\": [ { \"unit\": \"gain\", \"comment\": \"\u{9B}\u{202E}é日\", \"x\": 1 } ] }"
    )
    let lines = diagnostics.text().split(separator: "\n")
    let source = lines[1]
    #expect(source.unicodeScalars.allSatisfy { !ForeignText.isHidden($0) })
    let marked = source.firstRange(of: "\"x\"").map {
      source.distance(from: source.startIndex, to: $0.lowerBound)
    }
    // The wide character takes two columns.
    #expect(
      lines[2].firstIndex(of: "^").map { lines[2].distance(from: lines[2].startIndex, to: $0) }
        == marked.map { $0 + 1 })
  }

  @Test func `messages shorten long values and names`() {
    let long = String(repeating: "x", count: 100_000)
    let chains = [
      list("{ \"unit\": \"\(long)\" }"),
      list("{ \"unit\": \"gain\", \"\(long)\": 1 }"),
      list("{ \"unit\": \"gain\", \"parameters\": { \"gain\": \"\(long)\" } }"),
      list("{ \"unit\": \"gain\", \"parameters\": { \"\(long)\": 1 } }"),
      list("{ \"id\": \"\(long) \", \"unit\": \"gain\" }"),
      list("{ \"lv2\": \"\(long)\" }"),
      list("{ \"use\": \"\(long)\" }"),
      graph("\"fx\": { \"unit\": \"gain\" }", "\"in -> \(long) -> out\""),
      graph("\"fx\": { \"unit\": \"gain\" }", "\"\(long)\""),
      list("{ \"unit\": \"gain\" }", "\"scene\": \"\(long)\""),
      list("{ \"unit\": \"gain\" }", "\"\(long)\": 1"),
      "{ \"version\": 1, \"chain\": [ \(long) ] }",
    ]
    for chain in chains {
      let (_, diagnostics) = build(chain)
      #expect(diagnostics.hasErrors)
      #expect(diagnostics.text().utf8.count < 5000, "\(diagnostics.text().prefix(300))")
    }
  }
}
