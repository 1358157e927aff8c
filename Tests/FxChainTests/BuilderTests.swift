import FxAudio
@testable import FxChain
import FxEngine
import Testing

struct BuilderTests {
  @Test func `a list is wired from the input to the output`() throws {
    let (chain, diagnostics) = build(
      list(
        """
        { "unit": "highPass", "parameters": { "frequency": "120 Hz" } },
        { "id": "comp", "unit": "compressor", "parameters": { "ratio": "4:1", "auto": true } },
        { "lv2": "http://gareus.org/oss/lv2/fil4#stereo" }, { "unit": "limiter@1" }
        """))
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(
      built.arrows == [
        "input -> highPass", "highPass -> comp", "comp -> fil4-stereo", "fil4-stereo -> limiter",
        "limiter -> output",
      ])
    #expect(built.value("highPass.frequency") == 120)
    #expect(built.value("comp.ratio") == 4)
    #expect(built.value("comp.auto") == 1)
    #expect(built.value("limiter.ceiling") == -1)
    #expect(built.graph.nodes.first?.content == .source(.input("main")))
    #expect(built.graph.nodes.last?.content == .sink(.output("main"), isAligned: true))
    #expect(built.inputNames == ["main"])
    #expect(built.outputNames == ["main"])
  }

  @Test func `an empty list leads the input to the output`() throws {
    let built = try #require(build(list("")).chain)
    #expect(built.arrows == ["input -> output"])
  }

