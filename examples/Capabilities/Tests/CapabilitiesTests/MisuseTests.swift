import FxKit
import Testing

/// A wrong use of the library, by what it does.
struct Misuse: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let act: @Sendable () async throws -> Void

  init(_ description: String, _ act: @escaping @Sendable () async throws -> Void) {
    testDescription = description
    self.act = act
  }
}

private let stereo = SampleFormat(sampleRate: 48000, channels: 2)
private let gain = Chain { Gain(id: "fader") }
private func buffer(_ frames: Int = 10) throws -> PCMBuffer {
  try PCMBuffer([[Float](repeating: 0, count: frames)], format: mono)
}
private func renderer() throws -> ChainRenderer { try ChainRenderer(gain, channels: 1) }
private func playing() async throws -> Engine {
  let engine = try Engine(
    Chain {
      Source.signal(.tone, id: "tone")
      Gain(id: "fader")
      Sink.device("null", id: "out")
    })
  try await engine.start()
  return engine
}

private let misuses: [Misuse] = [
  // Buffers
  Misuse("a buffer without channels") { _ = try PCMBuffer([], format: mono) },
  Misuse("a buffer with other channels than its format") {
    _ = try PCMBuffer([[0], [0]], format: mono)
  },
  Misuse("a buffer with channels of different lengths") {
    _ = try PCMBuffer([[0], [0, 1]], format: stereo)
  },
  Misuse("a format without channels") {
    _ = try PCMBuffer([], format: SampleFormat(sampleRate: 48000, channels: 0))
  },
  Misuse("a format with a rate that is no number") {
    _ = try PCMBuffer([[0]], format: SampleFormat(sampleRate: .nan, channels: 1))
  },
  Misuse("a buffer of negative length") {
    _ = try PCMBuffer(format: mono, frameCount: -1) { _ in }
  },
  Misuse("a buffer that no memory holds") {
    _ = try PCMBuffer(format: mono, frameCount: .max) { _ in }
  },
  Misuse("samples that are not whole frames") {
    _ = try PCMBuffer(interleaved: [Int16](repeating: 0, count: 3), format: stereo)
  },
  Misuse("a file that is not there") { _ = try PCMBuffer(contentsOfFile: "/nowhere.wav") },
  Misuse("a file that is no sound") { _ = try PCMBuffer(contentsOfFile: #filePath) },
  Misuse("a folder as a sound") { _ = try PCMBuffer(contentsOfFile: "/") },
  Misuse("a conversion to rate 0") {
    _ = try buffer().converted(to: SampleFormat(sampleRate: 0, channels: 1))
  },
  Misuse("a conversion of two channels to one") {
    _ = try Converter(from: stereo, to: mono)
  },
  Misuse("a converter with a buffer of another format") {
    _ = try Converter(from: stereo, to: stereo).convert(try buffer())
  },
  // Renderers
  Misuse("a renderer of a chain with a mistake") {
    _ = try ChainRenderer(Chain { Node(unit: "revreb") }, channels: 1)
  },
  Misuse("a renderer without channels") { _ = try ChainRenderer(gain, channels: 0) },
  Misuse("a renderer with blocks of no frames") {
    _ = try ChainRenderer(gain, channels: 1, blockSize: 0)
  },
  Misuse("a renderer at rate -1") { _ = try ChainRenderer(gain, sampleRate: -1, channels: 1) },
  Misuse("a renderer of a chain with a file of its own") {
    _ = try ChainRenderer(
      Chain {
        Source.file("a.wav")
        Output()
      }, channels: 1)
  },
  Misuse("a render of other channels") { _ = try renderer().render([[0], [0]]) },
  Misuse("a render of channels of different lengths") {
    _ = try ChainRenderer(gain, channels: 2).render([[0], [0, 0]])
  },
  Misuse("an unknown parameter") { try renderer().set("fader.gian", to: "0 dB") },
  Misuse("a value out of range") { try renderer().set("fader.gain", to: "900 dB") },
  Misuse("a value that is no number") { try renderer().set("fader.gain", to: "loud") },
  // Nodes of the program
  Misuse("a player without channels") {
    _ = try PlayerNode("p", SampleFormat(sampleRate: 48000, channels: 0))
  },
  Misuse("a player with a buffer of another format") {
    try PlayerNode("p", stereo).schedule(try buffer())
  },
  Misuse("an empty buffer that loops") {
    try PlayerNode("p", mono).schedule(try buffer(0), options: .loops)
  },
  Misuse("a push of other channels") { try PushNode("p", stereo).push([[0]]) },
  Misuse("a push node that waits an hour") { _ = try PushNode("p", mono, latency: .seconds(3600)) },
  Misuse("a push node with a latency below zero") {
    _ = try PushNode("p", mono, latency: .seconds(-1))
  },
  Misuse("a node of the program with a name that is none") {
    _ = try ChainRenderer(
      Chain(ChainGraph { SourceNode("no name", channels: 1) { $0.silence() } }), channels: 1)
  },
  Misuse("one source in two nodes") {
    let source = SourceNode("one", channels: 1) { $0.silence() }
    var graph = ChainGraph()
    let mix = graph.add(Mixer(id: "mix"))
    graph.connect(graph.add(Node(source, id: "a")), to: mix.strip("a"))
    graph.connect(graph.add(Node(source, id: "b")), to: mix.strip("b"))
    graph.connect(mix, to: graph.add(Output()))
    _ = try ChainRenderer(Chain(graph), channels: 1)
  },
  Misuse("samples pushed with other channels") {
    _ = try SampleQueue(stereo, capacity: 100).pushWithoutWaiting([[0]])
  },
  // Graphs
  Misuse("a JSON text that is none") { _ = try ChainGraph(json: "{") },
  Misuse("a JSON text that is no chain") { _ = try ChainGraph(json: "[1, 2]") },
  Misuse("a connection to a node that is not there") {
    var graph = ChainGraph()
    graph.connect("a", to: "b")
    try Chain(graph).render(RenderRequest(input: "a.wav", output: "/dev/null"))
  },
  Misuse("a node of another graph") {
    var other = ChainGraph()
    let stranger = other.add(Gain(id: "stranger"))
    var graph = ChainGraph()
    graph.connect(graph.add(Input()), to: stranger)
    try Chain(graph).render(RenderRequest(input: "a.wav", output: "/dev/null"))
  },
  Misuse("a loop without a delay") {
    var graph = ChainGraph()
    let (a, b) = (graph.add(Gain(id: "a")), graph.add(Gain(id: "b")))
    graph.connect(a, to: b)
    graph.connect(b, to: a)
    _ = try ChainRenderer(Chain(graph), channels: 1)
  },
  // Engines
  Misuse("an engine of a chain with a mistake") { _ = try Engine(Chain { Node(unit: "revreb") }) },
  Misuse("a device that is not there") {
    _ = try await Engine(gain, input: .file("/dev/null"), output: .device("nobody")).run()
  },
  Misuse("a request before the start") { try await Engine(gain).send(.status) },
  Misuse("a stop before the start") { try await Engine(gain).stop() },
  Misuse("a second start") {
    let engine = try await playing()
    try await engine.stop()
    try await engine.start()
  },
  Misuse("a parameter that the chain does not have") {
    try await playing()["fader.gian"].set(0)
  },
  Misuse("a ramp over a negative time") {
    try await playing()["fader.gain"].ramp(to: -6, over: .seconds(-1))
  },
  Misuse("a ramp to a value that is no number") {
    try await playing()["fader.gain"].ramp(to: .number(.nan), over: .seconds(1))
  },
  Misuse("a tap of a node that is not there") {
    try await playing().tap("nobody", as: "ear") { _ in }
  },
  Misuse("another chain with a mistake") {
    try await playing().load(Chain { Node(unit: "revreb") })
  },
  Misuse("another chain with other sources") {
    try await playing().load(
      Chain {
        Source.file("other.wav")
        Sink.device("null", id: "out")
      })
  },
  Misuse("an update with a mistake") { try await playing().update { $0.remove("nobody") } },
  // Streams and lists
  Misuse("a stream that is no sound") {
    let parser = SoundParser(name: "noise")
    try parser.parse([UInt8](repeating: 7, count: 100_000)) { _ in }
    try parser.finish { _ in }
  },
  Misuse("a render of frames for a chain with an input") { _ = try renderer().render(frames: 10) },
  Misuse("a render of -1 frames") {
    _ = try ChainRenderer(
      Chain {
        SourceNode("voice", channels: 1) { $0.silence() }
        Output()
      }, channels: 1
    ).render(frames: -1)
  },
  Misuse("MIDI that is none") { try await playing().send(.midi([0x90, 200, 1], node: "fader")) },
  Misuse("MIDI for a node that plays none") {
    try await playing().send(.midi([0x90, 60, 1], node: "fader"))
  },
  Misuse("a plugin that is not installed") { _ = try PluginInfo(uri: "urn:nobody") },
  Misuse("properties of a file that is not there") { _ = try SoundInfo(path: "/nowhere.wav") },
]

extension LibraryTests {
  /// Nothing ends the process, traps or hangs.
  @Suite struct MisuseTests {
    @Test(.timeLimit(.minutes(1)), arguments: misuses) func `is refused`(_ misuse: Misuse) async {
      await #expect(throws: ChainFailure.self) { try await misuse.act() }
    }
  }
}
