@testable import FxChain
import Testing

struct JSONReaderTests {
  private func read(_ bytes: [UInt8]) -> (document: JSONDocument?, diagnostics: Diagnostics) {
    var diagnostics = Diagnostics()
    let document = JSONDocument.read(SourceText(path: "x", bytes: bytes), into: &diagnostics)
    return (document, diagnostics)
  }

  private func mistake(_ text: String) -> String {
    let (document, diagnostics) = read(Array(text.utf8))
    guard let first = diagnostics.all.first else { return "none" }
    return (document == nil ? "" : "read: ")
      + "\(first.line ?? 0):\(first.column ?? 0):\(first.length ?? 0) \(first.message)"
  }

  @Test(arguments: [
    ("", "1:1:0 the file is empty"),
    ("  \n ", "2:2:0 the file is empty"),
    ("{", "1:1:1 the file ends before the object that begins here is closed"),
    ("[1, [2", "1:5:1 the file ends before the list that begins here is closed"),
    ("{\"a\": ", "1:1:1 the file ends before the object that begins here is closed"),
    ("[1,]", "1:3:1 nothing follows this comma"),
    ("{\"a\": 1,\n}", "1:8:1 nothing follows this comma"),
    ("[1 2]", "1:4:1 expected ',' or ']', found '2'"),
    ("{\"a\" 1}", "1:6:1 expected ':' after the key, found '1'"),
    ("{\"a\": 1 \"b\": 2}", "1:9:1 expected ',' or '}', found a string"),
    ("{a: 1}", "1:2:1 expected a key in double quotes, found 'a'"),
    ("[,1]", "1:2:1 expected a value, found ','"),
    ("[1,,2]", "1:4:1 expected a value, found ','"),
    ("{\"a\": }", "1:7:1 expected a value, found '}'"),
    ("[1] x", "1:5:1 text follows the end of the object"),
    ("[1] // x", "1:5:1 JSON has no comments"),
    ("// x\n{}", "1:1:1 JSON has no comments"),
    ("{ # x\n}", "1:3:1 JSON has no comments"),
    ("[1, /* x */ 2]", "1:5:1 JSON has no comments"),
    ("['a']", "1:2:1 text stands in double quotes in JSON, not in single ones"),
    ("[“a”]", "1:2:1 text stands in straight double quotes (\") in JSON"),
    ("[NaN]", "1:2:3 'NaN' is not a number in JSON"),
    ("[-Infinity]", "1:2:9 '-Infinity' is not a number in JSON"),
    ("[Infinity]", "1:2:8 'Infinity' is not a number in JSON"),
    ("[True]", "1:2:4 expected a value, found 'True'"),
    ("[hall]", "1:2:4 expected a value, found 'hall'"),
    ("[01]", "1:2:2 a number has no zeros in front"),
    ("[-01]", "1:2:3 a number has no zeros in front"),
    ("[+1]", "1:2:2 '+1' is not a number in JSON"),
    ("[.5]", "1:2:2 '.5' is not a number in JSON"),
    ("[1.]", "1:2:2 '1.' is not a number in JSON"),
    ("[1e]", "1:2:2 '1e' is not a number in JSON"),
    ("[0x10]", "1:2:4 '0x10' is not a number in JSON"),
    ("[-]", "1:2:1 '-' is not a number in JSON"),
    ("[1e999]", "1:2:5 the number is too large"),
    ("[80Hz]", "1:2:4 '80Hz' is not a number in JSON"),
    ("[\"a]", "1:2:3 the string that begins here is not closed on its line"),
    ("[\"a\nb\"]", "1:2:2 the string that begins here is not closed on its line"),
    ("[\"a\tb\"]", "1:4:1 a tab cannot stand in a string"),
    ("[\"\u{01}\"]", "1:3:1 the control character U+0001 cannot stand in a string"),
    ("[\"\\x\"]", "1:3:2 '\\x' is not an escape"),
    ("[\"C:\\music\"]", "1:5:2 '\\m' is not an escape"),
    ("[\"\\u12g4\"]", "1:3:4 '\\u' needs four hexadecimal digits"),
    ("[\"\\ud800\"]", "1:3:6 half of a surrogate pair stands alone"),
    ("[\"\\udc00\"]", "1:3:6 half of a surrogate pair stands alone"),
    ("[\"\\ud800\\u0041\"]", "1:3:6 half of a surrogate pair stands alone"),
    ("{\"a\": 1, \"a\": 2}", "read: 1:10:3 the key 'a' is written twice in this object"),
    ("{\"a\": 1, \"\\u0061\": 2}", "read: 1:10:8 the key 'a' is written twice in this object"),
    ("{\"ä\": 1, \"ö\": 2, \"ä\": 3}", "read: 1:18:3 the key 'ä' is written twice in this object"),
    ("[\"ä👩‍👩‍👧\", x]", "1:8:1 expected a value, found 'x'"),
    ("[\n\t\t?]", "2:3:1 expected a value, found '?'"),
    ("[1,\r\n2,\r3,\n!]", "4:1:1 expected a value, found '!'"),
  ])
  func `every syntax error is reported at its place`(
    _ text: String, _ expected: String
  ) {
    #expect(mistake(text) == expected)
  }

