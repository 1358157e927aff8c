import FxKit
import FxTesting
import Testing

/// What the voice chain promises, and what it sounds like.
@Suite struct VoiceTests {
  private let chain: Chain

  init() throws { chain = try Chain("../../Chains/voice.json") }

  @Test func `the voice chain sounds as before`() throws {
    let rendering = try chain.rendering(.programme, seconds: 0.5, channels: 1)
    expect(rendering, matches: .golden("voice"))
  }

  @Test func `a quiet talker sounds as before`() throws {
    let rendering = try chain.rendering(
      .programme(level: -30), seconds: 0.5, channels: 1, set: ["comp.threshold": "-36 dB"])
    #expect(rendering ≈ .golden("quiet-talker"))
  }

  @Test func `the sound does not depend on the block size`() throws {
    expect(
      try chain.rendering(.noise, seconds: 0.1, blockSize: 37),
      matches: try chain.rendering(.noise, seconds: 0.1, blockSize: 1024))
  }

  @Test func `nothing is louder than the ceiling`() throws {
    let rendering = try chain.rendering(.programme(level: 0), seconds: 0.5, channels: 1)
    #expect(rendering.level.peak <= -1)
    #expect(abs(rendering.level.dc) < 0.001)
  }

  @Test func `rumble is taken off and presence put on`() throws {
    // So quiet that the compressor leaves it alone.
    let response = try chain.rendering(.impulse(level: -60), seconds: 0.2, channels: 1).response()
    #expect(response.decibels(at: 20) < -20)
    #expect(response.decibels(at: 1000) ≈ (0 ± 0.5))
    #expect(response.decibels(at: 15000) ≈ (3 ± 0.5))
  }
}
