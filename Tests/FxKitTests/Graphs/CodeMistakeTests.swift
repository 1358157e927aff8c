@testable import FxKit
import FxTestSupport
import Testing

/// Mistakes in chains from code name the line of Swift.
struct CodeMistakeTests {
  /// A mistake: what makes it, and the line that it has to name, below the line of the case.
  struct Case: Sendable, CustomTestStringConvertible {
    let code: String
    let line: Int
    let make: @Sendable (inout ChainGraph) -> Void

    /// - Parameter offset: lines from the beginning of the case to the one with the mistake.
    init(
      _ code: String, _ offset: Int = 1, line: Int = #line,
      _ make: @escaping @Sendable (inout ChainGraph) -> Void
    ) {
      self.code = code
      self.line = line + offset
      self.make = make
    }

    var testDescription: String { "\(code), line \(line)" }
  }

  private static let cases = [
    Case("out-of-range") { graph in
      graph.replace("unit", with: Gain(gain: .decibels(99)))
    },
    Case("wrong-unit") { graph in
      graph.replace("unit", with: Node(unit: "gain", parameters: ["gain": "3 Hz"]))
    },
    Case("unknown-parameter") { graph in
      graph.replace("unit", with: Gain().parameter("gian", 3))
    },
    Case("unknown-unit") { graph in
      graph.replace("unit", with: Node(unit: "gian"))
    },
    Case("missing-plugin") { graph in
      graph.replace("unit", with: Node(plugin: "http://nowhere/none"))
    },
    Case("unreadable") { graph in
      graph.replace("unit", with: Node(chain: "nowhere.json"))
    },
    Case("not-a-choice") { graph in
      graph.replace("unit", with: Node(unit: "pan", options: ["law": "none"]))
    },
    Case("needs-tempo") { graph in
      graph.replace("unit", with: Delay(time: .beats(1)))
    },
    Case("unknown-variable") { graph in
      graph.replace("unit", with: Gain(gain: .variable("level")))
    },
    Case("invalid-value") { graph in
      graph.replace("unit", with: HighPass(frequency: .kilohertz(.nan)))
    },
    Case("invalid-value") { graph in
      graph.replace("unit", with: Pan(pan: .infinity))
    },
    Case("invalid-value") { graph in
      graph.add(Gain(id: "deep").key("x", CodeMistakeTests.nest(1000)))
    },
    Case("duplicate-name") { graph in
      graph.add(Gain(id: "unit"))
    },
    Case("invalid-name") { graph in
      let other = graph.add(Gain().id(""))
      graph.connect("unit", other, "output")
    },
    Case("invalid-name") { graph in
      let other = graph.add(Gain(id: "two words"))
      graph.connect("unit", other, "output")
    },
    Case("unknown-node", 2) { graph in
      let room = Reverb(id: "room")
      graph.connect("unit", to: room)
    },
    Case("unknown-node", 3) { graph in
      var other = ChainGraph()
      let room = other.add(Reverb())
      graph.connect("unit", to: room)
    },
    Case("unknown-port") { graph in
      graph.connect("input", to: Gain(id: "unit").port("sidechain"))
    },
    Case("invalid-connection") { graph in
      graph.connect("", to: "unit")
    },
    Case("invalid-connection") { graph in
      graph.insert(Gain(), between: "output", and: "input")
    },
    Case("unknown-node") { graph in
      graph.remove("nobody")
    },
    Case("unknown-node") { graph in
      graph.replace("nobody", with: Gain())
    },
    Case("loop-delay", 2) { graph in
      let back = graph.add(Gain(id: "back"))
      graph.connect("unit", to: back, feedback: true)
    },
    Case("unfed-node") { graph in
      let other = graph.add(Gain(id: "other"))
      graph.connect(other, to: "output")
    },
    Case("unknown-parameter") { graph in
      graph.expose("amount", ParameterReference<Level>(path: "unit.amount"))
    },
    Case("unknown-node") { graph in
      graph.automate(Reverb(id: "room").decay, [.init(0, 1)])
    },
    Case("out-of-range") { graph in
      graph.map(.controller(400), to: Gain(id: "unit").gain)
    },
    Case("unknown-scene") { graph in
      graph.map(.program(1), toScene: "none")
    },
    Case("out-of-range", 3) { graph in
      var loud = ChainScene()
      loud[Gain(id: "unit").gain] = 90
      graph.setScene("loud", loud)
    },
    Case("no-control-signal") { graph in
      graph.modulate(Gain(id: "unit").gain, by: "input")
    },
  ]

