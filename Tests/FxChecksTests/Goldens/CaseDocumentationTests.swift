import Foundation
import FxChain
@testable import FxChecks
import FxTestSupport
import Testing

/// The documentation of case files agrees with the code.
@Suite struct CaseDocumentationTests {
  private static let page = URL(filePath: "\(Fixture.repository)/docs/testing.md")

  /// `FXRUN_RECORD=1 swift test --filter CaseDocumentationTests` writes the tables again.
  @Test func `the tables of the documentation are the generated ones`() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(page.range(of: "<!-- generated: cases -->\n"))
    let end = try #require(
      page.range(of: "<!-- /generated -->", range: start.upperBound..<page.endIndex))
    let wanted = "\n\(CaseFormat.reference.replacing("### ", with: "#### "))\n"
    if ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil {
      try page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: wanted)
        .write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(String(page[start.upperBound..<end.lowerBound]) == wanted)
    }
  }

  private static func examples() throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }

  @Test func `every example is read without a diagnostic`() throws {
    let examples = try Self.examples()
    #expect(examples.count >= 3)
    for example in examples {
      let file = CaseFile(bytes: Array(example.utf8), path: "voice.test.json")
      #expect(file.diagnostics.text() == "", "\(example)")
      #expect(!file.cases.isEmpty)
    }
  }

  /// Runs python3's jsonschema.
  private func validate(_ texts: [String]) throws -> [Bool] {
    let script = """
      import json, sys, jsonschema
      schema, *texts = json.load(sys.stdin)
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for text in texts:
          print('yes' if validator.is_valid(text) else 'no')
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let all = ([CaseFormat.schema.text()] + texts).joined(separator: ",")
    try input.fileHandleForWriting.write(contentsOf: Data("[\(all)]".utf8))
    try input.fileHandleForWriting.close()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "python3-jsonschema is needed")
    return lines.map { $0 == "yes" }
  }

  @Test func `the schema agrees with the reader`() throws {
    let good =
      try Self.examples() + [
        """
        { "version": 1, "$schema": "x", "comment": "x", "tolerance": "exact", "cost": 0.5,
          "inputs": { "a": { "signal": "sweep", "from": "20 Hz" }, "b": "c.wav" },
          "define": { "x": 1 }, "cases": { "q": { "tolerance": -90, "channels": 1 } } }
        """
      ]
    let bad = [
      "{}", "[]", "{ \"version\": 1, \"x\": 1 }", "{ \"version\": 1, \"input\": {} }",
      "{ \"version\": 1, \"cases\": { \"a b\": {} } }",
      "{ \"version\": 1, \"cases\": { \"a\": { \"version\": 1 } } }",
      "{ \"version\": 1, \"blockSize\": 0 }", "{ \"version\": 1, \"tolerance\": 5 }",
      "{ \"version\": 1, \"input\": { \"signal\": \"bang\" } }",
    ]
    for text in good + bad {
      let file = CaseFile(bytes: Array(text.utf8), path: "voice.test.json")
      #expect(file.diagnostics.hasErrors == bad.contains(text), "\(text)")
    }
    let verdicts = try validate(good + bad)
    #expect(verdicts == good.map { _ in true } + bad.map { _ in false })
  }
}
