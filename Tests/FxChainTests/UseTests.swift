import FxAudio
@testable import FxChain
import FxEngine
import Testing

struct UseTests {
  private let inner = """
    { "version": 1, "variables": { "cut": 100 },
      "chain": [ { "unit": "highPass", "parameters": { "frequency": "${cut}" } },
                 { "id": "comp", "unit": "compressor" } ],
      "expose": { "squeeze": { "parameter": "comp.ratio", "range": [1, 8] } } }
    """

  @Test func `an included chain unfolds between its neighbours`() throws {
    let (chain, diagnostics) = build(
      list(
        """
        { "unit": "gain" },
        { "id": "voice", "use": "parts/inner.json", "parameters": { "squeeze": "6:1" }, "variables": { "cut": "200 Hz" } },
        { "unit": "limiter" }
        """, "\"expose\": { \"amount\": \"voice.squeeze\" }"),
      ChainEnvironment(overrides: [ParameterSetting("voice/comp.attack", "5 ms")]),
      path: "chains/outer.json", files: ["chains/parts/inner.json": inner])
    #expect(diagnostics.text() == "")
    let built = try #require(chain)
    #expect(
      Set(built.arrows) == [
        "input -> gain", "gain -> voice/highPass", "voice/highPass -> voice/comp",
        "voice/comp -> limiter", "limiter -> output",
      ])
    #expect(built.value("voice/highPass.frequency") == 200)
    #expect(built.value("voice/comp.ratio") == 6)
    #expect(built.value("voice/comp.attack") == 0.005)
    #expect(built.value("amount") == 6)
    #expect(built.exposed["amount"]?.spec.range == 1...8)
  }

  @Test func `an included chain's own ports and gains are joined with its neighbours'`() throws {
    let inner = """
      { "version": 1,
        "nodes": { "dry": { "source": "main" }, "key": { "source": "key" },
                   "comp": { "unit": "compressor" },
                   "out": { "sink": "main" }, "spare": { "sink": "spare" } },
        "connections": [ "dry -> comp -> out", "comp -> spare",
                         { "from": "key", "to": "comp:sidechain", "gain": "-20 dB", "channels": [2, 1] } ] }
      """
    let (chain, diagnostics) = build(
      graph(
        "\"duck\": { \"use\": \"i.json\" }, \"mix\": { \"unit\": \"mixer\" }",
        "\"in -> duck -> mix -> out\", { \"from\": \"in\", \"to\": \"duck:key\", \"gain\": \"-20 dB\", \"channels\": [2, 2] }"
      ), files: ["i.json": inner])
    #expect(diagnostics.text() == "")
    let built = try #require(chain)
    #expect(built.unit("mix")?.items.map(\.id) == ["duck"])
    #expect(
      Set(built.arrows) == [
        "in -> duck/comp", "duck/comp -> mix", "mix -> out", "in -> duck/comp:1",
        "duck/comp -> duck/spare",
      ])
    let key = try #require(built.graph.connections.first { $0.to.bus == 1 })
    #expect(abs(key.gain - 0.01) < 1e-8)
    #expect(key.channels == [1, 1])
    let spare = try #require(built.node(id: "duck/spare"))
    #expect(built.graph.nodes[spare].content == .sink(.discarded, isAligned: true))
  }

  @Test func `an included chain that passes its input on leaves no trace`() throws {
    let empty = "{ \"version\": 1, \"chain\": [] }"
    let (chain, _) = build(
      list("{ \"use\": \"e.json\" }, { \"id\": \"f\", \"use\": \"e.json\" }"),
      files: ["e.json": empty])
    #expect(try #require(chain).arrows == ["input -> output"])
    let (_, diagnostics) = build(
      graph("\"e\": { \"use\": \"e.json\" }", "\"in -> e -> out\", \"e -> e\""),
      files: ["e.json": empty])
    #expect(diagnostics.codes == [.cycle])
  }

  @Test(arguments: [
    ("{ \"use\": \"none.json\" }", [DiagnosticCode.unreadableFile]),
    ("{ \"use\": \"self.json\" }", [.useCycle]),
    ("{ \"use\": \"a.json\" }", [.useCycle]),
    ("{ \"use\": \"bad.json\" }", [.unknownKey]),
    ("{ \"use\": \"ok.json\", \"parameters\": { \"sqeeze\": 2 } }", [.unknownParameter]),
    ("{ \"use\": \"ok.json\", \"parameters\": { \"squeeze\": 9 } }", [.outOfRange]),
    ("{ \"use\": \"ok.json\", \"variables\": { \"x\": 9 } }", [.unknownVariable]),
    ("{ \"use\": \"ok.json\", \"wet\": 0.5 }", [.notSupportedYet]),
  ])
  func `mistakes around included chains are named`(_ node: String, _ codes: [DiagnosticCode]) {
    let (_, diagnostics) = build(
      list(node), path: "self.json",
      files: [
        "self.json": list(node), "a.json": list("{ \"use\": \"./b.json\" }"),
        "b.json": list("{ \"use\": \"./a.json\" }"), "bad.json": list("", "\"x\": 1"),
        "ok.json": inner,
      ])
    #expect(diagnostics.codes == codes)
  }

  @Test func `an included chain that is not connected is named once at its node`() {
    let (_, unfed) = build(
      graph("\"v\": { \"use\": \"i.json\" }", "\"in -> out\", \"v -> out\""),
      files: ["i.json": inner])
    #expect(unfed.codes == [.unfedNode])
    #expect(unfed.all.first?.file == "chain.json")
    let (_, dangling) = build(
      graph("\"v\": { \"use\": \"i.json\" }", "\"in -> out\", \"in -> v\""),
      files: ["i.json": inner])
    #expect(dangling.codes == [.danglingNode])
  }

  @Test func `chains that multiply without end are stopped`() {
    var files: [String: String] = [:]
    for level in 0..<14 {
      let next = "{ \"use\": \"\(level + 1).json\" }"
      files["\(level).json"] = list([String](repeating: next, count: 12).joined(separator: ", "))
    }
    var environment = ChainEnvironment()
    environment.nodeLimit = 1000
    files["14.json"] = list("{ \"unit\": \"gain\" }")
    let (chain, diagnostics) = build(list("{ \"use\": \"0.json\" }"), environment, files: files)
    #expect(chain == nil)
    #expect(diagnostics.codes.contains(.tooLarge))
  }
}