  /// Lists within each other, deeper than any chain.
  private static func nest(_ depth: Int) -> ChainValue {
    (0..<depth).reduce(ChainValue.null) { value, _ in .array([value]) }
  }

  @Test(arguments: cases)
  func `a mistake names its line of Swift`(_ mistake: Case) throws {
    var graph = ChainGraph()
    graph.connect(graph.add(Input()), graph.add(Gain(id: "unit")), graph.add(Output()))
    #expect(Chain(graph).check() == [])
    mistake.make(&graph)
    let found = Chain(graph).check()
    let named = try #require(found.first { $0.code == mistake.code }, "\(found)")
    #expect(named.file == "FxKitTests/CodeMistakeTests.swift")
    #expect(named.line == mistake.line, "\(named)")
    #expect(named.column == nil)
  }

  @Test func `a mistake in a list has its pointer, and a failure has its line`() throws {
    let chain = Chain {
      HighPass()
      Gain(gain: 99)
    }
    let line = #line - 2
    let found = try #require(chain.check().first)
    #expect(found.path == "/chain/1/parameters/gain")
    #expect(found.description.hasPrefix("FxKitTests/CodeMistakeTests.swift:\(line): error: "))
    let failed = failure { _ = try ChainRenderer(chain) }
    #expect(failed?.diagnostics == [found])
    #expect(failed?.message.contains("CodeMistakeTests.swift:\(line): error:") == true)
    let failedRender = failure { _ = try chain.render(RenderRequest(input: "a", output: "b.wav")) }
    #expect(failedRender?.diagnostics.contains(found) == true)
  }

  @Test func `a second node of an id names the first one`() throws {
    var graph = ChainGraph()
    graph.add(Gain(id: "a"))
    graph.add(Gain(id: "a"))
    let found = try #require(Chain(graph).check().first { $0.code == "duplicate-name" })
    #expect(found.line == #line - 2)
    #expect(found.hints == ["it was made at FxKitTests/CodeMistakeTests.swift:\(#line - 4)"])
    let list = Chain {
      Gain(id: "a")
      Gain(id: "a")
    }
    #expect(list.check().map(\.code) == ["duplicate-name"])
    #expect(list.check().map(\.line) == [#line - 3])
  }

  @Test func `connections in a list are a mistake`() throws {
    var list = ChainGraph {
      Gain(id: "a")
      Gain(id: "b")
    }
    list.connect("a", to: "b")
    let found = try #require(Chain(list).check().first)
    #expect((found.code, found.line) == ("conflicting-keys", #line - 2))
  }

  @Test func `a mistake in an included chain names its file`() throws {
    let folder = TemporaryFolder()
    _ = folder.write("inner.json", Array(#"{ "version": 2, "chain": [{ "unit": "x" }] }"#.utf8))
    let chain = Chain(path: folder.file("chain.json")) { Node(chain: "inner.json") }
    let found = try #require(chain.check().first)
    #expect(found.file?.hasSuffix("inner.json") == true)
    #expect(found.line == 1)
  }

  @Test func `a graph that was read back keeps its lines`() throws {
    let chain = Chain { Gain(gain: 99) }
    let line = #line - 1
    let again = try Chain(ChainGraph(chain))
    #expect(again.check().map(\.line) == [line])
  }
}
