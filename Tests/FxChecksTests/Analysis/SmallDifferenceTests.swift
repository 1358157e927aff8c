@testable import FxChecks
import FxUnits
import Testing

/// Differences far below the sound are named correctly.
@Suite struct SmallDifferenceTests {
  private static let noise = TestSignal(.noise).sound(
    sampleRate: 48000, channels: 2, frameCount: 36000)
  private static let both = Sound(
    channels: [noise.channels[0], noise.channels[0]], sampleRate: 48000)
  private static let palindrome = Sound(
    channels: [noise.channels[0] + noise.channels[0].reversed()], sampleRate: 48000)

  private func firstLine(_ expected: Sound, _ change: (inout Sound) -> Void) -> String {
    var actual = expected
    change(&actual)
    return Comparison(expected: expected, actual: actual).lines[0]
  }

  @Test(arguments: [Float(0x1p-24), 0x1p-22, 0x1p-20, 0x1p-17], [both, noise, palindrome])
  func `one sample that differs is named with its place, whatever its size`(
    _ size: Float, _ sound: Sound
  ) {
    let line = firstLine(sound) { $0.channels[0][100] += size }
    #expect(line.hasPrefix("a click of 1 frame "))
    #expect(line.hasSuffix(" at frame 100 (0.002 s), nothing else"))
  }

  @Test func `a sample after the last whole stretch is not noise`() {
    let line = firstLine(Self.noise) { $0.channels[0][35990] += 0x1p-22 }
    #expect(line.hasSuffix(" at frame 35990 (0.750 s), nothing else"))
  }

  @Test func `noise far below the sound has its level`() {
    let added = TestSignal(.programme).sound(sampleRate: 48000, channels: 2, frameCount: 36000)
    let line = firstLine(added) { sound in
      for channel in 0..<2 {
        for frame in 0..<36000 {
          sound.channels[channel][frame] += (Self.noise.channels[channel][frame] * 0x1p-17)
        }
      }
    }
    #expect(line.contains("-1") && !line.contains("-3"), "\(line)")
  }

  @Test func `samples of 16 bits with one changed sample are not reported as rounded`() {
    var sound = Self.noise
    for channel in 0..<2 {
      sound.channels[channel] = sound.channels[channel].map { ($0 * 0x1p15).rounded() * 0x1p-15 }
    }
    #expect(
      firstLine(sound) { $0.channels[0][100] += 0x1p-17 }.hasPrefix("a click of 1 frame on left "))
  }

  @Test(arguments: [FloatingPointRoundingRule.down, .towardZero], [1, 0.02])
  func `a loud sound that is cut to 16 bits is truncated, as a quiet one`(
    _ rule: FloatingPointRoundingRule, _ gain: Double
  ) {
    // In 64 bits, as another program may do it before it makes 32 bits of both.
    var state: UInt64 = 1
    let samples = (0..<20000).map { _ -> Double in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) * 0x1p-53 - 0.5) * gain
    }
    let expected = Sound(channels: [samples.map { Float($0) }], sampleRate: 48000)
    func line(_ rule: FloatingPointRoundingRule) -> String {
      let cut = samples.map { Float(($0 * 0x1p15).rounded(rule) * 0x1p-15) }
      return Comparison(expected: expected, actual: Sound(channels: [cut], sampleRate: 48000))
        .lines[0]
    }
    let direction = rule == .down ? "downwards" : "towards zero"
    #expect(line(rule) == "truncated to 16 bits (\(direction)), not rounded, nothing else")
    #expect(line(.toNearestOrEven) == "the same but for rounding to 16 bits")
  }
}
