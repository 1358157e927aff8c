// Voice INPUT OUTPUT: evens out a voice.
import FxKit
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
  print("usage: Voice INPUT OUTPUT")
  exit(64)
}

let chain = Chain {
  HighPass(frequency: .hertz(80))
  Compressor(threshold: .decibels(-20), ratio: 3)
  Limiter(ceiling: .decibels(-1))
}

do {
  let request = RenderRequest(input: arguments[0], output: arguments[1])
  let summary = try await chain.rendered(request)
  print("\(arguments[1]): \(summary.frames) frames, peak \(summary.outputs[0].peak)")
} catch {
  print("Voice: \(error)")
  exit(1)
}
