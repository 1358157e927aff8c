import Foundation
@testable import FxChain
import FxPlaying
import FxTestSupport
import Testing

struct SchemaTests {
  private static let schema = ChainSchema.schema(for: FakeCatalog(), .all).text()

  /// Runs python3's jsonschema.
  private static func validate(_ chains: [String]) throws -> [Bool] {
    let temporary = TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    try schema.write(to: folder.appending(path: "schema.json"), atomically: true, encoding: .utf8)
    for (index, chain) in chains.enumerated() {
      try chain.write(
        to: folder.appending(path: "\(index).json"), atomically: true, encoding: .utf8)
    }
    let script = """
      import json, sys, os, jsonschema
      folder = sys.argv[1]
      schema = json.load(open(os.path.join(folder, 'schema.json')))
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for index in range(int(sys.argv[2])):
          chain = json.load(open(os.path.join(folder, f'{index}.json')))
          print('yes' if validator.is_valid(chain) else 'no')
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, folder.path(), String(chains.count)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "python3-jsonschema is needed")
    return lines.map { $0 == "yes" }
  }

  @Test func `the schema agrees with the reader about chains`() throws {
    let good = [
      list(""), list(MistakeTests.comp),
      list(
        "{ \"lv2\": \"http://example.org/mono#amp\", \"parameters\": { \"drive\": 1 }, \"wet\": \"50 %\" }"
      ),
      list(
        "{ \"unit\": \"equalizer\", \"bands\": [ { \"id\": \"a\", \"type\": \"peak\", \"gain\": \"2 dB\" } ] }",
        "\"tail\": \"auto\", \"variables\": { \"x\": 1, \"y\": { \"required\": true } }, \"seed\": 5"
      ),
      graph(
        "\"m\": { \"unit\": \"mixer\", \"strips\": { \"in\": { \"gain\": -3, \"mute\": false } } }",
        "\"in -> m -> out\", { \"from\": \"in\", \"to\": \"m\", \"gain\": \"-6 dB\", \"channels\": [2, 1] }",
        "\"automation\": [ { \"parameter\": \"m.gain\", \"points\": [ [0, 1], [\"1:00\", \"2 dB\", \"linear\"] ] } ]"
      ),
    ]
    let documented = try DocumentationTests.examples("chain-format.md")
    let bad = [
      "{ \"chain\": [] }", "{ \"version\": 1 }", list("", "\"x\": 1"),
      list("{ \"unit\": \"nope\" }"),
      list("{ \"unit\": \"highPass\", \"parameters\": { \"freq\": 1 } }"),
      list("{ \"unit\": \"highPass\", \"parameters\": { \"frequency\": 5 } }"),
      list("{ \"unit\": \"highPass\", \"frequency\": 500 }"), list("{ \"unit\": \"convolver\" }"),
      list("{ \"unit\": \"gain\", \"lv2\": \"x\" }"), list("", "\"nodes\": {}"),
      list("", "\"midi\": [5]"), graph("\"2\": { \"unit\": \"gain\" }", "\"in -> out\""),
      graph("", "\"in\""), graph("", "{ \"from\": \"in\" }"),
      list("{ \"unit\": \"equalizer\", \"bands\": { \"a\": {} } }"),
    ]
    let valid = try Self.validate(good + documented + bad)
    #expect(valid == (good + documented).map { _ in true } + bad.map { _ in false })
  }

  @Test func `the schema names every unit, parameter and key`() {
    for name in ["highPass@1", "\"threshold\"", "\"impulse\"", "\"strips\"", "\"blockSize\""] {
      #expect(Self.schema.contains(name))
    }
  }
}
