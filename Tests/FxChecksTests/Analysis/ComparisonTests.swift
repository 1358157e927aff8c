import FxAudio
@testable import FxChecks
import FxUnits
import Testing

@Suite struct ComparisonTests {
  /// Two different channels. The sound is short, so that a debug build is fast.
  static let sound = TestSignal(.programme).sound(sampleRate: 48000, channels: 2, frameCount: 12000)

  static func changed(_ change: (Int, Int, Float) -> Float) -> Sound {
    var sound = Self.sound
    for channel in sound.channels.indices {
      for frame in 0..<sound.frameCount {
        sound.channels[channel][frame] = change(channel, frame, sound.channels[channel][frame])
      }
    }
    return sound
  }

  static func delayed(_ sound: Sound, by frames: Int) -> Sound {
    let channels = sound.channels.map { channel in
      frames >= 0
        ? [Float](repeating: 0, count: frames) + channel.dropLast(frames)
        : Array(channel.dropFirst(-frames)) + [Float](repeating: 0, count: -frames)
    }
    return Sound(channels: channels, sampleRate: sound.sampleRate)
  }

  @Test func `a sound is the same as itself`() {
    let comparison = Comparison(expected: Self.sound, actual: Self.sound)
    #expect(comparison.category == .same)
    #expect(comparison.isWithin(.exact))
    #expect(comparison.lines == ["the same to the bit: 12000 frames, 2 channels, 48000 Hz"])
  }

