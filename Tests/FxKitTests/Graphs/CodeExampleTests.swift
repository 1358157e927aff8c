import FxKit
import FxTestSupport
import Testing

// The examples of docs/chains-in-code.md, which quotes this file; a test compares them.

/// A chain for a voice, with a limiter where the result is published.
func voiceChain(isPublished: Bool) -> Chain {
  Chain {
    HighPass(frequency: .hertz(80))
    Compressor(threshold: -18, ratio: 4, attack: .milliseconds(5))
    Equalizer(bands: [
      .init(type: .peak, frequency: .kilohertz(3.2), gain: .decibels(2)),
      .init(type: .highShelf, frequency: .kilohertz(10), gain: .decibels(-1.5)),
    ])
    if isPublished { Limiter(ceiling: -1) }
  }
}

/// A voice with an echo beside it, and a level of the echo that a caller can set.
func echoGraph() -> ChainGraph {
  var graph = ChainGraph()
  let voice = graph.add(Input("voice"))
  let echo = graph.add(Delay(id: "echo", time: .milliseconds(350), feedback: 0.4, wet: 1))
  let mix = graph.add(Mixer(id: "mix"))
  graph.connect(voice, to: mix.strip("voice", gain: .decibels(-3)))
  graph.connect(voice, echo, mix.strip("echo", gain: .decibels(-12)), graph.add(Output()))
  graph.expose("echoes", mix.strips["echo"].gain)
  graph.tail = .time(.seconds(3))
  return graph
}

/// Changes a graph that is there already.
func brighter(_ graph: ChainGraph) -> ChainGraph {
  var graph = graph
  graph.insert(HighPass(id: "thin", frequency: .hertz(400)), between: "voice", and: "echo")
  graph["echo"]?[parameter: "feedback"] = 0.6
  graph.replace("mix", with: Mixer(strips: [.init("voice"), .init("echo", gain: -9)]))
  return graph
}

/// A filter that an LFO moves, a fade, a scene and a controller.
func movedFilter() -> ChainGraph {
  let filter = LowPass(id: "filter", frequency: .hertz(400), q: 3)
  let out = Gain(id: "out")
  var graph = ChainGraph {
    LFO(id: "slow", rate: .hertz(0.3))
    filter
    out
  }
  graph.modulate(filter.frequency, by: "slow", depth: .octaves(0.5))
  graph.automate(out.gain, [.init(0, .silence), .init(2, 0, .linear)])
  var dark = ChainScene(ramp: .milliseconds(200))
  dark[filter.frequency] = .hertz(150)
  graph.setScene("dark", dark)
  graph.map(.controller(74), to: filter.frequency, range: (.hertz(150), .kilohertz(8)))
  return graph
}

/// Adds a meter at the end of a list that was read from a file.
func metered(_ path: String) throws -> String {
  var graph = try ChainGraph(Chain(contentsOfFile: path))
  graph.add(Meter(id: "end"))
  return graph.json
}

/// Says where a mistake was made: `Studio/Voice.swift:12: error: 'gain' "90 dB" is above …`.
func mistakes() -> [String] {
  let chain = Chain {
    Gain(gain: .decibels(90))
    Node(plugin: "http://example.org/none", parameters: ["drive": 3])
  }
  return chain.check().map(\.description)
}

struct CodeExampleTests {
  @Test func `chains of the examples have no mistakes`() throws {
    #expect(voiceChain(isPublished: true).check() == [])
    #expect(voiceChain(isPublished: false).check() == [])
    #expect(Chain(echoGraph()).check() == [])
    #expect(Chain(brighter(echoGraph())).check() == [])
    #expect(Chain(movedFilter()).check() == [])
  }

  @Test func `a chain from a file gets a meter`() throws {
    let json = try metered("\(Fixture.repository)/chains/podcast-voice.json")
    #expect(json.contains("{ \"id\": \"end\", \"unit\": \"meter\" }"))
    #expect(Chain(json: json).check() == [])
  }

  @Test func `mistakes name this file`() throws {
    let found = mistakes()
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.hasPrefix("FxKitTests/CodeExampleTests.swift:") })
  }

  @Test func `a chain from code renders`() throws {
    let renderer = try ChainRenderer(
      Chain { Gain(gain: .decibels(-6)) }, sampleRate: 48000, channels: 1)
    #expect(try abs(renderer.render([[1, 1, 1]])[0][2] - 0.501187) < 1e-5)
  }
}
