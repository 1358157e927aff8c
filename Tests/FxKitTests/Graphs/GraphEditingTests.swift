@testable import FxKit
@testable import FxNodes
import Testing

/// Changes of a graph.
struct GraphEditingTests {
  private var graph = ChainGraph()
  private let voice: GraphNode<Input>
  private let mix: GraphNode<Mixer>
  private let out: GraphNode<Output>

  init() {
    voice = graph.add(Input("voice"))
    mix = graph.add(Mixer(id: "mix"))
    out = graph.add(Output())
    graph.connect(voice, to: mix.strip("voice", gain: .decibels(-3)))
    graph.connect(mix, to: out)
  }

  private func ends(_ graph: ChainGraph) -> [String] {
    graph.connections.map { "\($0.source) > \($0.destination)" }
  }

  @Test func `a graph is the chain of its JSON`() throws {
    let written = Chain(
      json: """
        { "version": 2,
          "nodes": {
            "voice": { "source": "voice" },
            "mix": { "unit": "mixer", "strips": { "voice": { "gain": "-3 dB" } } },
            "output": { "sink": "main" } },
          "connections": [ "voice -> mix:voice -> output" ] }
        """)
    #expect(try plan(Chain(graph)) == plan(written))
  }

  @Test func `automatic ids are numbered from the second one on`() {
    var graph = ChainGraph()
    let ids = [graph.add(Gain()).id, graph.add(Gain()).id, graph.add(Gain(id: "gain4")).id]
    #expect(
      ids + [graph.add(Gain()).id, graph.add(Gain()).id]
        == ["gain", "gain2", "gain4", "gain3", "gain5"])
    #expect(graph.add(Node(plugin: "http://gareus.org/oss/lv2/fil4#stereo")).id == "fil4-stereo")
    #expect(graph.add(Source.file("takes/one.wav")).id == "one")
  }

  @Test func `an inserted node stands between, and the mixer keeps its strip`() throws {
    var graph = graph
    let echo = graph.insert(Delay(time: .milliseconds(350)), between: voice, and: mix)
    #expect(ends(graph) == ["voice > delay", "delay > mix:voice", "mix > output"])
    #expect(echo.time.path == "delay.time")
    #expect(Chain(graph).check() == [])
    var implied = ChainGraph()
    let input = implied.add(Input("voice"))
    let sum = implied.add(Mixer(strips: [.init("voice", gain: -6)]))
    implied.connect(input, sum, implied.add(Output()))
    implied.insert(Gain(), between: input, and: sum)
    #expect(ends(implied) == ["voice > gain", "gain > mixer:voice", "mixer > output"])
    #expect(Chain(implied).check() == [])
  }

  @Test func `an inserted node divides what a connection says`() {
    var graph = ChainGraph()
    let a = graph.add(Input("a"))
    let b = graph.add(Gain(id: "b"))
    graph.connect(a, to: b, gain: -6, channels: [2, 1])
    graph.insert(Gain(id: "c"), between: a, and: b)
    #expect(graph.connections.map(\.keys) == [[.init("channels", [2, 1])], [.init("gain", -6)]])
  }

  @Test func `a removed node takes its connections with it, or joins its neighbours`() {
    var graph = graph
    let echo = graph.insert(Delay(), between: voice, and: mix)
    var other = graph
    graph.remove(echo)
    #expect(ends(graph) == ["mix > output"])
    #expect(graph["delay"] == nil)
    other.remove(echo, joins: true)
    #expect(Set(ends(other)) == ["voice > mix:voice", "mix > output"])
    #expect(Chain(other).check() == [])
  }

  @Test func `a replaced node keeps its id and its connections`() {
    var graph = graph
    let echo = graph.insert(Delay(), between: voice, and: mix)
    let room = graph.replace(echo, with: Reverb(wet: 0.2))
    #expect(room.id == "delay")
    #expect(graph["delay"]?.unit == "reverb")
    #expect(graph[room]?[\.wet] == 0.2)
    #expect(Chain(graph).check() == [])
  }

  @Test func `connections are removed`() {
    var graph = graph
    graph.disconnect(mix, from: out)
    #expect(ends(graph) == ["voice > mix:voice"])
    graph.disconnect(voice, from: "mix:voice")
    #expect(graph.connections.isEmpty)
  }

  @Test func `values are read and set by parameter`() {
    var graph = graph
    let eq = graph.insert(
      Equalizer(id: "eq", bands: [.init(id: "air", gain: 2), .init(gain: -1)]), between: voice,
      and: mix)
    #expect(graph[eq.bands["air"].gain] == 2)
    #expect(graph[eq.bands[2].gain] == -1)
    graph[eq.bands["air"].gain] = .decibels(4)
    graph[eq.wet] = .percent(80)
    graph[mix.strips["voice"].mute] = true
    #expect(
      graph[eq]?.bands.listed.map(\.fields.keys) == [
        [.init("gain", "4 dB")], [.init("gain", -1)],
      ])
    #expect(graph["eq"]?[key: "wet"] == "80 %")
    #expect(graph["mix"]?[parameter: "strips.voice.mute"] == true)
    #expect(graph["mix"]?[parameter: "strips.voice.gain"] == "-3 dB")
    graph[eq.wet] = nil
    #expect(graph["eq"]?[key: "wet"] == nil)
    #expect(Chain(graph).check() == [])
  }

  @Test func `a copy changes alone`() {
    var copy = graph
    copy.insert(Gain(), between: voice, and: mix)
    #expect(copy != graph)
    copy.remove("gain", joins: true)
    #expect(graph.nodes.count == 3)
    #expect(Set(ends(copy)) == Set(ends(graph)))
  }

  @Test func `a list takes nodes in between`() {
    var list = ChainGraph {
      Gain(id: "a")
      Gain(id: "b")
    }
    list.insert(Reverb(), between: "a", and: "b")
    list.add(Limiter())
    list.remove("b")
    #expect(list.nodes.map(\.name) == ["a", "reverb", "limiter"])
    #expect(Chain(list).check() == [])
  }

  @Test func `a parameter's path holds the id that the node has in its graph`() {
    var graph = ChainGraph()
    graph.add(Reverb())
    let second = graph.add(Reverb())
    #expect(second.decay.path == "reverb2.decay")
    let room = Reverb(wet: 0.2).id("room")
    #expect(room.wet.path == "room.wet")
    #expect((room.wet.node, room.wet.parameter) == ("room", "wet"))
    #expect(Compressor(id: "c").sidechain.text == "c:sidechain")
  }
}
