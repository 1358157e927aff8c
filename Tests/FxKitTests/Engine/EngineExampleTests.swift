import FxKit
import FxTestSupport
import Synchronization
import Testing

// The examples of docs/engine.md, which quotes this file.

/// Plays a file through a room, moves the room's mix, and stops.
func play(_ file: String, on device: String) async throws -> RenderSummary {
  let room = Reverb(id: "room", wet: 0.2)
  let chain = Chain {
    Input()
    HighPass(frequency: .hertz(80))
    room
    Output()
  }
  let engine = try Engine(chain, input: .file(file), output: .device(device))
  let events = engine.events
  try await engine.start()
  try await engine[room.wet].ramp(to: 0.3, over: .milliseconds(500))
  Task {
    for await event in events { print(event) }
  }
  return try await engine.stop()
}

/// A tone of the program, without a queue between it and the device.
func tone(_ hertz: Float) -> SourceNode {
  let oscillator = Oscillator(hertz)
  return SourceNode("tone", channels: 1) { block in
    let output = block.output(0)
    for frame in output.indices { output[frame] = oscillator.next() }
  }
}

/// Only the render thread uses it while an engine plays.
final class Oscillator: @unchecked Sendable {
  private var phase: Float = 0
  private let step: Float

  init(_ hertz: Float) { step = hertz / 48000 }

  @_noLocks
  func next() -> Float {
    phase += step
    if phase >= 1 { phase -= 1 }
    return phase < 0.5 ? 0.1 : -0.1
  }
}

/// Adds an echo while the chain plays, and shows the level behind it.
func addEcho(to engine: Engine) async throws -> Double? {
  let echo = Delay(id: "echo", time: .milliseconds(350))
  try await engine.update { graph in
    graph.insert(echo, between: "tone", and: "out")
  }
  for await level in engine.levels(of: "echo", every: .milliseconds(20)) { return level.peak }
  return nil
}

/// Plays a jingle at once, and waits until it has been heard.
func announce(_ jingle: PCMBuffer, with player: PlayerNode) async throws -> Bool {
  try await player.schedule(jingle, at: .now, until: .playedBack) == .played
}

@Suite(.serialized, .ownThread) struct EngineExampleTests {
  private let folder = TemporaryFolder()

  @Test func `a file plays through a room`() async throws {
    // The null device plays as fast as it is rendered: long enough for a machine that is busy.
    let sound = [Float](repeating: 0.1, count: 2_000_000)
    let file = try folder.writeSound("tone.wav", sound, rate: 1000)
    #expect(try await play(file, on: "null").wasStopped)
  }

  @Test func `a tone gets an echo and a jingle while it plays`() async throws {
    let player = try PlayerNode("jingles", SampleFormat(channels: 1))
    var graph = ChainGraph()
    let out = graph.add(Sink.device("null", id: "out"))
    graph.connect(graph.add(tone(440)), to: out)
    graph.connect(graph.add(player), to: out)
    let engine = try Engine(Chain(graph))
    try await engine.start()
    #expect(try await addEcho(to: engine) != nil)
    let jingle = try PCMBuffer(
      [[Float](repeating: 0.1, count: 480)], format: SampleFormat(channels: 1))
    #expect(try await announce(jingle, with: player))
    try await engine.stop()
  }
}
