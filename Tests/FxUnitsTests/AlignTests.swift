import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct AlignTests {
  private func align(
    channels: Int = 1, options: [String: OptionValue] = [:], time: Double = 0,
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Align.self), inputWidths: [channels], options: options,
      parameters: ["time": time], motions: motions)
  }

  @Test(arguments: [0, 1, 479, 480, 12345])
  func `a delay of whole frames leaves the samples unchanged`(
    frames: Int
  ) throws {
    let input = [Signal.noise(2000, seed: 1), Signal.noise(2000, seed: 2)]
    let padded = input.map { $0 + Signal.silence(frames) }
    let wanted = input.map { Signal.silence(frames) + $0 }
    let byTime = try align(channels: 2, time: Double(frames) / 48000)
    #expect(byTime.render(padded, blocks: [300]) == wanted)
    #expect(byTime.instance.tail == .frames(frames))
    #expect(byTime.instance.latency == 0)
    let byFrames = try align(channels: 2, options: ["frames": .number(Double(frames))])
    #expect(byFrames.render(padded, blocks: [1000]) == wanted)
  }

  @Test func `a distance delays by the travel time of sound in air`() throws {
    let unit = try align(options: ["distance": .number(3.43)], time: 0.001)
    let output = unit.render([Signal.impulse(1000)])[0]
    #expect(output.firstIndex { $0 != 0 } == 480 + 48)
  }

  @Test func `a new time is reached by a crossfade`() throws {
    let unit = try align(motions: ["time": .line(from: 0.01, to: 0.02, frames: 1000..<1001)])
    let output = unit.render([Signal.tone(100, 6000)], blocks: [128])[0]
    #expect(Measured.largestStep(Array(output[500...])) < 0.02)
    let wanted = Signal.tone(100, 6000)
    #expect(output[3000] == wanted[2040])
  }

  @Test func `the output does not depend on block sizes`() throws {
    let unit = try align(
      channels: 3, motions: ["time": .line(from: 0.02, to: 0.001, frames: 100..<2500)])
    let input = (0..<3).map { Signal.noise(4000, seed: UInt64($0)) }
    let whole = unit.render(input, blocks: [4000])
    for blocks in [[1], [7], [5, 64, 1, 200, 16], [333]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
