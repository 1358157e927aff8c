@testable import FxChain
import Testing

/// Values of a JSON text, their places, and JSON that is written.
@Suite struct JSONValueTests {
  private func root(_ text: String) throws -> JSONValue {
    var diagnostics = Diagnostics()
    let source = SourceText(path: "x", bytes: Array(text.utf8))
    return try #require(JSONDocument.read(source, into: &diagnostics)).root
  }

  @Test func `a value is only what it is`() throws {
    let values = try root(#"[{"a": 1}, [2], "3", 4.5e1, true, false, null]"#).elements
    #expect(
      values.map(\.kind) == [.object, .array, .string, .number, .true, .false, .null])
    #expect(values.map(\.string) == [nil, nil, "3", nil, nil, nil, nil])
    #expect(values.map(\.number) == [nil, nil, nil, 45, nil, nil, nil])
    #expect(values.map(\.bool) == [nil, nil, nil, nil, true, false, nil])
    #expect(values.map(\.members.count) == [1, 0, 0, 0, 0, 0, 0])
    #expect(values.map(\.elements.count) == [0, 1, 0, 0, 0, 0, 0])
    #expect(
      values.map(\.spelling) == ["{\"a\": 1}", "[2]", "\"3\"", "4.5e1", "true", "false", "null"])
    #expect(
      values.map(\.kindName)
        == [
          "an object", "a list", "a string", "a number", "true or false", "true or false", "null",
        ])
  }

  @Test func `members and elements skip what lies inside of them`() throws {
    let value = try root(#"{"a": {"b": [1, {"c": 2}]}, "d": [[], [3, 4], {}], "e": 5}"#)
    #expect(value.members.map(\.key.string) == ["a", "d", "e"])
    #expect(
      value.members.map(\.value.spelling) == [#"{"b": [1, {"c": 2}]}"#, "[[], [3, 4], {}]", "5"])
    let list = value.members[1].value.elements
    #expect(list.map(\.spelling) == ["[]", "[3, 4]", "{}"])
    #expect(list[1].elements[1].place.path == "/d/1/1")
    #expect(
      value.members[0].value.members[0].value.elements[1].members[0].key.place.path == "/a/b/1/c")
    #expect(value.members[2].value.place.path == "/e")
    #expect(list[2].place.path == "/d/2")
    #expect(value.place.path == "")
  }

  @Test func `escapes are decoded, and pointers have their own`() throws {
    let text = #"{"a/b~c": "\"\\\/\b\f\n\r\t\u00e4\uD83D\ude00\uFFFFz"}"#
    let member = try root(text).members[0]
    #expect(member.value.string == "\"\\/\u{8}\u{C}\n\r\tä😀\u{FFFF}z")
    #expect(member.value.place.path == "/a~1b~0c")
  }

  @Test func `a part of a string has its own place, unless the string has escapes`() throws {
    let values = try root(#"["abc:def", "ab\u0063:def"]"#).elements
    let text = "abc:def"
    #expect(values[0].place.range == 1..<10)
    #expect(values[0].place.part(4..<7, of: text).range == 6..<9)
    #expect(values[0].place.part(0..<0, of: text).range == 2..<2)
    #expect(values[0].place.part(4..<8, of: text) == values[0].place)
    #expect(values[0].place.part(0..<3, of: "abc") == values[0].place)
    #expect(values[1].string == text)
    #expect(values[1].place.part(4..<7, of: text) == values[1].place)
  }

  @Test func `lines end with any line end, and columns count characters`() {
    let source = SourceText(path: "x", bytes: Array("a\r\nbä\rc\n\nd".utf8))
    let positions = [-1, 0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 99].map { offset in
      let position = source.position(of: offset)
      return "\(position.line):\(position.column)"
    }
    #expect(
      positions == [
        "1:1", "1:1", "1:2", "2:1", "2:2", "2:3", "3:1", "3:2", "4:1", "5:1", "5:2", "5:2",
      ])
    #expect(
      [0, 4, 7, 9, 10].map { source.text(source.lineRange(around: $0)) }
        == ["a", "bä", "c", "", "d"])
    let marked = SourceText(path: "x", bytes: [0xEF, 0xBB, 0xBF] + Array("ab\nc".utf8))
    #expect(marked.position(of: 4).column == 2)
    #expect(marked.text(marked.lineRange(around: 4)) == "ab")
    #expect(marked.position(of: 6).line == 2)
  }

  @Test func `a pointer of Git LFS is named in place of a syntax error`() {
    var diagnostics = Diagnostics()
    let text = "version https://git-lfs.github.com/spec/v1\noid sha256:0a\n"
    #expect(
      JSONDocument.read(SourceText(path: "x", bytes: Array(text.utf8)), into: &diagnostics) == nil)
    #expect(diagnostics.all.first?.message == "this is a pointer of Git LFS, not the file itself")
    #expect(diagnostics.all.first?.hints == ["'git lfs pull' fetches it"])
    #expect(!GitLFSPointer.matches(Array(text.utf8.dropFirst())))
  }

  @Test func `JSON is written on lines or on one line`() {
    let value = JSONOutput.members([
      "a": .array([.integer(1), .bool(true), .bool(false), .null]), "b": nil,
      "c": .object([]), "d": .array([]), "e": .members(["f": .string("g")]),
    ])
    #expect(
      value.text(indented: false) == #"{"a":[1,true,false,null],"c":{},"d":[],"e":{"f":"g"}}"#)
    #expect(
      value.text() == """
        {
          "a": [
            1,
            true,
            false,
            null
          ],
          "c": {},
          "d": [],
          "e": {
            "f": "g"
          }
        }
        """)
    #expect(
      JSONOutput.members(["a": .null]).with([.init("b", .null)]).text(indented: false)
        == #"{"a":null,"b":null}"#)
    #expect(JSONOutput.null.with([.init("b", .null)]) == .null)
  }

  @Test func `texts are escaped where JSON or a terminal needs it`() throws {
    let text = "\"\\/\n\r\t\u{0}\u{1B}\u{7F}\u{202E}ä😀"
    let written = JSONOutput.string(text).text()
    #expect(written.hasPrefix(#""\"\\/\n\r\t\u0000\u001B\u007F\u202E"#))
    #expect(written.hasSuffix("ä😀\""))
    #expect(try root(written).string == text)
  }

  @Test(arguments: [
    (0.0, "0"), (-3, "-3"), (0.1, "0.1"), (1e15, "1000000000000000"),
    (9_007_199_254_740_991, "9007199254740991"),
    (9_007_199_254_740_992, "9007199254740992.0"), (1e300, "1e+300"), (-2.5e-7, "-2.5e-07"),
    (.infinity, "null"), (.nan, "null"),
  ])
  func `a number is as short as it can be`(value: Double, text: String) {
    #expect(JSONOutput.number(value).text() == text)
  }

  @Test func `levels that are not numbers are texts, and floats keep their own digits`() {
    let levels = [Double.infinity, -.infinity, .nan, -6.5].map { JSONOutput.level($0).text() }
    #expect(levels == ["\"inf\"", "\"-inf\"", "\"nan\"", "-6.5"])
    #expect(JSONOutput.level(Float(0.1)).text() == "0.1")
    #expect(JSONOutput.level(-Float.infinity).text() == "\"-inf\"")
    #expect(JSONOutput.level(Float.nan).text() == "\"nan\"")
  }

  @Test func `hexadecimal digits are upper case and filled with zeros`() {
    #expect(hexadecimal(0xAB) == "00AB")
    #expect(hexadecimal(0xAB, digits: 2) == "AB")
    #expect(hexadecimal(0x1F600) == "1F600")
  }
}