  @Test(arguments: [1, 64, 1000, 5000])
  func `a delay is found to the frame`(_ frames: Int) {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.delayed(Self.sound, by: frames))
    #expect(comparison.category == .latency)
    #expect(comparison.explanation?.lag == frames)
    #expect(comparison.explanation?.residualPeak == 0)
  }

  @Test func `a sound that comes earlier has a negative lag`() {
    let comparison = Comparison(
      expected: Self.delayed(Self.sound, by: 64), actual: Self.sound)
    #expect(comparison.category == .latency)
    #expect(comparison.explanation?.lag == -64)
    #expect(
      comparison.lines == ["equal after -64 frames (1.33 ms earlier): its latency changed"])
  }

  @Test func `a delay that makes the sound longer is a latency`() {
    let longer = Sound(
      channels: Self.sound.channels.map { [Float](repeating: 0, count: 64) + $0 },
      sampleRate: 48000)
    let comparison = Comparison(expected: Self.sound, actual: longer)
    #expect(comparison.category == .latency)
    #expect(comparison.explanation?.lag == 64)
  }

  @Test(arguments: [0.1, -0.1, 6, 0.001, -30])
  func `a gain is found in decibels`(_ decibels: Double) throws {
    let gain = Float(Math.amplitude(decibels: decibels))
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $2 * gain })
    #expect(comparison.category == .gain)
    let explanation = try #require(comparison.explanation)
    #expect(abs(explanation.gain - decibels) < 1e-5)
    #expect(comparison.lines[0].hasSuffix("nothing else"))
  }

  @Test func `a tenth of a decibel is reported as such`() {
    let gain = Float(Math.amplitude(decibels: 0.1))
    let comparison = Comparison(expected: Self.sound, actual: Self.changed { $2 * gain })
    #expect(comparison.lines[0] == "0.10 dB louder, nothing else")
  }

  @Test func `an inverted sound is reported by its polarity`() {
    let comparison = Comparison(expected: Self.sound, actual: Self.changed { -$2 })
    #expect(comparison.category == .polarity)
    #expect(comparison.explanation?.isInverted == true)
    #expect(comparison.lines == ["its polarity is inverted, nothing else"])
  }

  @Test func `one inverted channel is named`() {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $0 == 1 ? -$2 : $2 })
    #expect(comparison.category == .polarity)
    #expect(comparison.explanation?.invertedChannels == [1])
    #expect(comparison.lines == ["the polarity of right is inverted, nothing else"])
  }

  @Test func `swapped channels are reported`() {
    var swapped = Self.sound
    swapped.channels.swapAt(0, 1)
    let comparison = Comparison(expected: Self.sound, actual: swapped)
    #expect(comparison.category == .channelOrder)
    #expect(comparison.explanation?.channelOrder == [1, 0])
    #expect(comparison.lines == ["left and right are swapped"])
  }

  @Test func `any order of up to eight channels is found`() {
    let sound = TestSignal(.noise).sound(sampleRate: 48000, channels: 8, frameCount: 500)
    let order = [3, 0, 7, 1, 2, 6, 5, 4]
    let actual = Sound(channels: order.map { sound.channels[$0] }, sampleRate: 48000)
    let comparison = Comparison(expected: sound, actual: actual)
    #expect(comparison.category == .channelOrder)
    #expect(comparison.explanation?.channelOrder == order)
  }

  @Test func `channels that differ in level alone are swapped rather than both changed`() {
    let one = Self.sound.channels[0]
    let half = one.map { $0 * 0.5 }
    let comparison = Comparison(
      expected: Sound(channels: [one, half], sampleRate: 48000),
      actual: Sound(channels: [half, one], sampleRate: 48000))
    #expect(comparison.category == .channelOrder)
    let louder = Comparison(
      expected: Sound(channels: [one, half], sampleRate: 48000),
      actual: Sound(channels: [one.map { $0 * 0.75 }, half], sampleRate: 48000))
    #expect(louder.category == .gain)
    #expect(louder.explanation?.channelOrder == nil)
  }

  @Test func `a quieter channel is reported as a change of balance`() throws {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $0 == 1 ? $2 * 0.5 : $2 })
    #expect(comparison.category == .gain)
    let gains = try #require(comparison.explanation?.channelGains)
    #expect(gains[0] == 0)
    #expect(abs(gains[1] + 6.0206) < 1e-3)
    #expect(comparison.lines[0] == "right 6.02 dB quieter, nothing else")
  }

  @Test func `a channel that fell silent is named`() {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $0 == 0 ? 0 : $2 })
    #expect(comparison.lines[0] == "left silent, nothing else")
  }

  @Test func `several changes at once are all found`() throws {
    var actual = Self.delayed(Self.changed { -$2 * 0.7 }, by: 480)
    actual.channels.swapAt(0, 1)
    let comparison = Comparison(expected: Self.sound, actual: actual)
    #expect(comparison.category == .combined)
    let explanation = try #require(comparison.explanation)
    #expect(explanation.lag == 480)
    #expect(abs(explanation.gain + 3.098) < 1e-3)
    #expect(explanation.isInverted)
    #expect(explanation.channelOrder == [1, 0])
    #expect(
      comparison.lines[0]
        == "480 frames (10 ms) later, 3.10 dB quieter, its polarity is inverted, "
        + "left and right are swapped, nothing else")
  }

  @Test func `a sound without its end is reported by its length`() {
    let cut = Sound(
      channels: Self.sound.channels.map { Array($0.dropLast(2400)) }, sampleRate: 48000)
    let comparison = Comparison(expected: Self.sound, actual: cut)
    #expect(comparison.category == .length)
    #expect(
      comparison.lines == [
        "its last 2400 frames (50 ms) are missing; the rest is the same to the bit"
      ])
    #expect(!comparison.isWithin(Tolerance(peak: 0)))
    #expect(
      Comparison(expected: cut, actual: Self.sound).lines == [
        "2400 frames (50 ms) more at its end; the rest is the same to the bit"
      ])
  }

  @Test func `a sound that is longer and differs is reported as both`() {
    let longer = Sound(
      channels: Self.changed { $2 * $2 }.channels.map { $0 + [0, 0] }, sampleRate: 48000)
    let comparison = Comparison(expected: Self.sound, actual: longer)
    #expect(comparison.category == .content)
    #expect(comparison.lines.contains("2 frames (0.04 ms, all silent) more at its end"))
  }

  @Test func `a different rate or number of channels is reported and not trimmed`() {
    let rate = Sound(channels: Self.sound.channels, sampleRate: 44100)
    let byRate = Comparison(expected: Self.sound, actual: rate)
    #expect(byRate.category == .sampleRate)
    #expect(
      byRate.lines == [
        "48000 Hz are expected, and the sound has 44100 Hz", "0.250 s expected, 0.272 s found",
        "the samples are the same",
      ])
    let mono = Sound(channels: [Self.sound.channels[0]], sampleRate: 48000)
    let byCount = Comparison(expected: Self.sound, actual: mono)
    #expect(byCount.category == .channelCount)
    #expect(byCount.lines[0] == "2 channels are expected, and the sound has 1")
    #expect(!byCount.isWithin(Tolerance(peak: 0, rms: 0)))
  }

  @Test func `silence where sound is expected is reported with its level`() {
    let comparison = Comparison(expected: Self.sound, actual: Self.changed { _, _, _ in 0 })
    #expect(comparison.category == .silent)
    #expect(comparison.lines[0].hasPrefix("the sound is silent; a peak of -"))
  }

  @Test func `sound where silence is expected is reported with its level`() {
    let comparison = Comparison(expected: Self.changed { _, _, _ in 0 }, actual: Self.sound)
    #expect(comparison.category == .content)
    #expect(comparison.lines.count == 1)
    #expect(comparison.lines[0].hasPrefix("silence is expected; the sound has a peak of -"))
    #expect(comparison.spectralDeviation < 100)
  }

  @Test func `NaN samples are counted, with their place`() {
    let comparison = Comparison(
      expected: Self.sound,
      actual: Self.changed { $0 == 1 && $1 >= 4800 && $1 < 4803 ? .nan : $2 })
    #expect(comparison.category == .nonFinite)
    #expect(
      comparison.lines[0]
        == "3 samples are not a number or infinite, the first at frame 4800 (0.100 s), right")
    #expect(!comparison.isWithin(Tolerance(peak: 20)))
  }

  @Test func `an infinite sample in the expected sound is reported as its own fault`() {
    let comparison = Comparison(
      expected: Self.changed { $0 == 0 && $1 == 960 ? .infinity : $2 }, actual: Self.sound)
    #expect(comparison.category == .content)
    #expect(
      comparison.lines[0]
        == "cause unknown: the expected sound has samples that are not a number or infinite, the "
        + "first difference at frame 960 (0.020 s)")
    #expect(!comparison.isWithin(Tolerance(spectral: 200)))
  }

  @Test func `the same NaN in both is the same`() {
    let sound = Self.changed { $1 == 5 ? .nan : $2 }
    #expect(Comparison(expected: sound, actual: sound).category == .same)
  }

  @Test func `one wrong sample is reported with its place`() {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $0 == 1 && $1 == 4711 ? $2 + 0.5 : $2 })
    #expect(comparison.category == .content)
    #expect(comparison.channels[0].firstDifference == nil)
    #expect(comparison.channels[1].firstDifference == 4711)
    #expect(comparison.channels[1].differingFrameCount == 1)
    #expect(
      comparison.lines[0]
        == "a click of 1 frame on right by up to -6.0 dB at frame 4711 (0.098 s), nothing else")
  }

  @Test func `a difference from a frame on is reported as such`() {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $1 >= 9000 ? $2 * 0.5 + 0.001 : $2 })
    #expect(comparison.category == .content)
    #expect(
      comparison.lines[0]
        == "6.02 dB quieter with a positive DC offset of -60.0 dB from frame 9000 (0.188 s) on, "
        + "nothing else")
  }

  @Test func `a tail that fell silent is reported as such`() {
    let comparison = Comparison(
      expected: Self.sound, actual: Self.changed { $1 >= 4000 ? 0 : $2 })
    #expect(comparison.category == .content)
    #expect(
      comparison.lines[0]
        == "it is silent from frame 4000 (0.083 s) on, nothing else")
  }

  @Test func `a different filter coefficient is not reported as a gain`() {
    var state: Float = 0
    let actual = Self.changed { _, frame, sample in
      state = frame == 0 ? 0 : state * 0.5 + sample * 0.001
      return sample + state
    }
    #expect(Comparison(expected: Self.sound, actual: actual).category == .content)
  }

  @Test func `the loss of a 24-bit file is reported as rounding`() {
    let rounded = Self.changed { ($2 * 0x1p23).rounded() * 0x1p-23 }
    let comparison = Comparison(expected: Self.sound, actual: rounded)
    #expect(comparison.category == .content)
    #expect(comparison.lines[0] == "the same but for rounding to 24 bits")
  }

  @Test func `a gain is found through the rounding of 16 bits`() throws {
    let rounded = Self.changed { ($2 * 0.8 * 0x1p15).rounded() * 0x1p-15 }
    let comparison = Comparison(expected: Self.sound, actual: rounded)
    #expect(comparison.category == .gain)
    let gain = try #require(comparison.explanation?.gain)
    #expect(abs(gain + 1.938) < 0.01)
  }

  @Test func `a delayed tone is later by its silence, not by a part of its period`() {
    let tone = TestSignal(.tone).sound(sampleRate: 48000, channels: 1, frameCount: 4800)
    let comparison = Comparison(expected: tone, actual: Self.delayed(tone, by: 100))
    #expect(comparison.explanation?.lag == 100)
    #expect(comparison.category == .latency)
  }

  @Test func `a moved impulse is a latency`() {
    var signal = TestSignal(.impulse)
    let expected = signal.sound(sampleRate: 48000, channels: 2, frameCount: 2000)
    signal.start = 0.01
    let actual = signal.sound(sampleRate: 48000, channels: 2, frameCount: 2000)
    #expect(Comparison(expected: expected, actual: actual).explanation?.lag == 480)
    #expect(Comparison(expected: actual, actual: expected).explanation?.lag == -480)
  }

  @Test func `sounds without frames or channels are compared`() {
    let empty = Sound(channels: [[]], sampleRate: 48000)
    #expect(Comparison(expected: empty, actual: empty).category == .same)
    let none = Sound(channels: [], sampleRate: 48000)
    #expect(Comparison(expected: none, actual: Self.sound).category == .channelCount)
    let mono = Sound(channels: [Self.sound.channels[0]], sampleRate: 48000)
    let comparison = Comparison(expected: mono, actual: empty)
    #expect(comparison.category == .length)
    #expect(comparison.lines == ["the sound is empty; 12000 frames expected"])
    #expect(
      Comparison(expected: empty, actual: mono).lines == [
        "no frame is expected; the sound has 12000"
      ])
  }
}
