import FxKit
import FxTestSupport
import FxUnitTesting
import Synchronization
import Testing

/// An instrument as a user writes it: a pulse of the velocity at each note, and a level by a controller.
private struct Pulse: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "pulse", summary: "Pulses at notes.", role: .instrument, inputs: [],
    outputs: [OutputBusSpec("out", width: .exactly(1))], takesMIDI: true)

  private var midi: MIDIInput
  private var level = Float(1)

  init(_ preparation: Preparation) { midi = MIDIInput(preparation) }

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    let output = block.outputs[0]
    for frame in 0..<block.frameCount { output[frame] = 0 }
    midi.begin(block)
    while let event = midi.next() {
      switch event.meaning {
      case .noteOn(_, let velocity): output[event.frame] = level * Float(velocity) / 128
      case .controller(7, let value): level = Float(value) / 128
      default: break
      }
    }
  }

  @_noLocks
  mutating func reset() { level = 1 }
}

/// MIDI that units and nodes of the program play.
struct OwnInstrumentTests {
  private static let chain = Chain(
    json: #"""
      { "version": 2, "sampleRate": 48000,
        "chain": [
          { "unit": "pulse",
            "midi": { "events": [ { "at": 0.001, "note": 60, "velocity": 64 },
                      { "at": 0.002, "controller": 7, "value": 32 },
                      { "at": 0.003, "note": 60, "velocity": 64 } ] } },
          { "sink": "main" } ] }
      """#, units: [Pulse.self])

  @Test func `a unit plays the chain's notes at their frames`() throws {
    let sound = try ChainRenderer(Self.chain).render(frames: 200)[0]
    #expect(sound.indices.filter { sound[$0] != 0 } == [48, 144])
    #expect(sound[48] == 0.5 && sound[144] == 0.125)
  }

  @Test func `the same notes in Swift code play the same`() throws {
    let chain = Chain {
      Node(Pulse.self).midi([
        .note("C4", at: .milliseconds(1), velocity: 64), .controller(7, 32, at: 0.002),
        .note(60, at: 0.003, velocity: 64),
      ])
      Output()
    }
    #expect(
      try ChainRenderer(chain).render(frames: 200)
        == ChainRenderer(Self.chain).render(frames: 200))
  }

  @Test func `a unit that plays no MIDI refuses it`() {
    let chain = Chain(
      json: #"{ "version": 2, "chain": [ { "unit": "gain", "midi": "song.mid" } ] }"#)
    #expect(chain.check().map(\.code) == ["no-midi-input"])
  }

  @Test func `an instrument keeps the rules of a unit`() {
    #expect(UnitConformance.problems(of: Pulse.self) == [])
  }

  @Test(.ownThread) func `a node of the program plays what the program sends`() async throws {
    let notes = Mutex<[MIDIEvent]>([])
    let synth = SourceNode("synth", channels: 1) { block, midi in
      while let event = midi.next() { notes.withLock { $0.append(event) } }
      for frame in 0..<block.frameCount { block.outputs[0][frame] = 0 }
    }
    var graph = ChainGraph()
    let keys = graph.add(Node(synth, id: "keys"))
    let out = graph.add(Sink.device("null"))
    graph.connect(keys, to: out)
    let engine = try Engine(Chain(graph))
    try await engine.start()
    try await engine.send(.midi([0x90, 60, 100], node: "keys"))
    try await engine.send(.midi([0x80, 60, 64], node: "keys"))
    while notes.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
    for (bytes, node) in [
      ([0x90, 60], "keys"), ([0x90, 60, 1], "kyes"), ([0x90, 60, 1], "null"),
    ] {
      await #expect(throws: ChainFailure.self) {
        try await engine.send(.midi(bytes.map { UInt8($0) }, node: node))
      }
    }
    try await engine.stop()
    #expect(notes.withLock { $0.map(\.bytes.0) } == [0x90, 0x80])
  }
}
