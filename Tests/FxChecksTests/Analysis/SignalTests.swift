import FxAudio
@testable import FxChecks
import FxUnits
import Testing

@Suite struct SignalTests {
  static func digest(_ sound: Sound) -> UInt64 {
    var digest = SampleDigest()
    for channel in sound.channels { digest.append(channel, frameCount: channel.count) }
    return digest.value
  }

  /// Any change of these numbers changes every golden that was made from a signal.
  @Test(arguments: [
    (TestSignal.Kind.silence, 0x2a4fc2f91d3a8cb2 as UInt64),
    (.impulse, 0x6e52250f2127c15e),
    (.tone, 0xc31ee6d03a3ace97),
    (.sweep, 0x5c855a60588754cb),
    (.noise, 0xb99a16bebfaca058),
    (.pinkNoise, 0x7bfe799c85d86b42),
    (.brownNoise, 0x4e9f8225df38ac18),
    (.blueNoise, 0x72d80dbb7b5be602),
    (.violetNoise, 0x4bbad7702ecadaf4),
    (.bursts, 0x5f9ab43f7f54fe6e),
    (.programme, 0x4931b6695f043737),
  ])
  func `a signal has the same bits on every machine`(
    _ kind: TestSignal.Kind, _ expected: UInt64
  ) {
    let sound = TestSignal(kind).sound(sampleRate: 44100, channels: 2, frameCount: 6000)
    #expect(Self.digest(sound) == expected, "\(kind)")
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `a signal is the same in blocks of any length`(_ kind: TestSignal.Kind) {
    let whole = TestSignal(kind).sound(sampleRate: 48000, channels: 2, frameCount: 1500)
    var generator = SignalGenerator(
      TestSignal(kind), sampleRate: 48000, channels: 2, frameCount: 1500)
    var samples = [[Float]](repeating: [], count: 2)
    var length = 1
    while true {
      var left = [Float](repeating: 9, count: length)
      var right = left
      let count = left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          [left.baseAddress, right.baseAddress].compactMap { $0 }.withUnsafeBufferPointer {
            $0.baseAddress.map { generator.read(into: $0, frameCount: length) } ?? 0
          }
        }
      }
      if count == 0 { break }
      samples[0] += left.prefix(count)
      samples[1] += right.prefix(count)
      length = length * 3 % 509 + 1
    }
    #expect(samples == whole.channels)
  }

  @Test(arguments: TestSignal.Kind.allCases)
  func `a signal can begin at any frame`(_ kind: TestSignal.Kind) {
    var generator = SignalGenerator(
      TestSignal(kind), sampleRate: 48000, channels: 1, frameCount: 1500)
    let whole = generator.sound()
    generator.seek(toFrame: 700)
    #expect(generator.sound().channels[0] == Array(whole.channels[0].dropFirst(700)))
  }

  @Test(arguments: TestSignal.Kind.allCases.filter { $0 != .silence })
  func `a signal reaches its level and never exceeds it`(_ kind: TestSignal.Kind) {
    var signal = TestSignal(kind)
    signal.level = -20
    let sound = signal.sound(sampleRate: 8000, channels: 2, frameCount: 8000)
    #expect(sound.peak <= 0.1)
    // Noise that rises with frequency has fewer peaks.
    #expect(sound.peak > ([.blueNoise, .violetNoise].contains(kind) ? 0.055 : 0.07))
  }

  @Test func `a tone is a sine of its frequency`() {
    var signal = TestSignal(.tone)
    signal.level = 0
    let tone = signal.sound(sampleRate: 48000, channels: 1, frameCount: 480)
    for frame in 0..<480 {
      let turns = Double(frame) / 48
      let expected = Math.sin((turns - turns.rounded(.down)) * 2 * Double.pi)
      #expect(abs(Double(tone.channels[0][frame]) - expected) < 1e-7)
    }
  }

  @Test func `a sweep passes its frequencies at even times on a logarithmic axis`() {
    var signal = TestSignal(.sweep)
    signal.from = 100
    signal.to = 1600
    let sweep = signal.sound(sampleRate: 48000, channels: 1, frameCount: 9600).channels[0]
    func crossings(_ frames: Range<Int>) -> Int {
      frames.count { sweep[$0] < 0 && sweep[$0 + 1] >= 0 }
    }
    // 100 Hz × 0.2 s / ln 16 × (4 - 1), and × (16 - 4).
    #expect(abs(crossings(0..<4800) - 21) <= 1)
    #expect(abs(crossings(4800..<9599) - 86) <= 1)
  }

  @Test func `noise is uniform, its channels are independent, and its seed changes it`() {
    var signal = TestSignal(.noise)
    signal.level = 0
    let noise = signal.sound(sampleRate: 48000, channels: 2, frameCount: 8192).channels
    func product(_ one: [Float], _ other: [Float]) -> Double {
      zip(one, other).reduce(0) { $0 + Double($1.0) * Double($1.1) } / Double(one.count)
    }
    #expect(abs(product(noise[0], noise[0]) - 1.0 / 3) < 0.02)
    #expect(abs(product(noise[0], noise[1])) < 0.02)
    #expect(abs(product(noise[0], Array(noise[0].dropFirst()) + [0])) < 0.02)
    signal.seed = 2
    let other = signal.sound(sampleRate: 48000, channels: 1, frameCount: 8192).channels[0]
    #expect(abs(product(noise[0], other)) < 0.02)
  }

  /// Decibels that the energy of an octave lies above that of the one below.
  @Test(arguments: [
    (TestSignal.Kind.pinkNoise, 0.0), (.brownNoise, -3.01), (.blueNoise, 6.02),
    (.violetNoise, 9.03),
  ])
  func `noise of a colour has its energy in octaves`(
    _ kind: TestSignal.Kind, _ step: Double
  ) throws {
    let noise = TestSignal(kind).sound(sampleRate: 48000, channels: 1, frameCount: 96000)
    let level = noise.channels[0].reduce(0) { $0 + Double($1) * Double($1) } / 96000
    #expect(abs(Math.decibels(amplitude: level.squareRoot()) + 24) < 1)
    let analysis = try #require(ThirdOctaves(sampleRate: 48000))
    let powers = analysis.powers(noise.channels[0], frameCount: noise.frameCount)
    func octave(_ hertz: Double) -> Double {
      zip(analysis.thirds, powers)
        .filter { $0.0.hertz > hertz * 0.75 && $0.0.hertz < hertz * 1.3 }
        .reduce(0) { $0 + $1.1 }
    }
    for (number, hertz) in [500, 1000, 2000, 4000.0].enumerated() {
      let found = Math.decibels(amplitude: octave(hertz) / octave(1000)) / 2
      #expect(abs(found - step * Double(number - 1)) < 0.9, "\(hertz)")
    }
  }

  @Test func `bursts last 50 ms of every half second`() {
    let bursts = TestSignal(.bursts).sound(sampleRate: 8000, channels: 1, frameCount: 8000)
      .channels[0]
    #expect(bursts[400..<4000].allSatisfy { $0 == 0 })
    #expect(bursts[0..<400] == bursts[4000..<4400])
    #expect(bursts[..<400].contains { $0 > 0.2 })
  }

  @Test func `an impulse is one sample at its time`() {
    var signal = TestSignal(.impulse)
    signal.start = 0.1
    signal.level = 0
    let impulse = signal.sound(sampleRate: 1000, channels: 2, frameCount: 500)
    #expect(impulse.channels[1].firstIndex(of: 1) == 100)
    #expect(impulse.channels[1].reduce(0, +) == 1)
  }

  @Test func `a second of programme has pauses, quiet, loud and own channels`() {
    let sound = TestSignal(.programme).sound(sampleRate: 8000, channels: 2, frameCount: 8000)
    #expect(sound.channels[0] != sound.channels[1])
    let windows = stride(from: 0, to: 8000, by: 80).map { start in
      sound.channels[0][start..<start + 80].reduce(0) { max($0, abs($1)) }
    }
    #expect(windows.count { $0 == 0 } >= 15)
    #expect(windows.contains { $0 > 0 && $0 < 0.004 })
    // The click reaches the peak.
    #expect(sound.peak == Float(Math.amplitude(decibels: -12.0)))
    // Left and right share a part.
    let product = zip(sound.channels[0], sound.channels[1]).reduce(0) { $0 + $1.0 * $1.1 }
    let energy = sound.channels[0].reduce(0) { $0 + $1 * $1 }
    #expect(product > 0.3 * energy)
    #expect(product < 0.98 * energy)
  }

  @Test func `invalid figures do no harm`() {
    for kind in TestSignal.Kind.allCases {
      for strange in [Double.nan, .infinity, -1, 0, 1e300] {
        var signal = TestSignal(kind)
        signal.frequency = strange
        signal.from = strange
        signal.start = strange
        signal.level = strange
        let sound = signal.sound(sampleRate: strange, channels: 2, frameCount: 300)
        #expect(sound.frameCount == 300)
      }
      #expect(
        TestSignal(kind).sound(sampleRate: 48000, channels: -1, frameCount: -1).frameCount == 0)
    }
  }

  @Test func `a signal that is impossible at a rate has a reason`() {
    var signal = TestSignal(.tone)
    #expect(signal.mistake(sampleRate: 48000) == nil)
    signal.frequency = 30000
    #expect(
      signal.mistake(sampleRate: 48000)
        == "a frequency lies above 0 and below 24000 Hz, half the sample rate")
    signal.level = .nan
    #expect(signal.mistake(sampleRate: 48000) == "a level is -200 to 60 dB")
  }
}
