import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

/// Modulators compared with closed forms.
@Suite struct LFOTests {
  private func lfo(
    _ shape: String, _ parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:], tempo: TempoMap = TempoMap(tempo: 120),
    startFrame: Int = 0, node: String = "lfo", seed: UInt64 = 0
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(LFO.self), inputWidths: [], options: ["shape": .text(shape)],
      parameters: parameters, motions: motions, startFrame: startFrame, tempo: tempo, node: node,
      seed: seed)
  }

  private func render(_ renderer: UnitRenderer, _ count: Int) -> [Float] {
    renderer.render([Signal.silence(count)])[0]
  }

  /// The shapes by their textbook forms, with a share of rise for sine and triangle.
  private func expected(_ shape: String, _ phase: Double, _ width: Double) -> Double {
    let share = phase - Glibc.floor(phase)
    switch shape {
    case "sine": return Glibc.sin(2 * .pi * share)
    case "triangle": return 2 / .pi * Glibc.asin(Glibc.sin(2 * .pi * share))
    case "saw": return 2 * share - 1
    default: return share < width ? 1 : -1
    }
  }

  @Test(arguments: ["sine", "triangle", "saw", "square"])
  func `a waveform is its closed form`(_ shape: String) throws {
    let width = shape == "square" ? 0.3 : 0.5
    let output = try render(
      lfo(shape, ["rate": 7.3, "phase": 0.1, "width": width]), 96000)
    // A parameter arrives in single precision.
    let (phase, share) = (Double(Float(0.1)), Double(Float(width)))
    for frame in stride(from: 0, to: 96000, by: 37) {
      let periods = Double(frame) * 7.3 / 48000 + phase
      let place = periods - Glibc.floor(periods)
      // Not where it jumps.
      if shape == "square", abs(place - share) < 1e-9 || place < 1e-9 { continue }
      let wanted = expected(shape, periods, share)
      #expect(abs(Double(output[frame]) - wanted) < 1e-6, "\(shape) at \(frame)")
    }
  }

  @Test func `width is the share of a period that a triangle rises`() throws {
    for width in [0.0, 0.2, 0.75, 1] {
      let output = try render(lfo("triangle", ["rate": 10, "width": width]), 48000)
      let rising = zip(output, output.dropFirst()).count { $1 > $0 }
      #expect(abs(Double(rising) / 47999 - width) < 0.003, "\(width)")
      #expect(output.allSatisfy { $0 >= -1 && $0 <= 1 })
    }
  }

  @Test func `a rate is exact within a billionth over ten minutes`() throws {
    // 0.3 Hz and 1/3 Hz have no exact form in single precision.
    for rate in [0.3, 1.0 / 3, 11.7] {
      let frame = 48000 * 600
      let output = try render(lfo("saw", ["rate": rate], startFrame: frame), 64)
      let periods = rate * 600
      let share = periods - Glibc.floor(periods + 1e-9)
      let difference = abs((Double(output[0]) + 1) / 2 - share)
      #expect(min(difference, 1 - difference) / periods < 1e-9, "\(rate): \(difference)")
    }
  }

  @Test func `a render that begins later has the same phase`() throws {
    let whole = try render(lfo("sine", ["rate": 1.7]), 5000)
    let late = try render(lfo("sine", ["rate": 1.7], startFrame: 3001), 1999)
    #expect(whole[3001...].elementsEqual(late))
  }

  @Test func `a changing rate is summed frame by frame`() throws {
    let motion = UnitRenderer.Motion.line(from: 2, to: 20, frames: 1000..<9000)
    let output = try render(lfo("saw", ["rate": 2], motions: ["rate": motion]), 12000)
    var periods = 0.0
    for frame in 0..<12000 {
      let share = periods - Glibc.floor(periods)
      let difference = abs((Double(output[frame]) + 1) / 2 - share)
      #expect(min(difference, 1 - difference) < 1e-5, "at \(frame)")
      let next = min(max(Double(frame - 1000) / 8000, 0), 1)
      periods += Double(Float(2 + 18 * next)) / 48000
    }
  }

  @Test func `a period in beats follows a tempo map exactly`() throws {
    var problem = 0
    let map = try #require(
      TempoMap.make(
        [
          TempoMap.Point(.seconds(0), tempo: 120), TempoMap.Point(.seconds(0.5), tempo: 90),
          TempoMap.Point(.seconds(1.5), tempo: 180, isGradual: true),
        ], problem: &problem))
    let output = try render(lfo("saw", ["rate": 9, "period": 0.25], tempo: map), 96000)
    for frame in stride(from: 1, to: 96000, by: 11) {
      let seconds = Double(frame) / 48000
      // 120 for half a second, then evenly from 90 to 180 within a second.
      let beats =
        seconds < 0.5
        ? seconds * 2
        : seconds < 1.5
          ? 1 + (seconds - 0.5) * 1.5 + (seconds - 0.5) * (seconds - 0.5) * 0.75
          : 3.25 + (seconds - 1.5) * 3
      let share = beats * 4 - Glibc.floor(beats * 4)
      let difference = abs((Double(output[frame]) + 1) / 2 - share)
      #expect(min(difference, 1 - difference) < 1e-6, "at \(frame)")
    }
  }

  @Test func `a random shape has one value a period, and depends on seed and node`() throws {
    let parameters = ["rate": 10.0]
    let held = try render(lfo("sampleAndHold", parameters), 48000)
    #expect(Set(held.map(\.bitPattern)).count == 10)
    #expect(held[4799] == held[0] && held[4800] != held[0])
    #expect(try render(lfo("sampleAndHold", parameters), 48000) == held)
    #expect(try render(lfo("sampleAndHold", parameters, node: "other"), 48000) != held)
    #expect(try render(lfo("sampleAndHold", parameters, seed: 1), 48000) != held)
    let smooth = try render(lfo("smoothRandom", parameters), 48000)
    // No step is larger than the steepest part of the way from -1 to 1.
    let steps = zip(smooth, smooth.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 2 * 1.875 / 4800 * 1.01)
    #expect(smooth[4800] == held[0])
  }
}
