import FxAudio
@testable import FxChain
import FxEngine
import Testing

@Suite struct SceneTests {
  private static let nodes = """
    { "id": "comp", "unit": "compressor" }, { "id": "echo", "unit": "delay" }, { "unit": "meter" }
    """
  private static let expose = """
    "expose": { "squeeze": { "parameter": "comp.ratio", "range": [1, 8] } }
    """
  private static let scenes = """
    "scenes": {
      "clean": { "parameters": { "comp.threshold": "-20 dB", "squeeze": "4:1" },
        "bypass": { "echo": true, "comp": false }, "ramp": "50 ms" },
      "wide": { "bypass": ["comp", "echo"], "comment": "both" }, "none": {} }
    """

  private func chain(_ more: String) -> String {
    list(Self.nodes, "\(Self.expose), \(Self.scenes)\(more.isEmpty ? "" : ", " + more)")
  }

  private func changes(_ scene: Scene, _ chain: BuiltChain) -> [String] {
    scene.changes.map { change in
      let node = chain.graph.nodes[change.parameter.node]
      guard case .unit(let unit) = node.content else { return "?" }
      return "\(node.id).\(unit.parameters[change.parameter.slot].path) \(change.value)"
    }
  }

  @Test func `a scene is resolved to parameters and values`() throws {
    let (chain, diagnostics) = build(chain(""))
    #expect(diagnostics.isEmpty, "\(diagnostics.text())")
    let built = try #require(chain)
    #expect(built.scenes.map(\.name) == ["clean", "wide", "none"])
    #expect(
      changes(built.scenes[0], built) == [
        "comp.threshold -20.0", "comp.ratio 4.0", "echo.bypass 1.0", "comp.bypass 0.0",
      ])
    #expect(built.scenes[0].ramp == 0.05)
    #expect(changes(built.scenes[1], built) == ["comp.bypass 1.0", "echo.bypass 1.0"])
    #expect(built.scenes[1].ramp == nil)
    #expect(try built.scene("wide") == 1)
    #expect(built.startScene == nil)
    #expect(built.value("comp.threshold") == -18)
  }

  @Test func `a chain begins with its scene, or with the one that is asked for`() throws {
    var environment = ChainEnvironment()
    let clean = try #require(build(chain("\"scene\": \"clean\"")).chain)
    #expect(clean.startScene == 0)
    #expect(clean.value("comp.threshold") == -20)
    #expect(clean.value("echo.bypass") == 1)
    environment.scene = "wide"
    let wide = try #require(build(chain("\"scene\": \"clean\""), environment).chain)
    #expect(wide.startScene == 1)
    #expect(wide.value("comp.threshold") == -18)
    #expect(wide.value("comp.bypass") == 1)
    environment.overrides = [ParameterSetting("comp.bypass", "false")]
    #expect(build(chain(""), environment).chain?.value("comp.bypass") == 0)
  }

  @Test func `a bypass of the start keeps the dry signal`() throws {
    let built = try #require(build(chain("\"scene\": \"clean\"")).chain)
    #expect(built.graph.nodes[try #require(built.node(id: "echo"))].keepsDry)
    #expect(!built.graph.nodes[try #require(built.node(id: "comp"))].keepsDry)
  }

  @Test func `scenes of an included chain have its name as a prefix`() throws {
    let inner = list(
      "{ \"id\": \"comp\", \"unit\": \"compressor\" }",
      """
      "scenes": { "hard": { "parameters": { "comp.ratio": 8, "comp.threshold": -40 } },
        "soft": { "parameters": { "comp.ratio": 3 } } }, "scene": "soft"
      """)
    func outer(_ node: String, _ more: String = "") throws -> BuiltChain {
      let text = list(
        "{ \"id\": \"in\", \"use\": \"inner.json\"\(node) }",
        """
        "scenes": { "mine": { "parameters": { "in/comp.ratio": 2 } } }\(more)
        """)
      let (chain, diagnostics) = build(text, files: ["inner.json": inner])
      #expect(diagnostics.isEmpty, "\(diagnostics.text())")
      return try #require(chain)
    }
    #expect(try outer("").scenes.map(\.name) == ["mine", "in/hard", "in/soft"])
    #expect(try outer("").value("in/comp.ratio") == 3)
    #expect(try outer("").startScene == nil)
    #expect(try outer(", \"scene\": \"hard\"").value("in/comp.ratio") == 8)
    let set = try outer(", \"scene\": \"hard\"", ", \"scene\": \"mine\"")
    #expect(set.value("in/comp.ratio") == 2)
    #expect(set.value("in/comp.threshold") == -40)
    let hard = try outer("", ", \"scene\": \"in/hard\"")
    #expect(hard.startScene == 1)
    #expect(hard.value("in/comp.ratio") == 8)
  }

  @Test(arguments: [
    ("5", "a scene is an object, not a number"),
    ("{ \"parameter\": {} }", "a scene has no key 'parameter'"),
    ("{ \"parameters\": { \"comp.treshold\": 1 } }", "'comp' has no parameter 'treshold'"),
    ("{ \"parameters\": { \"comp.ratio\": 40 } }", "'ratio' 40 is above the maximum of 20"),
    ("{ \"parameters\": { \"squeeze\": 10 } }", "'squeeze' 10 is above the maximum of 8"),
    ("{ \"parameters\": { \"comp.ratio\": 2, \"squeeze\": 3 } }", "sets 'squeeze' twice"),
    (
      "{ \"parameters\": { \"echo.bypass\": true }, \"bypass\": [\"echo\"] }",
      "sets 'echo' twice"
    ),
    ("{ \"bypass\": [\"eco\"] }", "the chain has no node 'eco'"),
    ("{ \"bypass\": [5] }", "a node is named by a string, not a number"),
    ("{ \"bypass\": { \"echo\": 3 } }", "'echo' is true or false, not a number"),
    ("{ \"bypass\": [\"input\"] }", "'input' is not a unit or a plugin"),
    ("{ \"ramp\": -1 }", "'ramp' -1 is below the minimum of 0 s"),
    ("{ \"ramp\": \"2 dB\" }", "'ramp' \"2 dB\" has the wrong unit of measure"),
  ])
  func `a mistake is reported once`(_ scene: String, _ message: String) {
    let text = list(
      Self.nodes, "\(Self.expose), \"scenes\": { \"bad\": \(scene) }, \"scene\": \"bad\"")
    let found = build(text).diagnostics
    #expect(found.errorCount == 1, "\(found.text())")
    #expect(found.all.first?.message.contains(message) == true, "\(found.text())")
    #expect(found.all.first?.place != nil)
  }

  @Test func `an automated parameter cannot be in a scene`() {
    let text = chain(
      "\"automation\": [ { \"parameter\": \"comp.threshold\", \"points\": [ [0, -20] ] } ]")
    #expect(build(text).diagnostics.all.map(\.code) == [.duplicateAutomation])
  }

  @Test func `a missing scene on the command line is reported`() {
    var environment = ChainEnvironment()
    environment.scene = "claen"
    let found = build(chain(""), environment).diagnostics
    #expect(found.all.map(\.origin) == ["--scene claen"])
    #expect(found.all.first?.hints == ["did you mean 'clean'?"])
  }
}
