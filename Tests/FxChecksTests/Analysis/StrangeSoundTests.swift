import FxAudio
@testable import FxChecks
import FxUnits
import Testing

/// Whatever a file may hold, it is compared and measured without harm.
@Suite struct StrangeSoundTests {
  private struct Random {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }

  private static let values: [Float] = [
    0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, -0x1p-140, 1e38, -3e38, 1, -1,
    0.25, 0.1,
  ]
  private static let rates = [48000, 44100, 0, -1, .nan, .infinity, 1e300, 1, 100]

  private static func sound(_ random: inout Random) -> Sound {
    let count = random.next(3) == 0 ? 0 : random.next(200)
    let choices = random.next(4) == 0 ? values : Array(values.suffix(4))
    let channels = (0..<random.next(4)).map { _ in
      (0..<count).map { _ in choices[random.next(choices.count)] }
    }
    return Sound(
      channels: channels,
      sampleRate: rates[random.next(3) == 0 ? rates.count - 1 - random.next(7) : 0])
  }

  @Test(arguments: 1...24)
  func `strange sounds do no harm`(_ seed: Int) {
    var random = Random(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15)
    let expected = Self.sound(&random)
    var actual = Self.sound(&random)
    if random.next(2) == 0 { actual = expected }
    if random.next(2) == 0, !actual.channels.isEmpty {
      actual.channels[0] = actual.channels[0].map { $0 * 0.5 }
    }
    let comparison = Comparison(expected: expected, actual: actual)
    #expect(!comparison.lines.isEmpty)
    for tolerance in [Tolerance.exact, Tolerance(peak: -20), Tolerance(rms: -20, spectral: 3)] {
      #expect(
        comparison.isWithin(tolerance) == tolerance.accepts(expected: expected, actual: actual))
      _ = comparison.line(about: tolerance)
    }
    _ = Levels(actual)
    _ = NoiseFloor(actual)
    _ = Loudness(actual)
    _ = Latency(input: expected, output: actual)
    for channel in actual.channels {
      _ = Distortion(channel, frequency: 1000, sampleRate: actual.sampleRate)
      _ = FrequencyResponse(impulseResponse: channel, sampleRate: actual.sampleRate)
      _ = ReverberationTime(channel, sampleRate: actual.sampleRate)
    }
  }

  private static let noise = TestSignal(.noise).sound(
    sampleRate: 48000, channels: 1, frameCount: 12000)

  private static func noise(_ changes: [Int: Float]) -> Sound {
    var sound = noise
    for (frame, sample) in changes { sound.channels[0][frame] = sample }
    return sound
  }

  @Test(arguments: [Float.nan, .infinity])
  func `a sample that is not finite in both sounds does not hide a difference`(_ sample: Float) {
    let comparison = Comparison(
      expected: Self.noise([100: sample]), actual: Self.noise([100: sample, 5: 0.9]))
    #expect(comparison.lines[0].hasPrefix("a click of 1 frame by up to "))
    #expect(comparison.lines[0].hasSuffix(" at frame 5 (0.000 s), nothing else"))
  }

  @Test func `a huge sample is compared`() {
    let huge = Self.noise([100: 3e38])
    #expect(
      Comparison(expected: huge, actual: Self.noise).lines[0]
        == "cause unknown: differs by up to 769.5 dB in one frame: frame 100 (0.002 s)")
    let other = Comparison(expected: huge, actual: Self.noise([100: -2e38]))
    #expect(other.channels[0].peak == .greatestFiniteMagnitude)
  }

  @Test(arguments: [Float(0x1p-140), 0x1p-120, 0x1p39])
  func `sounds of any level are compared`(_ scale: Float) {
    let sound = Sound(
      channels: [Self.noise.channels[0].map { ($0 * 16).rounded() * scale }], sampleRate: 48000)
    let bent = Sound(
      channels: [sound.channels[0].map { $0 > 2 * scale ? $0 * 0.5 : $0 }], sampleRate: 48000)
    #expect(!Comparison(expected: sound, actual: bent).lines.isEmpty)
  }
}
