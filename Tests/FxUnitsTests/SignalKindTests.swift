import FxAudio
import FxChecks
@testable import FxUnits
import Testing

/// The level, the frequency, the seed and the length of each test signal.
@Suite struct SignalKindTests {
  private static let random: [TestSignal.Kind] = [
    .noise, .pinkNoise, .brownNoise, .blueNoise, .violetNoise, .programme,
  ]

  private func sound(
    _ kind: TestSignal.Kind, rate: Double = 48000, channels: Int = 1, frames: Int = 4800,
    _ change: (inout TestSignal) -> Void = { _ in }
  ) -> [[Float]] {
    var signal = TestSignal(kind)
    change(&signal)
    return signal.sound(sampleRate: rate, channels: channels, frameCount: frames).channels
  }

  private func peak(_ samples: some Sequence<Float>) -> Double {
    Double(samples.reduce(0) { max($0, abs($1)) })
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `a signal has its number of frames and channels`(_ kind: TestSignal.Kind) {
    for (channels, frames) in [(1, 1), (2, 255), (3, 256), (1, 257), (2, 0)] {
      let found = sound(kind, channels: channels, frames: frames)
      #expect(found.map(\.count) == [Int](repeating: frames, count: channels))
    }
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `12 dB more are four times the amplitude`(_ kind: TestSignal.Kind) {
    let quiet = sound(kind) { $0.level = -32.041_199_827 }[0]
    let loud = sound(kind) { $0.level = -20 }[0]
    for (one, other) in zip(quiet, loud) where kind != .programme {
      #expect(abs(one * 4 - other) < 1e-6)
    }
    #expect(sound(kind) == sound(kind) { $0.level = -12 })
    // The quiet voice of a programme is not made quieter.
    #expect(peak(loud) < 0.100_001 && (kind == .silence) == (peak(loud) == 0))
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `only random signals depend on the seed, and differ between channels`(
    _ kind: TestSignal.Kind
  ) {
    let first = sound(kind, channels: 2)
    let second = sound(kind, channels: 2) { $0.seed = 2 }
    #expect((first != second) == Self.random.contains(kind))
    #expect((first[0] != first[1]) == Self.random.contains(kind))
    #expect(first == sound(kind, channels: 2) { $0.seed = 1 })
    // The first channel does not depend on the number of channels.
    #expect(first[0] == sound(kind)[0])
  }

  @Test(arguments: [(440.0, 44100.0), (1000, 48000), (6000, 48000), (11999, 24000)])
  func `a tone and its bursts have their frequency at any rate`(hertz: Double, rate: Double) {
    let tone = sound(.tone, rate: rate) { ($0.frequency, $0.level) = (hertz, 0) }[0]
    let bursts = sound(.bursts, rate: rate, frames: Int(rate)) {
      ($0.frequency, $0.level) = (hertz, 0)
    }[0]
    for frame in [0, 1, 2, 255, 256, 1000] {
      let turns = (hertz * Double(frame) / rate).truncatingRemainder(dividingBy: 1)
      let expected = Math.sin(2 * Double.pi * turns)
      #expect(abs(Double(tone[frame]) - expected) < 2e-7, "\(frame)")
      // The second burst begins anew.
      #expect(abs(Double(bursts[Int(rate / 2) + frame]) - expected) < 2e-7, "\(frame)")
    }
  }

  @Test func `a burst lasts for 50 ms to the frame`() {
    let bursts = sound(.bursts, rate: 1000, frames: 1000) { ($0.frequency, $0.level) = (250, 0) }[0]
    // A quarter of the rate: 0, 1, 0, -1.
    #expect(bursts.indices.filter { abs(bursts[$0]) > 0.5 }.prefix(3) == [1, 3, 5])
    let loud = bursts.indices.filter { abs(bursts[$0]) > 0.5 }
    #expect(loud.filter { $0 < 500 }.last == 49)
    #expect(loud.first { $0 >= 500 } == 501)
    #expect(loud.last == 549)
  }

  @Test func `a sweep goes from its first frequency to its last`() {
    let sweep = sound(.sweep, rate: 48000, frames: 48000) {
      ($0.from, $0.to, $0.level) = (100, 6400, 0)
    }[0]
    // Crossings of the first and the last tenth of a second: 6 octaves in a second.
    func turns(_ time: Double) -> Double {
      100 / Math.log(64) * (Math.exp(Math.log(64) * time) - 1)
    }
    for (start, end) in [(0.0, 0.1), (0.45, 0.55), (0.9, 0.9999)] {
      let frames = Int(start * 48000)..<Int(end * 48000)
      let crossings = frames.count { sweep[$0] < 0 && sweep[$0 + 1] >= 0 }
      #expect(abs(Double(crossings) - (turns(end) - turns(start))) <= 1)
    }
    let still = sound(.sweep) { ($0.from, $0.to) = (500, 500) }
    #expect(still == sound(.tone) { $0.frequency = 500 })
  }

  @Test(arguments: [(0.0, 0), (0.1, 100), (0.1004, 100), (0.1006, 101), (0.256, 256), (0.299, 299)])
  func `an impulse is at the nearest frame`(start: Double, frame: Int) {
    let impulse = sound(.impulse, rate: 1000, channels: 2, frames: 300) {
      ($0.start, $0.level) = (start, 0)
    }
    #expect(impulse[0].indices.filter { impulse[0][$0] != 0 } == [frame])
    #expect(impulse[1][frame] == 1)
    #expect(
      sound(.impulse, rate: 1000, frames: 300) { $0.start = 0.3 } == sound(.silence, frames: 300))
  }

  @Test(
    arguments: [
      (TestSignal.Kind.noise, -4.77), (.pinkNoise, -12), (.brownNoise, -12), (.blueNoise, -12),
      (.violetNoise, -12),
    ], [8000.0, 44100, 96000, 192_000])
  func `the RMS of noise is as documented at every sample rate`(
    _ noise: (kind: TestSignal.Kind, level: Double), rate: Double
  ) {
    let kind = noise.kind
    let frames = kind == .brownNoise ? 3 * Int(rate) : 96000
    let noise = (noise.level, sound(kind, rate: rate, frames: frames) { $0.level = -6 }[0])
    let power = noise.1.reduce(0) { $0 + Double($1) * Double($1) } / Double(frames)
    #expect(abs(Math.decibels(amplitude: power.squareRoot()) + 6 - noise.0) < 0.7)
    #expect(peak(noise.1) <= Math.amplitude(decibels: -6) + 1e-7)
  }

  @Test func `a programme can begin with a later slot`() {
    let rate = 8000.0
    // A slot is 120 ms in whole chunks of 256 frames: 4 at this rate.
    let slot = 4 * 256
    let whole = sound(.programme, rate: rate, channels: 2, frames: 12 * slot)
    let later = sound(.programme, rate: rate, channels: 2, frames: 9 * slot) { $0.slotOffset = 3 }
    #expect(later == whole.map { Array($0[(3 * slot)...]) })
    // Slots 3 and 7 of eight are silent.
    for number in 0..<8 {
      let part = whole[0][(number * slot)..<((number + 1) * slot)]
      #expect((peak(part) == 0) == [3, 7].contains(number), "\(number)")
    }
  }

  @Test(arguments: [1, 2, 3]) func `each second another channel has a click`(channels: Int) {
    let chunk = 256
    let slot = 4 * chunk
    let sound = sound(.programme, rate: 8000, channels: channels, frames: 4 * 8 * slot)
    for second in 0..<4 {
      // The last chunk of the fifth slot.
      let frames = ((second * 8 + 5) * slot - chunk)..<((second * 8 + 5) * slot)
      for channel in 0..<channels {
        let clicks = sound[channel][frames].filter { $0 != 0 }
        let expected = channel == second % channels ? -0.7 * Math.amplitude(decibels: -12) : nil
        #expect(clicks.count == (expected == nil ? 0 : 1), "\(second), \(channel)")
        if let expected, let click = clicks.first { #expect(abs(Double(click) - expected) < 1e-7) }
      }
    }
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `reading stops at the end and goes on after a seek`(_ kind: TestSignal.Kind) {
    var generator = SignalGenerator(
      TestSignal(kind), sampleRate: 48000, channels: 1, frameCount: 600)
    var buffer = [Float](repeating: 9, count: 700)
    func read(_ count: Int) -> Int {
      buffer.withUnsafeMutableBufferPointer { buffer in
        [buffer.baseAddress].compactMap { $0 }.withUnsafeBufferPointer {
          $0.baseAddress.map { generator.read(into: $0, frameCount: count) } ?? -1
        }
      }
    }
    #expect(read(-1) == 0)
    #expect(read(700) == 600)
    let whole = buffer
    #expect(whole[600] == 9)
    #expect(read(1) == 0)
    for (frame, position) in [(599, 599), (300, 300), (-5, 0), (256, 256), (601, 600)] {
      generator.seek(toFrame: frame)
      #expect(generator.position == position)
      #expect(read(700) == 600 - position)
      #expect(buffer[..<(600 - position)] == whole[position..<600])
    }
  }

  private static let mistakes: [(TestSignal.Kind, @Sendable (inout TestSignal) -> Void, String?)] =
    [
      (.noise, { $0.level = 60 }, nil), (.noise, { $0.level = -200 }, nil),
      (.silence, { $0.level = 60.5 }, "a level is -200 to 60 dB"),
      (.noise, { $0.level = -200.5 }, "a level is -200 to 60 dB"),
      (.programme, { $0.level = .infinity }, "a level is -200 to 60 dB"),
      (.tone, { $0.frequency = 499 }, nil),
      (
        .bursts, { $0.frequency = 500 },
        "a frequency lies above 0 and below 500 Hz, half the sample rate"
      ),
      (
        .tone, { $0.frequency = 0 },
        "a frequency lies above 0 and below 500 Hz, half the sample rate"
      ),
      (.sweep, { ($0.from, $0.to) = (1, 499) }, nil),
      (.sweep, { ($0.from, $0.to) = (499, 1) }, nil),
      (
        .sweep, { ($0.from, $0.to) = (0, 499) },
        "a sweep lies above 0 and below 500 Hz, half the sample rate"
      ),
      (
        .sweep, { ($0.from, $0.to) = (1, 500) },
        "a sweep lies above 0 and below 500 Hz, half the sample rate"
      ),
      (.impulse, { $0.start = 0 }, nil),
      (.impulse, { $0.start = -0.001 }, "an impulse starts at 0 s or later"),
      (.impulse, { $0.start = .nan }, "an impulse starts at 0 s or later"),
      // Values that a kind does not use.
      (.noise, { ($0.frequency, $0.from, $0.to, $0.start) = (0, 0, 0, -1) }, nil),
    ]

  @Test(arguments: mistakes.indices) func `an impossible value has a reason`(_ index: Int) {
    let (kind, change, reason) = Self.mistakes[index]
    var signal = TestSignal(kind)
    change(&signal)
    #expect(signal.mistake(sampleRate: 1000) == reason)
  }

  @Test func `half of an odd rate is shown with its fraction`() {
    var signal = TestSignal(.tone)
    signal.frequency = 6000
    #expect(
      signal.mistake(sampleRate: 11025)
        == "a frequency lies above 0 and below 5512.5 Hz, half the sample rate")
  }
}
