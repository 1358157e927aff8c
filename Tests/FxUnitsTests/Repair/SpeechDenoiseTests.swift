import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `A speech denoiser` {
  private func renderer(_ reduction: Double) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "speechDenoise" })
    return try UnitRenderer(
      type, inputWidths: [1], parameters: ["reduction": reduction], sampleRate: 16000)
  }

  private func power(_ sound: some Collection<Float>) -> Double {
    10 * log10(sound.reduce(0) { $0 + Double($1) * Double($1) } / Double(sound.count))
  }

  @Test func `turns noise down by its reduction`() throws {
    let noise = Signal.noise(48000, seed: 3, amplitude: 0.05)
    let output = try renderer(20).render([noise])[0]
    let change = power(output.suffix(16000)) - power(noise)
    #expect(change < -14 && change > -24, "\(change) dB")
  }

  @Test func `has the latency that it declares`() throws {
    // A voice of pulses, which it lets through.
    let renderer = try renderer(0)
    let input = (0..<32000).map { frame -> Float in
      let turn = 2 * Double.pi * Double(frame) / 16000
      let breath = 0.5 - 0.5 * cos(3 * turn)
      return Float(0.2 * breath * (sin(140 * turn) + 0.5 * sin(280 * turn) + 0.3 * sin(700 * turn)))
    }
    let output = renderer.render([input])[0]
    let latency = renderer.instance.latency
    #expect(latency == 640)
    func likeness(_ lag: Int) -> Double {
      (8000..<24000).reduce(0.0) { $0 + Double(output[$1 + lag]) * Double(input[$1]) }
    }
    let best = (0..<1000).max { likeness($0) < likeness($1) }
    #expect(abs((best ?? 0) - latency) <= 1, "\(best ?? 0)")
  }
}
