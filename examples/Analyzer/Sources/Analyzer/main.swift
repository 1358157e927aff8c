// Analyzer < SOUND: says what a sound is as its bytes arrive, and where it lacks some.
import FxKit
import Glibc

/// What the events have said so far.
struct Findings {
  var packets = 0
  var frames = 0
  var peak: Float = 0

  mutating func add(_ event: SoundParser.Event) {
    switch event {
    case .properties(let properties):
      print("\(properties.codec ?? "?"), \(properties.channelCount ?? 0) channels")
    case .packet: packets += 1
    case .audio(_, let channels):
      frames += channels[0].count
      for channel in channels { peak = max(peak, channel.map(abs).max() ?? 0) }
    case .discontinuity(let offset): print("bytes are missing at \(offset)")
    default: break
    }
  }
}

func analyze() throws -> Findings {
  let parser = SoundParser(name: "standard input")
  var findings = Findings()
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { break }
    try parser.parse(Array(buffer[..<count])) { findings.add($0) }
  }
  try parser.finish { findings.add($0) }
  return findings
}

do {
  let findings = try analyze()
  print("\(findings.packets) packets, \(findings.frames) frames, peak \(findings.peak)")
} catch {
  print("Analyzer: \(error)")
  exit(1)
}