  @Test func `a list may name its own ends`() throws {
    let built = try #require(
      build(
        list(
          "{ \"source\": \"a.wav\" }, { \"unit\": \"gain\" }, { \"sink\": { \"file\": \"b.wav\", \"bits\": 16 } }"
        ), path: "songs/chain.json"
      ).chain)
    #expect(built.graph.nodes[0].content == .source(.file("songs/a.wav")))
    #expect(
      built.graph.nodes[2].content
        == .sink(.file("b.wav", FileEncoding(depth: .int16)), isAligned: true))
  }

  @Test func `two units of a kind are numbered, and their names are ambiguous`() throws {
    let two = "{ \"unit\": \"gain\" }, { \"unit\": \"gain\" }"
    let built = try #require(build(list(two)).chain)
    #expect(built.graph.nodes.map(\.id) == ["input", "gain", "gain2", "output"])
    for name in ["gain", "gain2"] {
      let (_, diagnostics) = build(
        list(two), ChainEnvironment(overrides: [ParameterSetting("\(name).gain", "1")]))
      #expect(diagnostics.codes == [.ambiguousNode])
    }
    let named = "{ \"id\": \"gain\", \"unit\": \"gain\" }, { \"unit\": \"gain\" }"
    let (chain, _) = build(
      list(named), ChainEnvironment(overrides: [ParameterSetting("gain.gain", "1 dB")]))
    #expect(chain?.value("gain.gain") == 1)
  }

  @Test func `connections sum in the file's order with gain and channels`() throws {
    let built = try #require(
      build(
        graph(
          "\"a\": { \"unit\": \"gain\" }, \"b\": { \"unit\": \"compressor\" }",
          """
          "in -> a -> b -> out", "a -> b:sidechain",
          { "from": "in:out[2]", "to": "b", "gain": "-20 dB" },
          { "from": "in", "to": "out", "channels": [2, 1] }
          """)
      ).chain)
    #expect(
      built.arrows == [
        "in -> a", "a -> b", "b -> out", "a -> b:1", "in -> b", "in -> out",
      ])
    #expect(abs(built.graph.connections[4].gain - 0.1) < 1e-8)
    #expect(built.graph.connections[4].from.channel == 1)
    #expect(built.graph.connections[5].channels == [1, 0])
  }

  @Test func `a named connection is a gain that can change`() throws {
    let chain = graph(
      "\"a\": { \"unit\": \"gain\" }, \"mix\": { \"unit\": \"mixer\" }",
      """
      "mix -> out", "in -> a",
      { "from": "in", "to": "mix", "id": "dry", "gain": "-3 dB", "channels": [2, 1] },
      { "from": "a", "to": "mix", "id": "send", "gain": "-20 dB" }
      """)
    let (built, diagnostics) = build(
      chain, ChainEnvironment(overrides: [ParameterSetting("send.gain", "-12 dB")]))
    #expect(diagnostics.isEmpty)
    let found = try #require(built)
    #expect(
      found.arrows == [
        "mix -> out", "in -> a", "in -> dry", "dry -> mix", "a -> send", "send -> mix:1",
      ])
    #expect(found.value("dry.gain") == -3)
    #expect(found.value("send.gain") == -12)
    #expect(found.graph.connections[2].channels == [1, 0])
    #expect(found.graph.connections[3].channels == nil)
    // A mixer names its strips by the sources of the gains.
    #expect(found.value("mix.strips.a.gain") == 0)
  }

  @Test func `a connection's name must be unique`() {
    let chain = graph(
      "\"a\": { \"unit\": \"gain\" }, \"b\": { \"unit\": \"gain\" }",
      "\"in -> a\", \"b -> out\", { \"from\": \"a\", \"to\": \"b\", \"id\": \"a\" }")
    #expect(build(chain).diagnostics.codes == [.duplicateName])
  }

  @Test func `a mixer has a strip for each source and for each that the chain lists`() throws {
    let built = try #require(
      build(
        graph(
          """
          "a": { "unit": "gain" }, "b": { "unit": "gain" },
          "mix": { "unit": "mixer", "strips": { "b": { "gain": "-3 dB" } } }
          """, "\"in -> a -> mix\", \"in -> b -> mix\", \"in -> mix:extra\", \"mix -> out\"")
      ).chain)
    let unit = try #require(built.unit("mix"))
    #expect(unit.items.map(\.id) == ["b", "a", "extra"])
    #expect(built.value("mix.strips.b.gain") == -3)
    #expect(built.value("mix.strips.1.gain") == -3)
    #expect(built.value("mix.strips.a.gain") == 0)
    #expect(
      built.arrows == [
        "in -> a", "a -> mix:1", "in -> b", "b -> mix", "in -> mix:2", "mix -> out",
      ])
    let node = try #require(built.node(id: "mix"))
    #expect(built.graph.nodes[node].inputs.map(\.name) == ["b", "a", "extra"])
    #expect(built.graph.nodes[node].inputs[0].width == .upToOutput)
    #expect(unit.parameters.map(\.path).suffix(2) == ["wet", "bypass"])
  }

  @Test func `bands count from one and have options`() throws {
    let built = try #require(
      build(
        list(
          """
          { "unit": "equalizer", "bands": [
            { "id": "presence", "type": "Peak", "frequency": "3.2 kHz", "gain": "2 dB" },
            { "type": "highShelf", "frequency": 10000 } ] }
          """)
      ).chain)
    #expect(built.value("equalizer.bands.presence.frequency") == 3200)
    #expect(built.value("equalizer.bands.1.gain") == 2)
    #expect(built.value("equalizer.bands.2.frequency") == 10000)
    #expect(built.unit("equalizer")?.items[1].options["type"] == .text("highShelf"))
    #expect(built.unit("equalizer")?.items[0].options["type"] == .text("peak"))
  }

  @Test func `dry signals are kept where something can be mixed with them`() throws {
    let nodes = """
      { "unit": "reverb" }, { "unit": "limiter" }, { "unit": "highPass", "wet": "50 %" },
      { "unit": "gain", "bypass": true }, { "unit": "compressor" }
      """
    let more =
      "\"automation\": [ { \"parameter\": \"compressor.bypass\", \"points\": [ [1, true], [2, false] ] } ]"
    func kept(_ environment: ChainEnvironment) throws -> [String] {
      try #require(build(list(nodes, more), environment).chain)
        .graph.nodes.filter { $0.keepsDry || $0.offersDry }.map(\.id)
    }
    #expect(try kept(ChainEnvironment()) == ["reverb", "highPass", "gain", "compressor"])
    #expect(
      try kept(ChainEnvironment(bypassed: ["limiter"]))
        == ["reverb", "limiter", "highPass", "gain", "compressor"])
    #expect(
      try kept(ChainEnvironment(overrides: [ParameterSetting("reverb.wet", "100 %")]))
        == ["highPass", "gain", "compressor"])
    #expect(try kept(ChainEnvironment(keepsDry: true)).count == 5)
  }

  @Test func `a mono plugin is replicable and a stereo one is not`() throws {
    let built = try #require(
      build(
        list(
          "{ \"lv2\": \"http://example.org/mono#amp\", \"latency\": \"1 ms\" }, { \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\", \"parameters\": { \"coef\": \"-6 dB\" } }",
          "\"sampleRate\": \"48 kHz\"")
      ).chain)
    #expect(built.graph.nodes.map(\.isReplicable) == [false, true, false, false])
    #expect(built.graph.nodes.map(\.rendersInPlace) == [true, false, false, true])
    #expect(built.unit("mono-amp")?.latencyOverride == 48)
    #expect(abs((built.value("fil4-stereo.coef") ?? 0) - 0.5011872336) < 1e-9)
  }

  @Test func `ports go by bus, by channel and by symbol`() throws {
    let built = try #require(
      build(
        graph(
          "\"f\": { \"lv2\": \"http://gareus.org/oss/lv2/fil4#stereo\" }, \"m\": { \"lv2\": \"http://example.org/mono#amp\" }",
          "\"in:out[1] -> f:inR\", \"in -> f:in[1]\", \"f:outR -> m:in\", \"m:out_l -> out:in[2]\""
        )
      ).chain)
    let connections = built.graph.connections
    #expect(connections[0].from.channel == 0)
    #expect(connections[0].to.channel == 1)
    #expect(connections[1].to.channel == 0)
    #expect(connections[2].from.channel == 1)
    #expect(connections[2].to.channel == nil)
    #expect(connections[3].from.channel == 0)
    #expect(connections[3].to.channel == 1)
  }

  @Test func `a loop carries its delay`() throws {
    let built = try #require(
      build(
        graph(
          "\"mix\": { \"unit\": \"mixer\" }, \"f\": { \"unit\": \"highPass\" }",
          "\"in -> mix -> f -> out\", { \"from\": \"f\", \"to\": \"mix\", \"feedback\": true, \"delay\": \"3/4\", \"gain\": \"-6 dB\" }",
          "\"tempo\": 120")
      ).chain)
    #expect(built.graph.connections.last?.feedbackDelay == 0.375)
    #expect(built.graph.connections.dropLast().allSatisfy { $0.feedbackDelay == nil })
  }

  @Test func `the sample rate comes from the caller, the chain, the main input`() throws {
    let text = list("{ \"unit\": \"delay\", \"parameters\": { \"time\": \"480 frames\" } }")
    #expect(build(text).diagnostics.codes == [.needsSampleRate])
    var environment = ChainEnvironment(sourceFacts: { _ in
      SourceFacts(StreamFormat(sampleRate: 96000, channelCount: 1), .finite)
    })
    let built = try #require(build(text, environment).chain)
    #expect(built.sampleRate == 96000)
    #expect(built.value("delay.time") == 0.005)
    #expect(built.graph.nodes[0].outputs[0].width == .exactly(1))
    environment.sampleRate = 24000
    #expect(build(text, environment).chain?.value("delay.time") == 0.02)
    let stated = list("", "\"sampleRate\": 44100, \"channels\": 6")
    #expect(build(stated, ChainEnvironment()).chain?.sampleRate == 44100)
    #expect(build(stated).chain?.graph.nodes[1].inputs[0].width == .exactly(6))
  }

  @Test func `settings of the whole chain are passed on`() throws {
    let built = try #require(
      build(
        list(
          "",
          "\"name\": \"N\", \"blockSize\": 128, \"tail\": \"480 frames\", \"tempo\": \"90 bpm\", \"seed\": 7, \"sampleRate\": 48000, \"comment\": \"c\", \"$schema\": \"s\""
        )
      ).chain)
    #expect(built.name == "N")
    #expect(built.blockSize == 128)
    #expect(built.tail == .seconds(0.01))
    #expect(built.tempo == 90)
    #expect(built.seed == 7)
    #expect(build(list("", "\"tail\": \"none\"")).chain?.tail == BuiltChain.Tail.none)
    #expect(build(list("", "\"tail\": \"Auto\"")).chain?.tail == .auto)
    #expect(build(list("")).chain?.tail == .auto)
    #expect(build(list("", "\"tail\": \"long\"")).diagnostics.codes == [.invalidValue])
  }

  @Test func `automation is in seconds and in the parameter's unit`() throws {
    let built = try #require(
      build(
        list(
          "{ \"id\": \"comp\", \"unit\": \"compressor\" }, { \"unit\": \"highPass\" }",
          """
          "tempo": 60, "automation": [
            { "parameter": "comp.threshold", "points": [ ["0:00", "-12 dB"], ["0:10", "-24 dB", "linear"] ] },
            { "parameter": "highPass.frequency", "points": [ ["1/2", 100], [2, "1 kHz", "exponential"] ] } ]
          """)
      ).chain)
    #expect(
      built.unit("comp")?.automation == [
        Automation(
          slot: 0,
          points: [.init(seconds: 0, value: -12), .init(seconds: 10, value: -24, curve: .linear)])
      ])
    #expect(built.unit("highPass")?.automation.first?.points.map(\.seconds) == [0.5, 2])
  }

  @Test func `variables are filled in from the chain and the command line`() throws {
    let text = list(
      "{ \"unit\": \"convolver\", \"impulse\": \"ir/${room}.wav\" }, { \"unit\": \"gain\", \"parameters\": { \"gain\": \"${level}\" } }",
      "\"variables\": { \"room\": \"hall\", \"level\": -3 }")
    let built = try #require(build(text, path: "a/chain.json").chain)
    #expect(built.unit("convolver")?.options["impulse"] == .sound("a/ir/hall.wav"))
    #expect(built.value("gain.gain") == -3)
    let defined = build(text, defines: ["room": "/x/y", "level": "-9 dB"])
    #expect(defined.chain?.unit("convolver")?.options["impulse"] == .sound("ir//x/y.wav"))
    #expect(defined.chain?.value("gain.gain") == -9)
    #expect(build(text, defines: ["rom": "x"]).diagnostics.codes == [.unknownVariable])
    let required = list("", "\"variables\": { \"x\": { \"required\": true } }")
    #expect(build(required).diagnostics.codes == [.unknownVariable])
    #expect(build(required, defines: ["x": "1"]).diagnostics.isEmpty)
  }
}
