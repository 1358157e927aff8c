// Synth [DEVICE]: plays the lines of the keyboard: the letters a to k are the white keys from C4, an empty line
// ends. Synth SONG.mid OUT.wav renders a MIDI file.
import FxKit
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())

/// The chain, with what the voices play and where they are heard.
func chain(_ voices: Node, _ sink: some ChainNode) -> Chain {
  Chain {
    voices
    Chorus(wet: 0.4)
    Reverb(decay: .seconds(1.5), wet: 0.2)
    Limiter(ceiling: .decibels(-1))
    sink
  }
}

let keys: [Character: UInt8] = [
  "a": 60, "s": 62, "d": 64, "f": 65, "g": 67, "h": 69, "j": 71, "k": 72,
]

/// Plays the letters of a line together.
func play(_ line: String, _ engine: Engine) async throws {
  let notes = line.compactMap { keys[$0] }
  for note in notes { try await engine.send(.midi([0x90, note, 100], node: "voices")) }
  try await Task.sleep(for: .milliseconds(300))
  for note in notes { try await engine.send(.midi([0x80, note, 64], node: "voices")) }
}

do {
  if arguments.count == 2 {
    let file = arguments[1]
    let summary = try await chain(
      Node(Voices.self, id: "voices").midi(file: arguments[0]), Sink.file(file)
    ).rendered(RenderRequest())
    print("\(file): \(summary.frames) frames")
  } else {
    let device = arguments.first ?? "default"
    let engine = try Engine(chain(Node(Voices.self, id: "voices"), Sink.device(device)))
    try await engine.start()
    while let line = readLine(), !line.isEmpty { try await play(line, engine) }
    let summary = try await engine.stop()
    print("played \(summary.frames) frames")
  }
} catch {
  print("Synth: \(error)")
  exit(1)
}
