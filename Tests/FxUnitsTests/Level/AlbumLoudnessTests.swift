import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The blocks of several sounds as one, compared with libebur128.
@Suite struct AlbumLoudnessTests {
  private static let rate = 8000.0

  private static func track(_ decibels: Double, seed: UInt64, seconds: Int = 3) -> [[Float]] {
    let factor = Math.amplitude(decibels: Float(decibels))
    return (0..<2 as Range<UInt64>).map { channel in
      Signal.noise(seconds * Int(rate), seed: seed * 2 + channel).map { $0 * factor }
    }
  }

  private func measured(_ channels: [[Float]], block: Int = 4096) -> MeasuredLoudness {
    let gauge = SoundLoudness(
      StreamFormat(sampleRate: Self.rate, layout: .usual(channels.count)))
    var start = 0
    while start < channels[0].count {
      let count = min(block, channels[0].count - start)
      let part = SampleBuffer(count: channels.count * count)
      var pointers: [UnsafePointer<Float>] = []
      for (index, channel) in channels.enumerated() {
        let samples = part.samples + index * count
        for frame in 0..<count { samples[frame] = channel[start + frame] }
        pointers.append(UnsafePointer(samples))
      }
      gauge.take(pointers, frameCount: count)
      start += count
    }
    return gauge.measured
  }

  @Test func `an album has the loudness that libebur128 gives to all its tracks`() throws {
    let levels = [[-10.0, -12, -30], [-20, -55, -23.5, -21], [-3, -3.5]]
    for (album, decibels) in levels.enumerated() {
      let tracks = decibels.enumerated().map { index, level in
        Self.track(level, seed: UInt64(10 * album + index + 1), seconds: 2 + index)
      }
      var pooled = MeasuredLoudness()
      for track in tracks { pooled.add(measured(track)) }
      let expected = try #require(
        ReferenceLoudness.integrated(ofAll: tracks, sampleRate: Self.rate))
      #expect(abs(pooled.blocks.integrated() - expected) < 0.005, "\(decibels)")
    }
  }

  @Test func `the blocks of one track have the loudness of its meter, in any division`() {
    let track = Self.track(-20, seed: 5)
    let whole = measured(track, block: 24000)
    #expect(measured(track, block: 77) == whole)
    var meter = LoudnessMeter(channelCount: 2, layout: .usual(2), sampleRate: Self.rate)
    track[0].withUnsafeBufferPointer { first in
      track[1].withUnsafeBufferPointer { second in
        let pointers = [first, second].compactMap(\.baseAddress)
        meter.take(pointers, frameCount: first.count)
      }
    }
    #expect(abs(whole.blocks.integrated() - meter.integrated) < 1e-9)
  }

  @Test func `a gain lets quiet blocks pass the absolute gate`() {
    // The second half is below -70 LUFS, and 8 LU below the first.
    let sound = zip(Self.track(-60, seed: 3), Self.track(-68, seed: 4)).map { $0 + $1 }
    let blocks = measured(sound).blocks
    for gain in [10.0, 30, 50] {
      let louder = sound.map { $0.map { $0 * Math.amplitude(decibels: Float(gain)) } }
      #expect(abs(blocks.integrated(gain: gain) - measured(louder).blocks.integrated()) < 0.005)
    }
    #expect(blocks.integrated(gain: 30) < blocks.integrated() + 29)
    let gain = blocks.gain(to: -20) ?? 0
    #expect(abs(blocks.integrated(gain: gain) + 20) < 0.001)
  }

  @Test func `silence adds nothing to an album, and alone it has no loudness`() {
    let silence = measured([[Float](repeating: 0, count: 16000)])
    #expect(silence.blocks.integrated() == -.infinity && silence.blocks.gain(to: -16) == nil)
    var album = measured(Self.track(-20, seed: 1))
    let alone = album
    album.add(silence)
    #expect(album == alone)
  }
}
