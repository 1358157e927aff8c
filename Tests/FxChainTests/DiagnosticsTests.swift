@testable import FxChain
import Testing

/// Collections of messages: counts, limits and order.
@Suite struct DiagnosticsTests {
  /// Messages at the numbers of a list in a file.
  private func places(_ path: String, _ text: String = "[10, 20,\n  30]") throws -> [Place] {
    var diagnostics = Diagnostics()
    let document = try #require(
      JSONDocument.read(SourceText(path: path, bytes: Array(text.utf8)), into: &diagnostics))
    return document.root.elements.map(\.place)
  }

  @Test func `errors and warnings are counted, and notes are not`() {
    var diagnostics = Diagnostics()
    #expect(diagnostics.isEmpty && !diagnostics.hasErrors && diagnostics.summary == nil)
    diagnostics.add(Diagnostic(.layout, "w", severity: .note))
    #expect(!diagnostics.isEmpty && diagnostics.summary == nil)
    diagnostics.add(Diagnostic(.layout, "w"))
    #expect(!diagnostics.hasErrors && diagnostics.summary == "1 warning")
    diagnostics.add(Diagnostic(.invalidValue, "e"))
    #expect(diagnostics.hasErrors && diagnostics.summary == "1 error, 1 warning")
    diagnostics.add(contentsOf: diagnostics)
    #expect(diagnostics.summary == "2 errors, 2 warnings")
    #expect(diagnostics.codes.count == 6)
  }

  @Test func `a thousand messages are kept, and the others are counted`() {
    var diagnostics = Diagnostics()
    for number in 0..<Diagnostics.limit - 1 {
      diagnostics.add(Diagnostic(.invalidValue, "\(number)"))
    }
    #expect(!diagnostics.isFull)
    for number in 0..<3 { diagnostics.add(Diagnostic(.invalidValue, "more \(number)")) }
    diagnostics.add(Diagnostic(.layout, "a warning"))
    #expect(diagnostics.isFull)
    #expect(diagnostics.all.count == 1000)
    #expect(diagnostics.all.last?.message == "more 0")
    #expect((diagnostics.errorCount, diagnostics.warningCount) == (1002, 1))
    #expect(diagnostics.text().hasSuffix("\n… and 3 more\n1002 errors, 1 warning\n"))
    // Messages that are only counted stay counted.
    var sum = Diagnostics([Diagnostic(.invalidValue, "first")])
    sum.add(contentsOf: diagnostics)
    #expect((sum.errorCount, sum.warningCount, sum.all.count) == (1003, 1, 1000))
  }

  @Test func `messages are in the order of the text, file by file, and the command line is last`()
    throws
  {
    let (first, second) = (try places("b.json"), try places("a.json"))
    let diagnostics = Diagnostics([
      Diagnostic(.invalidValue, "argument", origin: "--set x=1"),
      Diagnostic(.invalidValue, "b30", at: first[2]),
      Diagnostic(.invalidValue, "a10", at: second[0]),
      Diagnostic(.invalidValue, "b10", at: first[0]), Diagnostic(.invalidValue, "nowhere"),
      Diagnostic(.invalidValue, "b10 too", at: first[0]),
      Diagnostic(.invalidValue, "a20", at: second[1]),
    ])
    // The file that was read first is first.
    #expect(
      diagnostics.sorted().all.map(\.message)
        == ["b10", "b10 too", "b30", "a10", "a20", "argument", "nowhere"])
  }

  @Test func `a message that is repeated is shown and counted once`() throws {
    let places = try places("x")
    let diagnostics = Diagnostics([
      Diagnostic(.invalidValue, "same", at: places[1]),
      Diagnostic(.layout, "warning", at: places[2]),
      Diagnostic(.invalidValue, "same", at: places[1]),
      Diagnostic(.invalidValue, "same", at: places[0]),
      Diagnostic(.layout, "warning", at: places[2]),
      Diagnostic(.invalidValue, "same", at: places[1], hints: ["with a hint"]),
    ]).sorted()
    #expect(diagnostics.all.map(\.message) == ["same", "same", "same", "warning"])
    #expect((diagnostics.errorCount, diagnostics.warningCount) == (3, 1))
  }

  @Test func `long messages and hints are shortened`() {
    let long = String(repeating: "x", count: 5000)
    let diagnostic = Diagnostic(.invalidValue, long, hints: [long, "short"])
    #expect(diagnostic.message.count <= 600 && diagnostic.message.count > 500)
    #expect(diagnostic.hints[0].count <= 2000 && diagnostic.hints[0].count > 1800)
    #expect(diagnostic.hints[1] == "short")
  }

  @Test func `a place has a line, a column and a length in characters`() throws {
    let text = "[\"ä\",\n  \"日本\", {\n } ]"
    let places = try places("x", text)
    let found = places.map { Diagnostic(.invalidValue, "m", at: $0) }
    #expect(found.map(\.line) == [1, 2, 2])
    #expect(found.map(\.column) == [2, 3, 9])
    // Only the first line of an object counts.
    #expect(found.map(\.length) == [3, 4, 1])
    #expect(found.map(\.path) == ["/0", "/1", "/2"])
    #expect(found[0].file == "x")
    let argument = Diagnostic(.invalidValue, "m", origin: "--set")
    #expect(argument.file == "--set" && argument.line == nil && argument.path == nil)
    #expect(
      argument.json.text(indented: false)
        == #"{"severity":"error","code":"invalid-value","message":"m","file":"--set"}"#)
  }

  @Test func `control characters in a message cannot change a terminal`() {
    let text = Diagnostic(.invalidValue, "a\u{1B}[31mb", hints: ["c\u{7}d"], origin: "x\ny").text()
    #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
    #expect(text.split(separator: "\n").count == 2)
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("treshold", "threshold"), ("Threshold", "threshold"), ("high-pass", "highPass"),
    ("high_pass", "highPass"), ("freq", "frequency"), ("frequencyHz", "frequency"),
    ("gian", "gain"), ("gan", "gain"), ("gaiin", "gain"), ("q", "q"), ("Q", "q"),
  ])
  func `a name that is nearly right leads to the right one`(word: String, name: String) {
    let names = ["threshold", "highPass", "frequency", "gain", "q", "lowPass"]
    #expect(Suggestion.nearest(to: word, in: names) == name)
    #expect(Suggestion.hint(for: word, in: names) == ["did you mean '\(name)'?"])
  }

  @Test(arguments: ["", "x", "fr", "gxxn", "reverb", "wobble"])
  func `a name that is too different leads to none`(_ word: String) {
    let names = ["threshold", "frequency", "gain", "q"]
    #expect(Suggestion.nearest(to: word, in: names) == nil)
    #expect(Suggestion.hint(for: word, in: names) == [])
  }

  @Test func `the nearest name wins, and the first of two that are as near`() {
    #expect(Suggestion.nearest(to: "gain", in: ["grain", "pain", "GAIN", "gain"]) == "GAIN")
    #expect(Suggestion.nearest(to: "gaim", in: ["pain", "gain"]) == "gain")
    #expect(Suggestion.nearest(to: "rain", in: ["gain", "pain"]) == "gain")
    // A beginning is as near as two mistakes.
    #expect(Suggestion.nearest(to: "attack", in: ["attackTime", "attica"]) == "attackTime")
    #expect(Suggestion.nearest(to: "attack", in: ["attackTime", "attacc"]) == "attacc")
  }

  @Test func `long names and long lists are not compared`() {
    let long = String(repeating: "a", count: 81)
    #expect(Suggestion.nearest(to: long, in: [long]) == nil)
    #expect(
      Suggestion.nearest(to: String(long.dropLast()), in: [long, String(long.dropLast())])
        == String(long.dropLast()))
    let names = (0..<2000).map { "name\($0)" }
    #expect(Suggestion.nearest(to: "gain", in: names.dropLast() + ["gain"]) == "gain")
    #expect(Suggestion.nearest(to: "gain", in: names + ["gain"]) == nil)
  }
}
