@testable import FxChecks
import FxUnits
import Testing

/// The delay between two sounds.
@Suite struct DelayEstimateTests {
  private static let noise = TestSignal(.noise).sound(
    sampleRate: 48000, channels: 1, frameCount: 4000
  ).channels[0]

  private static func delayed(_ samples: [Float], by frames: Int, gain: Float = 1) -> [Float] {
    let line = [Float](repeating: 0, count: frames) + samples
    return line.prefix(samples.count).map { $0 * gain }
  }

  @Test(arguments: [0, 1, 40, 777])
  func `a delay is found to the frame`(_ frames: Int) throws {
    let later = Self.delayed(Self.noise, by: frames, gain: -0.3)
    let estimate = try #require(DelayEstimate(of: later, behind: Self.noise))
    #expect(estimate.frames == frames)
    #expect(estimate.clarity > 0.6)
  }

  @Test func `an earlier sound has a negative delay`() throws {
    let later = Self.delayed(Self.noise, by: 25)
    #expect(try #require(DelayEstimate(of: Self.noise, behind: later)).frames == -25)
  }

  @Test func `sounds that have nothing in common have no clear delay`() throws {
    var other = TestSignal(.noise)
    other.seed = 2
    let sound = other.sound(sampleRate: 48000, channels: 1, frameCount: 4000).channels[0]
    #expect(try #require(DelayEstimate(of: sound, behind: Self.noise)).clarity < 0.2)
  }

  @Test func `silence has no delay`() {
    #expect(DelayEstimate(of: [Float](repeating: 0, count: 4000), behind: Self.noise) == nil)
    #expect(DelayEstimate(of: [], behind: []) == nil)
  }
}
