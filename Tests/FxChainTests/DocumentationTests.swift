import Foundation
@testable import FxChain
import FxPlaying
import FxTestSupport
import Testing

/// The documentation says what the code does: examples are built, tables are generated.
struct DocumentationTests {
  private static let folder = URL(filePath: "\(Fixture.repository)/docs")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// The JSON blocks of a page.
  static func examples(_ name: String) throws -> [String] {
    try text(name).components(separatedBy: "```json\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  @Test func `every example of the chain format builds without a message`() throws {
    let examples = try Self.examples("chain-format.md")
    #expect(examples.count > 10)
    let voice = try #require(examples.first { $0.contains("gentle unless told otherwise") })
    for example in examples {
      let (chain, diagnostics) = build(example, files: ["voice.json": voice])
      #expect(diagnostics.text() == "", "\(example)")
      #expect(chain != nil)
    }
  }

  @Test func `the report in the documentation is the one that is printed`() throws {
    let text = """
      {
        "version": 1,
        "name": "x",
        "chain": [
          {
            "unit": "highPass",
          "parameters": { "freq": "80 Hz" } },
          { "unit": "limiter" } ]
      }
      """
    let (_, diagnostics) = build(text, path: "voice.json")
    let page = try Self.text("diagnostics.md")
    #expect(page.contains(diagnostics.text()), "\(diagnostics.text())")
    #expect(page.contains(diagnostics.json.text()), "\(diagnostics.json.text())")
  }

  /// `FXRUN_RECORD=1 swift test --filter DocumentationTests` writes the tables again.
  @Test(arguments: [
    ("chain-format.md", "keys"), ("diagnostics.md", "codes"), ("diagnostics.md", "failures"),
    ("lint.md", "findings"),
  ])
  func `the tables of the documentation are the generated ones`(_ name: String, _ part: String)
    throws
  {
    let parts = [
      "keys": ChainReference.keys(.all), "codes": ChainReference.codes,
      "failures": ChainReference.failureCodes,
      "findings": ChainReference.lintCodes,
    ]
    let generated = try #require(parts[part])
    let page = try Self.text(name)
    let begin = "<!-- generated: \(part) -->\n"
    let start = try #require(page.range(of: begin))
    let end = try #require(
      page.range(of: "<!-- /generated -->", range: start.upperBound..<page.endIndex))
    let wanted = "\n\(generated)\n"
    if ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil {
      try page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: wanted)
        .write(to: Self.folder.appending(path: name), atomically: true, encoding: .utf8)
    } else {
      #expect(String(page[start.upperBound..<end.lowerBound]) == wanted)
    }
  }

  @Test func `the page of sources and sinks is the generated one, and its example builds`() throws {
    let generated = EndpointReference.page(.all)
    if ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil {
      try generated.write(
        to: Self.folder.appending(path: "sources-and-sinks.md"), atomically: true, encoding: .utf8)
    }
    #expect(try Self.text("sources-and-sinks.md") == generated)
    for example in try Self.examples("sources-and-sinks.md") {
      #expect(build(example).diagnostics.text() == "")
    }
  }

  @Test func `every code has a summary and a unique name`() {
    for code in DiagnosticCode.allCases {
      #expect(code.summary.hasSuffix("."))
      #expect(
        code.rawValue.allSatisfy { $0 == "-" || $0.isNumber || ($0.isLetter && $0.isLowercase) })
    }
    let tested = Set((MistakeTests.cases + MistakeTests.stateCases).map(\.code))
    let elsewhere: Set<DiagnosticCode> = [
      .tooLarge, .invalidUTF8, .tooDeep, .ambiguousNode, .cycle, .width, .useCycle, .notRealtime,
      .noMIDIInput, .invalidMIDI, .unknownSignal, .inexactInput, .mixedRates,
      .automationTime, .memoryLimit, .damagedSound, .needsWholeSound, .layout,
      .unusedLine,
    ]
    let ofText = DiagnosticCode.allCases.filter { !$0.isLint }
    #expect(Set(ofText).subtracting(tested) == elsewhere)
  }
}
