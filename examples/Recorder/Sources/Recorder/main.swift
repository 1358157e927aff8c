// Recorder FILE [DEVICE [SECONDS]]: records, and shows the level; the file's extension chooses its format.
import FxKit
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
guard let file = arguments.first else {
  print("usage: Recorder FILE [DEVICE [SECONDS]]")
  exit(64)
}
let seconds = arguments.count > 2 ? Double(arguments[2]) : nil
if arguments.count > 2, seconds == nil {
  print("Recorder: '\(arguments[2])' is no number of seconds")
  exit(64)
}

let chain = Chain {
  Source.device(arguments.count > 1 ? arguments[1] : "default", id: "microphone")
  HighPass(frequency: .hertz(20))
  Sink.file(file, id: "out")
}

do {
  let engine = try Engine(chain)
  try await engine.start()
  let end = ContinuousClock.now + .seconds(seconds ?? 3600)
  for await level in engine.levels(of: "microphone", every: .milliseconds(100)) {
    // Silence is -inf dB.
    let width = Int(max(0, min(60, level.peak + 60)))
    print(String(repeating: "#", count: width))
    if ContinuousClock.now >= end { break }
  }
  // The file is complete when this returns.
  let summary = try await engine.stop()
  print("\(file): \(summary.frames) frames, peak \(summary.outputs[0].peak)")
} catch {
  print("Recorder: \(error)")
  exit(1)
}
