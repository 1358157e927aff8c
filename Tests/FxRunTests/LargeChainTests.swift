import FxTestSupport
import Testing

/// Chains of ten and twenty thousand nodes.
@Suite struct LargeChainTests {
  private let folder = Folder()

  private func list(_ count: Int) -> String {
    let nodes = (0..<count).map { #"{ "id": "n\#($0)", "unit": "gain" }"# }
    return #"{ "version": 1, "chain": [\#(nodes.joined(separator: ",\n"))] }"#
  }

  /// Rows of ten nodes in parallel.
  private func graph(_ count: Int) -> String {
    let nodes = (0..<count).map { #""n\#($0)": { "unit": "gain" }"# }
    let ways = (0..<(count / 10)).map { way in
      "\"in -> " + (0..<10).map { "n\(way * 10 + $0)" }.joined(separator: " -> ") + " -> out\""
    }
    return """
      { "version": 1,
        "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
          \(nodes.joined(separator: ",\n")) },
        "connections": [\(ways.joined(separator: ",\n"))] }
      """
  }

  @Test(arguments: ["check", "plan", "run"])
  func `a chain that needs too much memory is refused without using much`(
    _ command: String
  ) throws {
    let delays = [String](repeating: #"{ "unit": "delay" }"#, count: 10_000)
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [\#(delays.joined(separator: ", "))] }"#)
    try folder.write("in.wav", Sound([Signal.noise(100)]))
    let before = folder.names
    // A limit of 200 MB; the delays need 20 GB.
    let input = command == "run" ? "in.wav -o out.wav" : ""
    let line = "ulimit -d 200000; exec '\(Program.path)' \(command) chain.json \(input)"
    let outcome = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(outcome.exitCode == 2)
    let text = outcome.text + outcome.errorText
    #expect(text.contains("chain.json:1:") && text.contains("of memory and may have"))
    #expect(text.contains("'delay' ") && folder.names == before)
  }

  @Test(arguments: [10_000, 20_000])
  func `a long list needs as few buffers as a short one`(_ count: Int) throws {
    try folder.write("chain.json", list(count))
    let outcome = try folder.run("plan", "chain.json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText.prefix(500))")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first?.hasPrefix("\(count + 2) nodes, \(count) steps, ") == true)
    #expect(lines.count == count + 3)
    let buffers = lines.first?.firstMatch(of: /(\d+) buffers/).flatMap { Int($0.1) } ?? .max
    #expect(buffers <= 5)
  }

  @Test(arguments: [10_000, 20_000])
  func `a wide graph reuses its buffers`(_ count: Int) throws {
    try folder.write("chain.json", graph(count))
    let outcome = try folder.run("plan", "chain.json", "--json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText.prefix(500))")
    let plan = try JSONValue(outcome.output)
    let steps = plan["sections"].elements.flatMap { $0["steps"].elements }
    #expect(plan["nodes"].elements.count == count + 2)
    #expect(steps.count { $0["run"] != .null } == count)
    // Each row's output is kept until the sum at the end: two channels per row.
    #expect(plan["buffers"].number.map { $0 <= Double(2 * count / 10 + 10) } == true)
  }

  @Test func `a chain of ten thousand nodes renders`() throws {
    try folder.write("chain.json", list(10_000))
    let sound = Sound([Signal.noise(600)])
    try folder.write("in.wav", sound)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--bits", "32")
    #expect(outcome.exitCode == 0, "\(outcome.errorText.prefix(500))")
    #expect(try folder.sound("out.wav") == sound)
  }

  @Test func `ten thousand mistakes are counted`() throws {
    try folder.write("chain.json", list(10_000).replacing("gain", with: "gian"))
    let outcome = try folder.run("check", "chain.json")
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.hasSuffix("10000 errors\n"))
    #expect(outcome.output.count < 2_000_000)
  }
}
