@testable import FxChecks
import Testing

@Suite struct SoundTests {
  @Test func `a sound is as loud as its highest sample, whatever its sign`() {
    let sound = Sound(channels: [[0, 0.25], [-0.5, 0.1]], sampleRate: 48000)
    #expect(sound.peak == 0.5)
    #expect(sound.frameCount == 2)
    #expect(Sound(channels: [], sampleRate: 48000).peak == 0)
  }
}