  @Test(arguments: [
    "{}", "[]", " [ ] ", "0", "-0", "1.5e-3", "1E+2", "\"\"", "null", "[true, false, null]",
    "{\"\": 1}", "[\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e4 \\ud83d\\ude00\"]", "[[[[]]]]",
    "[\"\u{7F}\"]",
    "{\"a\": {\"a\": 1}, \"b\": [{\"a\": 1}]}",
  ])
  func `all valid JSON is read`(_ text: String) {
    let (document, diagnostics) = read(Array(text.utf8))
    #expect(document != nil)
    #expect(diagnostics.isEmpty)
  }

  @Test(
    arguments: [
      ([0x80], "0x80"), ([0xC3], "0xC3"), ([0xC0, 0xAF], "0xC0"), ([0xED, 0xA0, 0x80], "0xED"),
      ([0xF5, 0x80, 0x80, 0x80], "0xF5"), ([0xE2, 0x82], "0xE2"),
      ([0xF0, 0x80, 0x80, 0x80], "0xF0"),
      ([0xE2, 0x28, 0xA1], "0xE2"),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are refused`(_ bytes: [UInt8], _ shown: String) {
    let (document, diagnostics) = read(Array("[\"".utf8) + bytes + Array("\"]".utf8))
    #expect(document == nil)
    #expect(diagnostics.codes == [.invalidUTF8])
    #expect(diagnostics.all[0].message.contains(shown))
  }

  @Test func `a byte order mark is skipped and UTF-16 named`() {
    #expect(read([0xEF, 0xBB, 0xBF] + Array("{}".utf8)).diagnostics.isEmpty)
    #expect(read([0xFF, 0xFE, 0x7B, 0x00]).diagnostics.codes == [.invalidUTF8])
    #expect(read([0x00, 0x7B, 0x00, 0x7D]).diagnostics.codes == [.invalidUTF8])
    let marked = read([0xEF, 0xBB, 0xBF] + Array("[x]".utf8)).diagnostics
    #expect(marked.all.first?.column == 2)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `a hundred thousand nested brackets are one message`(_ bracket: String) {
    let text = String(repeating: bracket, count: 100_000)
    let (document, diagnostics) = read(Array(text.utf8))
    #expect(document == nil)
    #expect(diagnostics.codes == [.tooDeep])
  }

  @Test func `two hundred levels are read and two hundred and one are not`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(read(nested(200)).diagnostics.isEmpty)
    #expect(read(nested(201)).diagnostics.codes == [.tooDeep])
  }

  @Test func `every cut of a chain is refused without a trap`() {
    let text = Array(
      "{\"a\": [1.5e3, \"x\\u00e4\\ud83d\\ude00ä\", true, null], \"b\": {\"c\": -0.5}}".utf8)
    for count in 0..<text.count {
      #expect(read(Array(text[..<count])).document == nil, "cut at \(count)")
    }
  }

  @Test func `a changed byte never traps`() {
    let text = Array("{\"a\": [1.5e3, \"x\\u00e4ä\", true], \"b\": {\"c\": -0.5}}".utf8)
    for index in text.indices {
      for byte in [0, 0x22, 0x5C, 0x7B, 0x5D, 0x2C, 0x80, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        let (document, diagnostics) = read(changed)
        #expect(document != nil || diagnostics.hasErrors)
        _ = diagnostics.text()
      }
    }
  }

  @Test func `written JSON is read back unchanged`() {
    let output = JSONOutput.members([
      "a\"\\\n\u{01}": .array([.number(1.5), .integer(-3), .bool(true), .null]), "b": .members([:]),
      "c": .array([]), "none": nil,
    ])
    #expect(output.text(indented: false) == #"{"a\"\\\n\u0001":[1.5,-3,true,null],"b":{},"c":[]}"#)
    #expect(read(Array(output.text().utf8)).diagnostics.isEmpty)
  }
}
