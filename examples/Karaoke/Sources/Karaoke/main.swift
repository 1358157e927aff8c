// Karaoke SONG [DEVICE]: takes the voice out of a song and adds the one at the microphone. Lines of the
// keyboard: + and - move the key by a semitone, v brings the original voice back, q ends.
import FxKit
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard let song = arguments.first else {
  print("usage: Karaoke SONG [DEVICE]")
  exit(64)
}
let device = arguments.dropFirst().first ?? "default"

var graph = ChainGraph()
let music = graph.add(Input())
// Left minus right: what both sides have in common is gone, mostly the voice.
let sides = graph.add(
  Matrix(
    id: "sides", channels: 2,
    routes: [
      .init(from: 1, to: 1), .init(from: 2, to: 1, invert: true),
      .init(from: 1, to: 2), .init(from: 2, to: 2, invert: true),
    ]))
let key = graph.add(Pitch(id: "key", shift: 0))
let microphone = graph.add(Source.device(device, id: "microphone", channels: 1))
let voice = graph.add(HighPass(id: "voice", frequency: .hertz(120)))
let evened = graph.add(Compressor(id: "evened", threshold: .decibels(-20), ratio: 3))
let room = graph.add(Reverb(id: "room", decay: .seconds(1.2), wet: .percent(25)))
let mix = graph.add(Mixer(id: "mix"))
let limiter = graph.add(Limiter(id: "limiter", ceiling: .decibels(-1)))
let output = graph.add(Sink.device(device, id: "out"))

graph.connect(music, to: sides)
graph.connect(sides, to: key)
graph.connect(key, to: mix.strip("key"))
graph.connect(microphone, to: voice)
graph.connect(voice, to: evened)
graph.connect(evened, to: room)
graph.connect(room, to: mix.strip("room"))
graph.connect(mix, to: limiter)
graph.connect(limiter, to: output)

/// Carries out the lines of the keyboard.
func follow(_ engine: Engine) async throws {
  var semitones = 0.0
  var isWhole = false
  while let line = readLine() {
    switch line {
    case "+", "-":
      semitones = max(-12, min(12, semitones + (line == "+" ? 1 : -1)))
      try await engine["key.shift"].set(.number(semitones))
    case "v":
      isWhole.toggle()
      try await engine.send(.bypass(node: "sides", on: isWhole))
    case "q": return
    default: print("+ or - moves the key, v brings the voice back, q ends")
    }
  }
}

do {
  let engine = try Engine(Chain(graph), input: .file(song), output: .device(device))
  try await engine.start()
  try await follow(engine)
  let summary = try await engine.stop()
  print("sang over \(summary.frames) frames")
} catch {
  print("Karaoke: \(error)")
  exit(1)
}
