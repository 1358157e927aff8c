import FxTestSupport
import Testing

/// Large chains, as programs write them. Work that grows faster than their size takes too long.
@Suite struct ScaleTests {
  private let folder = Folder()

  private func chain(_ nodes: String, _ connections: String, _ more: String = "") -> String {
    #"{ "version": 1, "nodes": { \#(nodes), "out": { "sink": "main" } }, "connections": [\#(connections)]\#(more) }"#
  }

  @Test func `a hundred thousand points of automation are read and compiled`() throws {
    let points = (0..<100_000).map { "[\(Double($0) / 1000), \($0 % 7)]" }.joined(separator: ",")
    try folder.write(
      "chain.json",
      chain(
        #""in": { "source": "main" }, "g": { "unit": "gain" }"#, #""in -> g -> out""#,
        #", "automation": [{ "parameter": "g.gain", "points": [\#(points)] }]"#))
    let outcome = try folder.run("check", "chain.json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }

  @Test func `ten thousand parallel nodes are rendered by several threads`() throws {
    let names = (0..<10_000).map { "g\($0)" }
    try folder.write(
      "chain.json",
      chain(
        #""in": { "source": { "signal": "noise", "channels": 1, "duration": "0.01 s" } }, "mix": { "unit": "mixer" }, "#
          + names.map { #""\#($0)": { "unit": "gain" }"# }.joined(separator: ","),
        names.map { #""in -> \#($0) -> mix""# }.joined(separator: ",") + #", "mix -> out""#))
    for threads in ["1", "2"] {
      let outcome = try folder.run("chain.json", "-o", "\(threads).wav", "--threads", threads)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
  }

  @Test func `five hundred files are read at once`() throws {
    try folder.write("in.wav", Sound([Signal.noise(4800), Signal.noise(4800, seed: 2)]))
    let names = (0..<500).map { "i\($0)" }
    try folder.write(
      "chain.json",
      chain(
        names.map { #""\#($0)": { "source": { "file": "in.wav" } }"# }.joined(separator: ","),
        names.map { #""\#($0) -> out""# }.joined(separator: ",")))
    let outcome = try folder.run("chain.json", "-o", "out.wav")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }
}
