import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Voice activity` {
  private static let rate = 16000.0

  /// A second of noise, a second of a voice of pulses over it, a second of noise.
  private var input: [Float] {
    let noise = Signal.noise(48000, seed: 3, amplitude: 0.003)
    return noise.enumerated().map { frame, sample in
      guard (16000..<32000).contains(frame) else { return sample }
      let time = Double(frame) / Self.rate
      let pitch = 120 + 10 * sin(2 * .pi * 3 * time)
      let breath = 0.6 - 0.4 * cos(2 * .pi * 4 * time)
      var voice = 0.0
      for partial in 1...20 {
        voice += sin(2 * .pi * pitch * Double(partial) * time) / Double(partial)
      }
      return sample + Float(0.1 * breath * voice)
    }
  }

  @Test func `is 1 while somebody speaks, holds, and is 0 in noise`() throws {
    let renderer = try UnitRenderer(
      UnitType(VoiceActivity.self), inputWidths: [1], parameters: ["hold": 0.2],
      sampleRate: Self.rate)
    let output = renderer.render([input])[0]
    func share(_ frames: Range<Int>) -> Float {
      output[frames].reduce(0, +) / Float(frames.count)
    }
    #expect(share(8000..<16000) < 0.1, "\(share(8000..<16000))")
    #expect(share(18000..<32000) > 0.9, "\(share(18000..<32000))")
    #expect(share(32000..<34000) > 0.9, "\(share(32000..<34000))")
    #expect(share(40000..<48000) < 0.1, "\(share(40000..<48000))")
  }
}
