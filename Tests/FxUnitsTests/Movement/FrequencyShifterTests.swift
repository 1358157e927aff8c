import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Frequency shifter, rotary and auto-wah` {
  /// The power of a frequency in the second half of a second.
  private func power(_ sound: [Float], _ frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for frame in 24000..<48000 {
      let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / 24000)
      let turn = 2 * .pi * frequency * Double(frame) / 48000
      real += window * Double(sound[frame]) * cos(turn)
      imaginary += window * Double(sound[frame]) * sin(turn)
    }
    return real * real + imaginary * imaginary
  }

  private func tone(_ frequency: Double) -> [Float] {
    (0..<48000).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48000)) }
  }

  @Test(arguments: [(1000.0, 100.0), (60, 40), (15000, -3000), (400, -150)])
  func `a tone is shifted, and what remains of it is 80 dB down`(
    _ frequency: Double, _ shift: Double
  ) throws {
    let renderer = try UnitRenderer(
      UnitType(FrequencyShifter.self), inputWidths: [1], parameters: ["shift": shift])
    let output = renderer.render([tone(frequency)])[0]
    let wanted = power(output, frequency + shift)
    #expect(abs(10 * log10(wanted / power(tone(frequency), frequency))) < 0.01)
    #expect(10 * log10(power(output, frequency) / wanted) < -80)
    #expect(10 * log10(power(output, abs(frequency - shift)) / wanted) < -80)
  }

  @Test func `an option shifts every second channel in the other direction`() throws {
    let renderer = try UnitRenderer(
      UnitType(FrequencyShifter.self), inputWidths: [2], options: ["apart": .flag(true)],
      parameters: ["shift": 50])
    let output = renderer.render([tone(1000), tone(1000)])
    #expect(power(output[0], 1050) > 1e6 * power(output[0], 950))
    #expect(power(output[1], 950) > 1e6 * power(output[1], 1050))
  }

  @Test func `a rotary's horn turns at its rate and shifts the pitch by its speed`() throws {
    let renderer = try UnitRenderer(
      UnitType(Rotary.self), inputWidths: [1],
      parameters: ["fast": 1, "fastRate": 6, "distance": 3])
    let output = renderer.render([tone(3000)])[0]
    // The level sways once a turn: sidebands at six hertz.
    #expect(power(output, 3006) > 30 * power(output, 3003))
    let far = 2 * Double.pi * 6 * 0.18 / 343 * 3000
    #expect(power(output, 3000 + 3 * far) < 0.01 * power(output, 3006))
  }

  @Test func `an auto-wah opens with the level`() throws {
    func brightness(_ level: Double) throws -> Double {
      let renderer = try UnitRenderer(
        UnitType(AutoWah.self), inputWidths: [1],
        parameters: ["frequency": 300, "range": 3, "threshold": -6, "attack": 0.001])
      let input = Signal.noise(48000, seed: 2, amplitude: Float(level))
      let output = renderer.render([input])[0]
      let high = stride(from: 1500.0, to: 3000, by: 20).reduce(0) { $0 + power(output, $1) }
      let low = stride(from: 200.0, to: 500, by: 20).reduce(0) { $0 + power(output, $1) }
      return 10 * log10(high / low)
    }
    #expect(try brightness(0.9) > brightness(0.01) + 15)
  }
}
