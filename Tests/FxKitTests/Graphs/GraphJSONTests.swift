import Foundation
@testable import FxKit
@testable import FxNodes
import FxTestSupport
import Testing

/// Chains are read and written as JSON.
struct GraphJSONTests {
  private static let chains: [String] = {
    let folder = "\(Fixture.repository)/chains"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".test.json") }.sorted().map {
      "\(folder)/\($0)"
    }
  }()

  @Test(arguments: chains)
  func `a shipped chain keeps its meaning`(_ path: String) throws {
    let chain = try Chain(contentsOfFile: path)
    let graph = try ChainGraph(chain)
    let written = Chain(json: graph.json, path: path)
    #expect(try ChainGraph(written) == graph)
    #expect(try ChainGraph(json: graph.json, path: path).json == graph.json)
    // Without its plugins a chain has no plan.
    guard let wanted = try? plan(chain) else { return }
    #expect(try plan(written) == wanted)
    #expect(try plan(Chain(graph, path: path)) == wanted)
  }

  @Test func `a text is indented, and keys stand in the order of the format`() {
    var graph = ChainGraph()
    graph.tempo = 96
    graph.connect(
      graph.add(Input()), graph.add(Reverb(wet: .percent(20)).comment("small")),
      graph.add(Output()))
    graph.name = "Room"
    #expect(
      graph.json == """
        {
          "version": 2,
          "name": "Room",
          "tempo": 96,
          "nodes": {
            "input": { "source": { "input": "main" } },
            "reverb": { "unit": "reverb", "wet": "20 %", "comment": "small" },
            "output": { "sink": { "output": "main" } }
          },
          "connections": ["input -> reverb", "reverb -> output"]
        }

        """)
  }

  @Test func `unknown keys are kept`() throws {
    let graph = try ChainGraph(
      json: #"{ "version": 2, "chain": [{ "unit": "gain", "later": [1, null] }], "x": { "y": 1 } }"#
    )
    #expect(graph[key: "x"]?["y"] == 1)
    #expect(graph.nodes[0][key: "later"] == [1, .null])
    #expect(Chain(graph).check().map(\.code).sorted() == ["unknown-key", "unknown-key"])
  }

  @Test func `the nodes are no key of their own`() {
    var graph = ChainGraph { Gain() }
    let json = graph.json
    for key in ["version", "chain", "nodes", "connections"] {
      #expect(graph[key: key] == nil)
      graph[key: key] = 1
    }
    #expect(graph.json == json)
  }

  @Test func `a path of connections is read as single ones`() throws {
    let graph = try ChainGraph(
      json: """
        { "version": 2, "nodes": {}, "connections": [
          "a:low -> b:sidechain -> c", "lfo->b.gain", { "to": "d", "from": "c", "gain": -3 }, "e" ] }
        """)
    #expect(
      graph.connections.map(\.written) == [
        "a:low -> b:sidechain", "b -> c", "lfo -> b.gain",
        ["from": "c", "to": "d", "gain": -3], "e",
      ])
  }

  @Test func `a chain of version 1 becomes one of version 2`() throws {
    let old =
      #"{ "version": 1, "tempo": 120, "chain": [{ "unit": "delay", "parameters": { "time": "1/2" } }] }"#
    let graph = try ChainGraph(json: old)
    #expect(graph.nodes[0][parameter: "time"] == "1/8")
    #expect(try plan(Chain(graph)) == plan(Chain(json: old)))
  }

  @Test(arguments: [
    "", "[]", "1", #"{ "version": 2 }"#, #"{ "version": 2, "chain": {} }"#,
    #"{ "version": 2, "chain": [1] }"#, #"{ "version": 2, "nodes": { "a": 1 } }"#,
    #"{ "version": 2, "chain": [], "nodes": {} }"#,
    #"{ "version": 2, "nodes": {}, "connections": [1] }"#,
    #"{ "version": 2, "nodes": { "a": {}, "a": {} } }"#, #"{ "version": 99, "chain": [1] }"#,
  ])
  func `a text that is no chain is a failure`(_ text: String) {
    let failed = failure { _ = try ChainGraph(json: text) }
    #expect(failed?.kind == .chain)
    #expect(failed?.message.isEmpty == false)
  }

  @Test func `the controls of a chain are those of its JSON`() throws {
    var graph = ChainGraph {
      LFO(id: "slow", rate: .hertz(0.3))
      LowPass(id: "filter", frequency: .hertz(400), q: 3)
      Delay(id: "echo", time: .note(1, 8), wet: .percent(30))
      Gain(id: "out")
    }
    graph.tempo = .beatsPerMinute(120)
    graph.tail = .time(.seconds(2.5))
    let filter = ParameterReference<Frequency>(path: "filter.frequency")
    let out = Gain(id: "out")
    graph.modulate(filter, by: "slow", depth: .octaves(0.5), curve: .root)
    graph.automate(out.gain, [.init(0, .silence), .init(2, 0, .linear)], from: .start)
    let cut = graph.expose("cut", filter, range: (100, .kilohertz(4)))
    var solo = ChainScene(ramp: .milliseconds(50))
    solo[cut] = 2000
    solo[Delay(id: "echo").bypass] = true
    graph.setScene("solo", solo)
    graph.map(.controller(74, channel: 1), to: filter, range: (200, .kilohertz(8)))
    graph.map(.note("D4"), to: Delay(id: "echo").bypass, mode: .momentary)
    graph.map(.program(3), toScene: "solo")
    graph.mapToTap(.controller(20))
    let written = Chain(
      json: """
        { "version": 2, "tempo": "120 bpm", "tail": "2.5 s",
          "chain": [
            { "id": "slow", "unit": "lfo", "parameters": { "rate": "0.3 Hz" } },
            { "id": "filter", "unit": "lowPass", "parameters": { "frequency": "400 Hz", "q": 3 } },
            { "id": "echo", "unit": "delay", "wet": "30 %", "parameters": { "time": "1/8" } },
            { "id": "out", "unit": "gain" } ],
          "modulation": [
            { "from": "slow", "to": "filter.frequency", "depth": "0.5 oct", "curve": "root" } ],
          "automation": [
            { "parameter": "out.gain", "points": [[0, "-inf dB"], [2, 0, "linear"]], "time": "start" } ],
          "expose": { "cut": { "parameter": "filter.frequency", "range": [100, "4 kHz"] } },
          "scenes": { "solo": {
            "parameters": { "cut": 2000, "echo.bypass": true }, "ramp": "50 ms" } },
          "midi": [
            { "cc": 74, "channel": 1, "parameter": "filter.frequency", "range": [200, "8 kHz"] },
            { "note": "D4", "parameter": "echo.bypass", "mode": "momentary" },
            { "program": 3, "scene": "solo" }, { "cc": 20, "tap": true } ] }
        """)
    #expect(Chain(graph).check() == written.check())
    #expect(try plan(Chain(graph)) == plan(written))
    #expect(graph.tail == .time(.seconds(2.5)))
  }
}
