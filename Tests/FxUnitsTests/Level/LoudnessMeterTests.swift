import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The meter's loudness compared with libebur128's.
@Suite struct LoudnessMeterTests {
  private static let rate = 8000.0

  /// Noise whose level changes every second, so that gates and range have something to do.
  private static func sound(_ channels: Int, seconds: Int, _ rate: Double = rate) -> [[Float]] {
    (0..<channels).map { channel in
      let noise = Signal.noise(seconds * Int(rate), seed: UInt64(channel + 1))
      return noise.enumerated().map { frame, sample in
        let second = frame / Int(rate)
        return sample * [0.5, 0.1, 0.02, 0.3, 0.001, 0.2, 0.05][second % 7]
      }
    }
  }

  private func metered(
    _ channels: [[Float]], _ layout: ChannelLayout, rate: Double = rate, block: Int = 999
  ) -> (integrated: Double, range: Double, momentary: Double, shortTerm: Double) {
    var meter = LoudnessMeter(channelCount: channels.count, layout: layout, sampleRate: rate)
    var frame = 0
    while frame < channels[0].count {
      let count = min(block, channels[0].count - frame)
      let pointers = channels.map { channel -> UnsafePointer<Float> in
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: count)
        for index in 0..<count { copy[index] = channel[frame + index] }
        return UnsafePointer(copy)
      }
      pointers.withUnsafeBufferPointer {
        if let address = $0.baseAddress { meter.take(address, frameCount: count) }
      }
      pointers.forEach { $0.deallocate() }
      frame += count
    }
    return (meter.integrated, meter.range, meter.momentary, meter.shortTerm)
  }

  @Test(arguments: [1, 2, 5, 6]) func `loudness and its range are those of libebur128`(
    _ channelCount: Int
  ) throws {
    let channels = Self.sound(channelCount, seconds: 20)
    let expected = try #require(ReferenceLoudness(channels, sampleRate: Self.rate))
    let measured = metered(channels, .usual(channelCount))
    #expect(abs(measured.integrated - expected.integrated) < 0.02)
    #expect(abs(measured.range - expected.range) < 0.1)
  }

  @Test(arguments: [8000.0, 44100, 96000]) func `every sample rate gives the same loudness`(
    _ rate: Double
  ) throws {
    let channels = Self.sound(1, seconds: 2, rate)
    let expected = try #require(ReferenceLoudness(channels, sampleRate: rate))
    #expect(abs(metered(channels, .usual(1), rate: rate).integrated - expected.integrated) < 0.02)
  }

  @Test func `block sizes do not change the bits, and silence has no loudness`() {
    let channels = Self.sound(2, seconds: 4)
    let whole = metered(channels, .usual(2), block: 64000)
    for block in [1, 64, 1024] { #expect(metered(channels, .usual(2), block: block) == whole) }
    let silence = metered([[Float](repeating: 0, count: 64000)], .usual(1))
    #expect(silence.integrated == -.infinity && silence.momentary == -.infinity)
    #expect(silence.range == 0)
  }

  /// EBU Tech 3341, cases 1 and 9: a stereo sine of 1 kHz and -23 dBFS has -23 LUFS.
  @Test func `a sine has the loudness of the specification`() {
    let amplitude = Math.amplitude(decibels: -23.0)
    let sine = (0..<80000).map { frame in
      Float(amplitude * Math.sin(2 * Double.pi * 1000 * Double(frame) / Self.rate))
    }
    let measured = metered([sine, sine], .usual(2))
    for loudness in [measured.integrated, measured.momentary, measured.shortTerm] {
      #expect(abs(loudness + 23) < 0.05)
    }
  }

  @Test(arguments: [(1.0, 1.0), (-1.0, -1.0), (0, 0)])
  func `correlation distinguishes mono from opposite channels`(_ factor: Float, _ expected: Double)
  {
    let first = Signal.noise(30000, seed: 1)
    let second = first.map { $0 * factor }
    var correlation = Correlation(sampleRate: 48000)
    correlation.take(first, second, frameCount: first.count)
    #expect(abs(correlation.value - expected) < 1e-6)
  }
}
