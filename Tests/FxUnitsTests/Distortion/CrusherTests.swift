import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Bitcrusher and exciter` {
  private func crushed(
    _ input: [Float], _ parameters: [String: Double], dithers: Bool = false
  ) throws -> [Float] {
    let renderer = try UnitRenderer(
      UnitType(Bitcrusher.self), inputWidths: [1], options: ["dither": .flag(dithers)],
      parameters: parameters)
    return renderer.render([input])[0]
  }

  @Test func `three bits have steps of a quarter`() throws {
    let ramp = (0..<1000).map { Float($0) / 500 - 1 }
    let output = try crushed(ramp, ["bits": 3, "rate": 192000])
    #expect(Set(output) == Set(stride(from: -1, through: 1, by: 0.25).map { Float($0) }))
    #expect(zip(ramp, output).allSatisfy { abs($0 - $1) <= 0.1251 })
  }

  @Test func `a third of the rate holds each sample for three frames`() throws {
    let ramp = (0..<300).map { Float($0) / 512 }
    let output = try crushed(ramp, ["bits": 24, "rate": 16000])
    for frame in 0..<300 { #expect(abs(output[frame] - ramp[frame / 3 * 3]) < 1e-6) }
  }

  @Test func `with dither the mean of a quiet level survives`() throws {
    let output = try crushed(
      Signal.constant(0.1, 20000), ["bits": 2, "rate": 192000], dithers: true)
    #expect(abs(output.reduce(0, +) / 20000 - 0.1) < 0.01)
  }

  @Test func `an exciter adds harmonics and leaves the bass alone`() throws {
    func level(_ sound: [Float], _ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 4800..<9600 {
        let turn = 2 * .pi * frequency * Double(frame) / 48000
        real += Double(sound[frame]) * cos(turn)
        imaginary += Double(sound[frame]) * sin(turn)
      }
      return 10 * log10((real * real + imaginary * imaginary) / (1200 * 1200))
    }
    func excited(_ frequency: Double) throws -> [Float] {
      let renderer = try UnitRenderer(
        UnitType(Exciter.self), inputWidths: [1], parameters: ["amount": 0, "drive": 18])
      return renderer.render([
        (0..<9600).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48000)) }
      ])[0]
    }
    let treble = try excited(5000)
    #expect(level(treble, 10000) > -40 && level(treble, 15000) > -40)
    let bass = try excited(100)
    #expect(abs(level(bass, 100)) < 0.1 && level(bass, 300) < -50)
  }
}
