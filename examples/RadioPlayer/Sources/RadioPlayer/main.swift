// RadioPlayer ADDRESS [DEVICE]: plays a web station, with a limiter for its jingles.
import FxKit
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard let address = arguments.first else {
  print("usage: RadioPlayer ADDRESS [DEVICE]")
  exit(64)
}

let chain = Chain {
  // Three seconds are there before it plays, and again after a gap.
  Source.url(address, buffer: .seconds(3))
  Limiter(ceiling: .decibels(-1))
  Sink.device(arguments.dropFirst().first ?? "default")
}

do {
  let engine = try Engine(chain)
  let events = engine.events
  try await engine.start()
  print("playing \(address)")
  for await event in events {
    switch event {
    case .device(let notice): print(notice)
    case .remark(let remark): print(remark)
    case .dropped(let count): print("\(count) events were missed")
    default: break
    }
  }
  let summary = try await engine.finish()
  print("played \(summary.frames) frames, \(summary.live?.xruns ?? 0) xruns")
} catch {
  print("RadioPlayer: \(error)")
  exit(1)
}
