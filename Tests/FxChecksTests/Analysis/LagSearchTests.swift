import FxAudio
@testable import FxChecks
import FxUnits
import Testing

@Suite struct LagSearchTests {
  /// Noise of 20 s at a rate of 1 kHz, no louder at any place.
  private let sound = TestSignal(.noise).sound(sampleRate: 1000, channels: 1, frameCount: 20000)

  @Test(arguments: [0, 5, 700, -700, 1000, -1000])
  func `a stretch of a long sound gives the lag, up to a second in either direction`(_ lag: Int) {
    let first = 3000
    let expected = Sound(channels: [Array(sound.channels[0][first..<18000])], sampleRate: 1000)
    let actual = Sound(
      channels: [Array(sound.channels[0][first - lag..<18000 - lag])], sampleRate: 1000)
    let search = LagSearch(expected: expected, actual: actual, wholeFrameCount: 4096)
    #expect(search.correlationPeaks.first == lag)
    #expect(search.certainLag?.lag == lag)
  }

  @Test func `a short sound is searched as a whole, for any lag`() {
    let expected = Sound(channels: [Array(sound.channels[0][0..<3000])], sampleRate: 1000)
    let actual = Sound(channels: [Array(sound.channels[0][2500..<5500])], sampleRate: 1000)
    let search = LagSearch(expected: expected, actual: actual)
    #expect(search.correlationPeaks.first == -2500)
  }

  @Test func `a lag at which the loudest frames differ is not tried`() {
    let later = ComparisonTests.delayed(sound, by: 100)
    let search = LagSearch(expected: sound, actual: later)
    #expect(search.isLikely(100))
    #expect(!search.isLikely(99))
    // Where the sounds hardly overlap, every lag is likely.
    #expect(search.isLikely(-19999))
  }
}
