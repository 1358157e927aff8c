@testable import FxKit
import FxTestSupport
import Testing

/// The length of tails follows the parameter values at the end of the sound.
@Suite struct TailTests {
  private static let silence: Float = 3.162_277_7e-5

  private func impulse(_ seconds: Double, at last: Double) -> [[Float]] {
    var samples = [Float](repeating: 0, count: Int(seconds * 48000))
    samples[Int(last * 48000)] = 1
    return [samples]
  }

  private func rendered(_ json: String, seconds: Double = 1.2) throws -> [Float] {
    try ChainRenderer(Chain(json: json), channels: 1).renderWhole(
      impulse(seconds, at: seconds - 0.01))[0]
  }

  /// Renders through files, as the command line does.
  private func tailOfFile(_ json: String, seconds: Double = 1.2) throws -> Int {
    let folder = TemporaryFolder()
    let input = try folder.writeSound(
      "in.wav", impulse(seconds, at: seconds - 0.01)[0], rate: 48000)
    let output = folder.file("out.wav")
    let summary = try Chain(json: json).render(RenderRequest(input: input, output: output))
    return summary.tailFrames
  }

  private func automated(_ unit: String, _ line: String) -> String {
    #"{ "version": 1, "chain": [ { "id": "u", \#(unit) } ], "automation": [ \#(line) ] }"#
  }

  private static let room = #""unit": "reverb", "wet": 1, "parameters": { "decay": 0.5 }"#
  private static let growing =
    #"{ "parameter": "u.decay", "points": [[0, 0.5], [1, 10, "linear"]] }"#

  @Test func `a reverb whose decay has grown is rendered to its end`() throws {
    let output = try rendered(automated(Self.room, Self.growing))
    #expect(output.count >= Int(1.2 * 48000) + 15 * 48000)
    #expect(output.suffix(480).allSatisfy { abs($0) < Self.silence })
    #expect(output[3 * 48000..<4 * 48000].contains { abs($0) > 10 * Self.silence })
  }

  @Test func `a file of a reverb whose decay has grown is as long`() throws {
    #expect(try tailOfFile(automated(Self.room, Self.growing)) >= 15 * 48000)
  }

  @Test func `a decay that grows shortly after the sound lengthens the tail`() throws {
    let line = #"{ "parameter": "u.decay", "points": [[0, 0.5], [1.2, 0.5], [1.6, 10, "linear"]] }"#
    let output = try rendered(automated(Self.room, line))
    #expect(output.count > 4 * 48000)
    #expect(output.suffix(480).allSatisfy { abs($0) < Self.silence })
  }

  @Test func `a decay that grows after the tail is silent does not lengthen it`() throws {
    let line = #"{ "parameter": "u.decay", "points": [[0, 0.5], [20, 0.5], [21, 10, "linear"]] }"#
    #expect(try rendered(automated(Self.room, line)).count < 3 * 48000)
  }

  @Test func `a delay whose feedback has grown is rendered to its end`() throws {
    let unit = #""unit": "delay", "wet": 1, "parameters": { "time": "50 ms", "feedback": 0 }"#
    let line = #"{ "parameter": "u.feedback", "points": [[0, 0], [0.5, 0.9]] }"#
    let output = try rendered(automated(unit, line))
    #expect(output.count > Int((1.2 + 4) * 48000))
    #expect(output.suffix(480).allSatisfy { abs($0) < Self.silence })
  }

  @Test func `a delay whose time grows after the sound repeats it`() throws {
    let unit = #""unit": "delay", "wet": 1, "parameters": { "time": "50 ms", "feedback": 0 }"#
    let line = #"{ "parameter": "u.time", "points": [[0, 0.05], [2, 4]] }"#
    let output = try rendered(automated(unit, line))
    // The echo comes after 50 ms, and again four seconds after the impulse.
    let again = output[Int(4.5 * 48000)...].contains { abs($0) > 0.1 }
    #expect(again)
    #expect(output.suffix(480).allSatisfy { abs($0) < Self.silence })
  }

  @Test func `a value that is set while rendering lengthens the tail`() throws {
    let chain = Chain(json: automated(Self.room, ""))
    let renderer = try ChainRenderer(chain, channels: 1)
    let short = try ChainRenderer(chain, channels: 1).renderWhole(impulse(1, at: 0.9))[0].count
    try renderer.set("u.decay", to: 8)
    #expect(try renderer.renderWhole(impulse(1, at: 0.9))[0].count > short + 11 * 48000)
  }

  @Test func `a tail is never shorter than with the values at the start`() throws {
    let unit = #""unit": "reverb", "wet": 1, "parameters": { "decay": 4 }"#
    let line = #"{ "parameter": "u.decay", "points": [[0, 4], [0.5, 0.3]] }"#
    let still = try rendered(automated(unit, ""))
    #expect(try rendered(automated(unit, line)).count == still.count)
    #expect(still.count >= Int(1.2 * 48000) + Int(48000 * 6.02))
  }
}

/// The tail of a performance on ALSA's null device.
@Suite struct LiveTailTests {
  /// Tail lengths when live and in a file render, and the length of the file written while live.
  private func tails(_ rest: String) throws -> (live: Int, file: Int, written: Int) {
    let folder = TemporaryFolder()
    var samples = [Float](repeating: 0, count: 12000)
    samples[11_990] = 1
    let input = try folder.writeSound("in.wav", samples, rate: 48000)
    func chain(_ sinks: String) -> Chain {
      Chain(json: #"{ "version": 1, "nodes": { "in": { "source": "main" }, \#(sinks), \#(rest) }"#)
    }
    let beside = folder.file("beside.wav")
    let played = try chain(
      """
      "dev": { "sink": { "alsa": "null" } }, "rec": { "sink": { "file": "\(beside)" } }
      """
    ).play(RenderRequest(inputs: ["main": input]), control: LiveControl())
    let rendered = try chain(
      """
      "dev": { "sink": { "file": "\(folder.file("out.wav"))" } },
      "rec": { "sink": { "file": "\(folder.file("other.wav"))" } }
      """
    ).render(RenderRequest(inputs: ["main": input]))
    let written = try #require(try SoundInfo(path: beside).properties.frameCount?.count)
    return (played.tailFrames, rendered.tailFrames, written)
  }

  private static let echoes = #""d": { "unit": "delay", "parameters": { "time": "5 ms" } }"#

  @Test func `a tail that automation lengthens is complete`() throws {
    let (live, file, written) = try tails(
      Self.echoes
        + #"""
         }, "connections": ["in -> d -> dev", "d -> rec"],
        "automation": [ { "parameter": "d.feedback", "points": [[0, 0.1], [0.1, 0.9]] } ]
        """#)
    #expect(file > 12000)
    #expect(live == file)
    #expect(written == 12000 + file)
  }

  @Test func `a modulated tail has the same length whenever it is read`() throws {
    let (live, file, written) = try tails(
      Self.echoes
        + #"""
        , "l": { "unit": "lfo", "parameters": { "rate": 0.1 } },
        "f": { "unit": "lowPass", "parameters": { "frequency": "1 kHz" } } },
        "connections": ["in -> d -> f -> dev", "f -> rec", { "from": "l", "to": "f.frequency" }]
        """#)
    #expect(live == file)
    #expect(written == 12000 + file)
  }
}
