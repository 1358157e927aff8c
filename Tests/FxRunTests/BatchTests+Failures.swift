import Foundation
import FxTestSupport
import Testing

/// What a batch reports about mistakes, timeouts and warnings.
extension BatchTests {
  @Test func `a silent pipe in a chain without plugins is an input timeout`() throws {
    try sounds(1)
    mkfifo(folder.file("pipe.wav"), 0o600)
    #expect(try batch("pipe.wav", "-o", "out/{path}.wav", "--timeout", "1").exitCode == 8)
    let error = try #require(try records("out/fxrun-batch.jsonl").last)["error"]
    #expect(error["kind"].text == "input")
    #expect(error["code"].text == "timeout")
    #expect(error["exitStatus"].number == 4)
  }

  @Test func `the summary says how many files have warnings, and their records say which`() throws {
    try sounds(3)
    try folder.write("in/a/0.wav", Array(try folder.bytes("in/a/0.wav").dropLast(1000)))
    let outcome = try batch("in", "-o", "out/{path}.wav")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.text.hasPrefix("3 done, 1 of them with warnings, 0 failed · "))
    let warned = try records("out/fxrun-batch.jsonl").filter {
      $0["result"]["warnings"] != .array([])
    }
    #expect(warned.map { $0["input"].text } == ["in/a/0.wav"])
    let json = try batch("in", "-o", "out/{path}.wav", "--again", "--json")
    let last = try #require(json.text.split(separator: "\n").last)
    #expect(try JSONValue(Array(last.utf8))["warned"].number == 1)
  }

  @Test func `a batch does not start if the file of another input cannot be read`() throws {
    try sounds(1)
    try folder.write(
      "chain.json",
      """
      { "version": 1, "nodes": {
          "in": { "source": { "input": "main" } }, "key": { "source": { "input": "key" } },
          "out": { "sink": { "output": "main" } } },
        "connections": [ "in -> out", "key -> out" ] }
      """)
    let missing = try batch("in", "-o", "out/{path}.wav", "--input", "key=none.wav")
    #expect(missing.exitCode == 4)
    #expect(missing.errorText.contains("none.wav: no such file"))
    #expect(files("out") == [])
    let there = try batch("in", "-o", "out/{path}.wav", "--input", "key=in/a/0.wav")
    #expect(there.exitCode == 0, "\(there.errorText)")
  }

  @Test func `an output that cannot be written fails only its job`() throws {
    try sounds(2)
    try folder.write(
      "jobs.jsonl",
      """
      {"input":"in/a/0.wav","output":"out/a.xyz"}
      {"input":"in/a/0.wav","output":"out/b.wav"}
      """)
    #expect(try batch("--jobs", "jobs.jsonl").exitCode == 8)
    #expect(files("out") == ["b.wav"])
  }
}
