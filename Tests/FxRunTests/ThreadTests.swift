import Foundation
import FxTestSupport
import Testing

/// Renders by several threads.
@Suite struct ThreadTests {
  private let folder = Folder()

  /// A straight chain, strips beside it, a loop, a control signal, and a tail that ends in silence.
  private static let chain = """
    { "version": 1, "sampleRate": 48000,
      "nodes": {
        "in": { "source": { "signal": "noise", "channels": 2, "duration": "1.3 s" } },
        "hp": { "unit": "highPass", "parameters": { "frequency": "80 Hz" } },
        "comp": { "unit": "compressor", "lookahead": "5 ms", "wet": 0.7 },
        "verb": { "unit": "reverb", "wet": 0.3, "parameters": { "decay": "0.4 s" } },
        "wah": { "unit": "lfo", "parameters": { "rate": "3 Hz" } },
        "band": { "unit": "bandPass" },
        "echo": { "unit": "delay", "parameters": { "time": "50 ms" } },
        "mix": { "unit": "mixer" },
        "lim": { "unit": "limiter" },
        "level": { "unit": "meter" },
        "out": { "sink": "main" } },
      "connections": [
        "in -> hp -> comp -> verb -> mix -> lim -> level -> out", "in -> band -> echo -> mix",
        { "from": "wah", "to": "band.frequency", "depth": "1 oct" },
        { "from": "mix", "to": "echo", "gain": "-12 dB", "feedback": true, "delay": "90 ms" }
      ] }
    """

  @Test(arguments: [2, 7])
  func `a render has the same bytes, frames and readings as on one thread`(_ threads: Int) throws {
    try folder.write("chain.json", Self.chain)
    let plan = try folder.run("plan", "chain.json", "--json", "--threads", "\(threads)")
    #expect(try JSONValue(plan.output)["tasks"].elements.count > 4)
    func render(_ count: Int) throws -> (bytes: Data?, frames: Double?, readings: String) {
      let outcome = try folder.run(
        "chain.json", "-o", "out\(count).wav", "--json", "--threads", "\(count)")
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      let summary = try JSONValue(outcome.output)
      return (
        FileManager.default.contents(atPath: folder.file("out\(count).wav")),
        summary["frames"].number,
        "\(summary["readings"].elements.map { $0["value"].number ?? 0 })"
      )
    }
    let alone = try render(1)
    let shared = try render(threads)
    let isEqual = alone.bytes != nil && alone.bytes == shared.bytes
    #expect(isEqual)
    #expect(alone.frames == shared.frames)
    #expect(alone.readings == shared.readings)
  }

  @Test func `an impossible number of threads is refused`() throws {
    try folder.write("chain.json", Self.chain)
    for count in ["0", "65"] {
      let outcome = try folder.run("chain.json", "-o", "out.wav", "--threads", count)
      #expect(outcome.exitCode != 0)
      #expect(outcome.errorText.contains("--threads \(count) is "))
    }
  }
}
