import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct DeEsserTests {
  private func deEsser(
    channels: Int = 1, mode: String = "split", parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    let settings = ["threshold": -30.0, "ratio": 100, "range": 24]
    return try UnitRenderer(
      UnitType(DeEsser.self), inputWidths: [channels], options: ["mode": .text(mode)],
      parameters: settings.merging(parameters) { $1 }, motions: motions)
  }

  private func sum(_ first: [Float], _ second: [Float]) -> [Float] {
    zip(first, second).map { $0 + $1 }
  }

  private func level(_ signal: [Float], at hertz: Double) -> Double {
    let (magnitude, _, _) = Measured.spectrum(signal, at: hertz)
    return Math.decibels(amplitude: 2 * magnitude / Double(signal.count))
  }

  @Test(arguments: ["split", "wide"])
  func `a signal under the threshold passes bit for bit`(_ mode: String) throws {
    let quiet = (0..<2).map { Signal.noise(4000, seed: UInt64($0), amplitude: 0.01) }
    #expect(try deEsser(channels: 2, mode: mode).render(quiet) == quiet)
  }

  @Test func `loud bass does not count as sibilance`() throws {
    let bass = Signal.tone(200, decibels: -3, 9600)
    #expect(try deEsser().render([bass])[0].suffix(4800) == bass.suffix(4800))
  }

  @Test func `sibilance is reduced to the threshold, and the voice beside it stays`() throws {
    let input = sum(Signal.tone(7900, decibels: -18, 48000), Signal.tone(500, decibels: -18, 48000))
    let unit = try deEsser()
    let output = Array(unit.render([input])[0][24000...])
    #expect(abs(level(output, at: 7900) + 30) < 0.5)
    #expect(abs(level(output, at: 500) + 18) < 0.1)
    #expect(abs(unit.instance.readings[0] - 12) < 0.2)
  }

  @Test func `wide mode reduces the whole signal equally`() throws {
    let input = sum(Signal.tone(7900, decibels: -18, 48000), Signal.tone(500, decibels: -18, 48000))
    let output = Array(try deEsser(mode: "wide").render([input])[0][24000...])
    #expect(abs(level(output, at: 7900) + 30) < 0.2)
    #expect(abs(level(output, at: 500) + 30) < 0.2)
  }

  @Test func `the ratio and the range limit the reduction`() throws {
    let input = Signal.tone(9900, decibels: -10, 24000)
    func output(_ parameters: [String: Double]) throws -> Double {
      level(
        Array(try deEsser(mode: "wide", parameters: parameters).render([input])[0][12000...]),
        at: 9900)
    }
    #expect(abs(try output(["ratio": 2]) + 20) < 0.2)
    #expect(abs(try output(["range": 6]) + 16) < 0.2)
  }

  @Test func `listening plays the detector's signal`() throws {
    let input = sum(Signal.tone(7900, decibels: -18, 24000), Signal.tone(500, decibels: -18, 24000))
    let output = Array(try deEsser(parameters: ["listen": 1]).render([input])[0][12000...])
    #expect(abs(level(output, at: 7900) + 18) < 0.2)
    #expect(level(output, at: 500) < -80)
  }

  @Test func `a reduction starts and ends without a click`() throws {
    let burst = (0..<38400).map { frame in (frame / 4800) == 1 ? Float(1) : 0 }
    let hiss = zip(Signal.tone(8900, decibels: -12, 38400), burst).map { $0 * $1 }
    let bass = Signal.tone(100, decibels: -6, 38400)
    let unit = try deEsser()
    let output = unit.render([sum(hiss, bass)])[0]
    #expect(Measured.difference(Array(output[33600...]), Array(bass[33600...])) < -80)
    let isFinite = output.allSatisfy(\.isFinite)
    #expect(isFinite)
  }

  @Test(arguments: ["split", "wide"], [false, true])
  func `the output does not depend on block sizes`(_ mode: String, isModulated: Bool) throws {
    let unit = try deEsser(
      channels: 3, mode: mode,
      motions: [
        "frequency": .line(from: 2000, to: 9000, frames: 100..<333, isModulated: isModulated),
        "threshold": .line(from: -40, to: -20, frames: 30..<500),
        "listen": .line(from: 0, to: 1, frames: 400..<480),
      ])
    let input = (0..<3).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
