@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Samples without a header are no MPEG audio, although a few of its headers occur in them.
struct SamplesWithoutHeaderTests {
  private func isMPEG(_ bytes: [UInt8]) -> Bool {
    MPEGFramer(ByteReader(MemoryStream(bytes, name: "raw"))).findFirst() != nil
  }

  /// 16, 24 and 32 bits, little-endian.
  private func stored(_ sound: [Float]) -> [[UInt8]] {
    [2, 3, 4].map { width in
      let full = Float(1 << (8 * width - 1)) - 128
      return sound.flatMap { sample in
        FilePatch.little(0, Int(sample * full), width).bytes
      }
    }
  }

  @Test(arguments: [8000.0, 22050, 44100, 48000])
  func `waves of any pitch and level are not taken for MPEG audio`(_ rate: Double) {
    for pitch in [50, 100, 125, 250, 375, 440, 441, 500, 997.3, 1000, 1500, 3000] {
      for level in [0.0001, 0.01, 0.5, 1] {
        let sound = tones([pitch], frameCount: 9000, sampleRate: rate, amplitude: level)[0]
        for (index, bytes) in stored(sound).enumerated() {
          #expect(!isMPEG(bytes), "\(pitch) Hz at \(rate) Hz, level \(level), format \(index)")
        }
      }
    }
  }

  @Test func `noise of any level is not taken for MPEG audio`() {
    for seed in 1...12 {
      for level in [0.00002, 0.0003, 0.01, 0.9] as [Float] {
        let sound = Signal.noise(15_000, seed: UInt64(seed)).map { $0 * level }
        for bytes in stored(sound) { #expect(!isMPEG(bytes), "seed \(seed), level \(level)") }
      }
    }
  }

  @Test func `MPEG audio behind other bytes is still found`() throws {
    let song = contents(Fixture.audio("no-tag.mp3"))
    try #require(isMPEG(song))
    let noise = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ $0 >> 3) }
    #expect(isMPEG(noise + song))
    #expect(isMPEG([UInt8](repeating: 0, count: 20_000) + song))
    #expect(isMPEG(Array(song.dropFirst(100))))
    #expect(isMPEG(contents(Fixture.audio("free-format.mp3"))))
  }
}
