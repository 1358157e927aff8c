import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

@Suite struct `Tape and record` {
  private static let silent: [String: Double] = ["wow": 0, "flutter": 0]

  private func tape(
    _ parameters: [String: Double], sampleRate: Double = 48000, node: String = "tape"
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Tape.self), inputWidths: [1], options: ["oversampling": .text("8x")],
      parameters: parameters, sampleRate: sampleRate, node: node)
  }

  private func record(
    _ parameters: [String: Double], speed: String = "33", width: Int = 1
  ) throws -> UnitRenderer {
    let clean = ["noise": -Double.infinity, "rumble": -.infinity, "clickLevel": -.infinity]
    return try UnitRenderer(
      UnitType(Vinyl.self), inputWidths: [width], options: ["speed": .text(speed)],
      parameters: clean.merging(Self.silent) { $1 }.merging(parameters) { $1 })
  }

  private static func tone(_ count: Int, _ amplitude: Double) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * 1000 * Double($0) / 48000)) }
  }

  private func rms(_ sound: some Collection<Float>) -> Double {
    let sum = sound.reduce(0) { $0 + Double($1) * Double($1) }
    return 10 * log10(max(sum / Double(sound.count), 1e-30))
  }

  /// Cycles from one upward crossing of zero to the last, by their times between frames.
  private func crossings(_ sound: [Float]) -> [Double] {
    (1..<sound.count).compactMap { frame in
      let (before, now) = (Double(sound[frame - 1]), Double(sound[frame]))
      return before < 0 && now >= 0 ? Double(frame) - now / (now - before) : nil
    }
  }

  @Test func `a tape delays a quiet tone by its declared latency`() throws {
    let tone = Self.tone(9600, 0.01)
    let renderer = try tape(
      Self.silent.merging(["drive": 0, "hiss": -Double.infinity, "treble": 20000, "level": 0]) {
        $1
      })
    let output = renderer.render([tone])[0]
    let latency = renderer.instance.latency
    #expect(latency > 100)
    // The last filter changes the phase only a little.
    let level = rms(output[4800...]) - rms(tone[4800...])
    #expect(abs(level) < 0.1)
    let late = zip(crossings(Array(output[4800...])), crossings(Array(tone[4800...])))
      .map { $0 - $1 }
    let cycle = 48.0
    let off = (late[3] - Double(latency)).truncatingRemainder(dividingBy: cycle)
    #expect(min(abs(off), cycle - abs(off)) < 1)
  }

  @Test func `hiss has its level and differs between nodes`() throws {
    let values = Self.silent.merging(["hiss": -40, "treble": 20000, "level": 0]) { $1 }
    let first = try tape(values, sampleRate: 192000).render([Signal.silence(40000)])[0]
    // The treble filter ends at 20 of 96 kHz.
    let share = 10 * log10(20000 * 1.11 / 96000)
    #expect(abs(rms(first) - (-40 + share)) < 0.5)
    let again = try tape(values, sampleRate: 192000).render(
      [Signal.silence(40000)], blocks: [7, 1000])[0]
    #expect(again == first)
    let other = try tape(values, sampleRate: 192000, node: "other").render(
      [Signal.silence(40000)])[0]
    #expect(other != first)
  }

  @Test(arguments: [("33", 100.0 / 180), ("45", 0.75), ("78", 1.3)])
  func `a record's speed varies once a turn, by the amount of wow`(_ speed: String, _ rate: Double)
    throws
  {
    let count = Int(2 / rate * 48000)
    let tone = Self.tone(count, 0.5)
    let output = try record(["wow": 0.01, "treble": 20000], speed: speed).render([tone])[0]
    let times = crossings(Array(output[9600...]))
    let speeds = zip(times, times.dropFirst(10)).map { 480 / ($1 - $0) - 1 }
    #expect(abs((speeds.max() ?? 0) - 0.01) < 2e-4)
    #expect(abs((speeds.min() ?? 0) + 0.01) < 2e-4)
  }

  @Test func `flutter stays below its amount`() throws {
    let tone = Self.tone(96000, 0.5)
    let output = try record(["flutter": 0.01, "treble": 20000]).render([tone])[0]
    let times = crossings(Array(output[9600...]))
    let speeds = zip(times, times.dropFirst(2)).map { abs(96 / ($1 - $0) - 1) }
    #expect((speeds.max() ?? 1) < 0.0103)
    #expect((speeds.max() ?? 0) > 0.003)
  }

  @Test func `clicks come at their rate, and none is louder than their level`() throws {
    let output = try record(["clicks": 20, "clickLevel": -6, "treble": 20000]).render(
      [Signal.silence(480_000)], blocks: [512])[0]
    let peak = output.map { abs($0) }.max() ?? 1
    #expect(peak < 0.55)
    #expect(peak > 0.2)
    // Loud ones: a height is the cube of an even distribution.
    var (loud, last) = (0, -1000)
    for (frame, sample) in output.enumerated() where abs(sample) > 0.05 && frame - last > 200 {
      loud += 1
      last = frame
    }
    let share = 1 - pow(0.1, 1.0 / 3)
    #expect(abs(Double(loud) - 200 * share) < 45)
  }

  @Test func `noise and rumble have their levels`() throws {
    let noise = try record(["noise": -40, "treble": 20000]).render([Signal.silence(96000)])[0]
    #expect(abs(rms(noise) + 40) < 0.7)
    let rumble = try record(["rumble": -40, "treble": 20000]).render([Signal.silence(240_000)])[0]
    #expect(abs(rms(rumble) + 40) < 1.5)
    #expect(abs(rumble.reduce(0, +) / 240_000) < 0.0005)
  }

  @Test func `a stereo record has each click on both sides, mostly louder on one`() throws {
    let output = try record(["clicks": 40, "clickLevel": -6], width: 2).render(
      [Signal.silence(96000), Signal.silence(96000)])
    #expect(output[0] != output[1])
    #expect(output.allSatisfy { $0.contains { abs($0) > 0.01 } })
  }
}
