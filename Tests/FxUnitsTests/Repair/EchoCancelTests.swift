import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `An echo canceller` {
  private static let rate = 16000.0

  private func renderer(
    _ options: [String: OptionValue] = [:], parameters: [String: Double] = [:]
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "echoCancel" })
    return try UnitRenderer(
      type, inputWidths: [1, 1], options: options, parameters: parameters, sampleRate: Self.rate)
  }

  /// Noise in words of a third of a second.
  private func words(_ count: Int, seed: UInt64, amplitude: Float = 0.2) -> [Float] {
    Signal.noise(count, seed: seed, amplitude: amplitude).enumerated().map { frame, sample in
      let turn = 2 * Double.pi * Double(frame) / (Self.rate / 3)
      return sample * Float(0.5 - 0.5 * cos(turn))
    }
  }

  /// A room: the direct sound `delay` frames late, and 60 ms of decaying reflections.
  private func echo(of sound: [Float], delay: Int) -> [Float] {
    let way = Signal.noise(960, seed: 9, amplitude: 0.12).enumerated().map { frame, sample in
      frame == 0 ? 0.4 : sample * Float(exp(-Double(frame) / 200))
    }
    return sound.indices.map { frame in
      var sum: Float = 0
      for (index, tap) in way.enumerated() where frame - delay - index >= 0 {
        sum += tap * sound[frame - delay - index]
      }
      return sum
    }
  }

  private func power(_ sound: some Collection<Float>) -> Double {
    10 * log10(sound.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(sound.count))
  }

  @Test func `takes an echo out by 25 dB and more`() throws {
    let played = words(64000, seed: 1)
    let recorded = echo(of: played, delay: 80)
    let output = try renderer().render([recorded, played])[0]
    let loss = power(recorded.suffix(16000)) - power(output.suffix(16000))
    #expect(loss >= 25, "\(loss) dB")
  }

  @Test func `delays the reference by the rest of the round trip`() throws {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "echoCancel" })
    let traits = try #require(type.traits)
    var preparation = Preparation(
      sampleRate: Self.rate, maximumFrameCount: 64, inputWidths: [1, 1], outputWidths: [1],
      isLive: true)
    #expect(traits(preparation).recall == 0)
    #expect(traits(preparation).latency == 320)
    // The reference arrives 2 ms before its earliest echo.
    preparation.roundTrip = 960
    #expect(traits(preparation).recall == 960 - 32)
    #expect(traits(preparation).latency == 320)
    // If it has already waited for the whole round trip, the microphone is delayed by the 2 ms.
    preparation.waitedRoundTrip = 960
    #expect(traits(preparation).recall == 32)
    #expect(traits(preparation).latency == 320 + 32)
    // A signal that leaves the chain late comes back equally late, without a change of the latency.
    preparation.playedLatency = 352
    #expect(traits(preparation).recall == 352)
    #expect(traits(preparation).latency == 320 + 32)
    _ = try type.make(preparation)
  }

  @Test func `keeps speech at the microphone while there is no echo`() throws {
    let spoken = words(48000, seed: 5)
    let output = try renderer().render([spoken, Signal.silence(48000)])[0]
    let latency = try renderer().instance.latency
    #expect(latency == 320)
    let change = power(output.suffix(16000)) - power(spoken.suffix(16000))
    #expect(abs(change) < 1, "\(change) dB")
  }

  @Test func `holds the reference back by its delay`() throws {
    // The echo is later than the tail, so only a delayed reference matches it.
    let played = words(64000, seed: 1)
    let recorded = echo(of: played, delay: 4000)
    func loss(_ delay: Double) throws -> Double {
      let output = try renderer(
        ["tail": .number(0.1), "delay": .number(delay)], parameters: ["suppression": 0]
      ).render([recorded, played])[0]
      return power(recorded.suffix(16000)) - power(output.suffix(16000))
    }
    #expect(try loss(0.24) > 12)
    #expect(try loss(0) < 6)
  }
}
