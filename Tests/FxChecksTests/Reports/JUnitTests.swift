import Foundation
import FxAudio
@testable import FxChecks
import FxKit
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct JUnitTests {
  private func suiteCase(_ name: String, _ file: String) -> SuiteCase {
    SuiteCase(
      label: name,
      testCase: TestCase(name: name, file: file, chain: "a.json", expectation: .sound("a.wav")))
  }

  private func result(_ outcome: CaseVerdict.Outcome, _ words: String = "") -> SuiteResult {
    var result = SuiteResult(verdict: CaseVerdict(name: "a", outcome: outcome))
    result.words = words
    result.seconds = 1.25
    return result
  }

  /// The parsed text: elements with their attributes and text.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String], text: String)] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append((name, attributes, ""))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      if let last = open.last { elements[last].text += string }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) { open.removeLast() }
  }

  private func read(_ text: String) throws -> Reader {
    let parser = XMLParser(data: Data(text.utf8))
    let reader = Reader()
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError))\n\(text)")
    return reader
  }

  @Test func `a parser reads every kind of outcome`() throws {
    var differs = result(.differs, "plugin says <&> \u{1B}[31m\u{0}]]>")
    differs.verdict.warnings = ["\"a\" & 'b' <c>"]
    let failure = ChainFailure(.plugin, code: .crashed, "'fx' crashed\nwith \u{8} in it")
    let cases = [
      suiteCase("one", "a&b.test.json"), suiteCase("two", "a&b.test.json"),
      suiteCase("three", "c.test.json"), suiteCase("four", "c.test.json"),
      suiteCase("five", "c.test.json"),
    ]
    let text = JUnitReport.text(
      cases, [result(.passed), differs, result(.new), result(.failed(failure)), nil])
    let elements = try read(text).elements
    let suites = elements.filter { $0.name == "testsuite" }
    #expect(suites.map { $0.attributes["name"] } == ["a&b.test.json", "c.test.json"])
    #expect(suites.map { $0.attributes["tests"] } == ["2", "3"])
    #expect(suites.map { $0.attributes["failures"] } == ["1", "1"])
    #expect(suites.map { $0.attributes["errors"] } == ["0", "1"])
    #expect(suites.map { $0.attributes["skipped"] } == ["0", "1"])
    #expect(suites.map { $0.attributes["time"] } == ["2.500", "2.500"])
    #expect(
      elements.filter { $0.name == "testcase" }.map { $0.attributes["name"] }
        == ["one", "two", "three", "four", "five"])
    let failures = elements.filter { $0.name == "failure" }
    #expect(failures.map { $0.attributes["type"] } == ["differs", "new"])
    #expect(failures[0].text.contains("warning: \"a\" & 'b' <c>"))
    #expect(failures[1].attributes["message"] == "has no golden yet")
    let error = try #require(elements.first { $0.name == "error" })
    #expect(error.attributes["type"] == "crashed")
    #expect(error.attributes["message"] == "'fx' crashed")
    #expect(error.text == "'fx' crashed\nwith \u{FFFD} in it")
    let words = try #require(elements.first { $0.name == "system-err" })
    #expect(words.text == "plugin says <&> \u{FFFD}[31m\u{FFFD}]]>")
    #expect(elements.count { $0.name == "skipped" } == 1)
  }

  @Test func `goldens that are updated are no failures`() throws {
    var made = result(.new)
    made.isUpdated = true
    let elements = try read(JUnitReport.text([suiteCase("a", "a.test.json")], [made])).elements
    #expect(elements.allSatisfy { $0.name != "failure" })
  }
}
