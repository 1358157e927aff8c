import FxAudio
@testable import FxChain
import FxEngine
import Testing

@Suite struct TapTests {
  private func sinks(_ chain: BuiltChain) -> [String: SinkEndpoint] {
    var sinks: [String: SinkEndpoint] = [:]
    for node in chain.graph.nodes {
      if case .sink(let endpoint, true) = node.content { sinks[node.id] = endpoint }
    }
    return sinks
  }

  @Test func `a tap is a sink after the node`() throws {
    let (chain, diagnostics) = build(
      list(
        """
        { "source": "main", "tap": "dry.wav" },
        { "id": "comp", "unit": "compressor", "tap": { "file": "out/comp.flac", "bits": 16 } },
        { "unit": "limiter" }
        """))
    #expect(diagnostics.isEmpty, "\(diagnostics.text())")
    let built = try #require(chain)
    #expect(
      built.arrows == [
        "input -> comp", "comp -> limiter", "limiter -> output", "input -> input-tap",
        "comp -> comp-tap",
      ])
    let sinks = sinks(built)
    #expect(sinks["input-tap"] == .file("dry.wav", FileEncoding()))
    #expect(sinks["comp-tap"] == .file("out/comp.flac", FileEncoding(depth: .int16)))
    // Node numbers seed the noise, so a tap must not change them.
    #expect(built.graph.nodes.map(\.id).prefix(4) == ["input", "comp", "limiter", "output"])
  }

  @Test func `a tap in a graph takes a free name and the first audio output`() throws {
    let built = try #require(
      build(
        graph(
          """
          "s": { "lv2": "http://example.org/synth", "tap": "s.wav" }, "s-tap": { "unit": "gain" }
          """, "\"in -> s-tap\", \"s-tap -> out\", \"s -> out\"")
      ).chain)
    #expect(built.arrows.last == "s -> s-tap2")
  }

  @Test func `the command line taps nodes, inputs and included chains`() throws {
    var environment = ChainEnvironment()
    environment.taps = ["input", "in", "in/comp"].map {
      NodeTap($0, "\($0).wav")
    }
    let inner = list("{ \"id\": \"comp\", \"unit\": \"compressor\" }, { \"unit\": \"gain\" }")
    let (chain, diagnostics) = build(
      list("{ \"id\": \"in\", \"use\": \"inner.json\" }"), environment,
      files: ["inner.json": inner])
    #expect(diagnostics.isEmpty, "\(diagnostics.text())")
    let built = try #require(chain)
    #expect(
      Set(built.arrows) == [
        "input -> in/comp", "in/comp -> in/gain", "in/gain -> output", "input -> input-tap",
        "in/gain -> in-tap", "in/comp -> in-comp-tap",
      ])
  }

  @Test func `a node whose only output is its tap causes no message`() {
    let text = graph(
      "\"a\": { \"unit\": \"gain\", \"tap\": \"a.wav\" }", "\"in -> a\", \"in -> out\"")
    #expect(build(text).diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("5", "'tap' is a string or an object, not a number"), ("\"\"", "'tap' names no file"),
    ("{ }", "a tap needs the key 'file'"), ("{ \"file\": \"\" }", "'file' names no file"),
    ("{ \"file\": \"a.wav\", \"bits\": 20 }", "'bits' cannot be 20"),
    ("{ \"file\": \"a.wav\", \"bit\": 24 }", "a tap has no key 'bit'"),
    ("\"b.wav\"", "two sinks write the file 'b.wav'"),
  ])
  func `a mistake is reported once`(_ tap: String, _ message: String) {
    let text = graph(
      "\"a\": { \"unit\": \"gain\", \"tap\": \(tap) }, \"b\": { \"sink\": \"b.wav\" }",
      "\"in -> a\", \"a -> out\", \"in -> b\"")
    let found = build(text).diagnostics
    #expect(found.errorCount == 1, "\(found.text())")
    #expect(found.all.first?.message.contains(message) == true, "\(found.text())")
  }

  @Test(arguments: [
    ("nobody", "the chain has no node 'nobody'"), ("out", "no audio comes out of 'out'"),
  ])
  func `an invalid tap on the command line is reported`(_ node: String, _ message: String) {
    var environment = ChainEnvironment()
    environment.taps = [NodeTap(node, "x.wav")]
    let found = build(graph("", "\"in -> out\""), environment).diagnostics
    #expect(found.all.map(\.origin) == ["--tap \(node)=x.wav"], "\(found.text())")
    #expect(found.all.first?.message.contains(message) == true)
  }
}
