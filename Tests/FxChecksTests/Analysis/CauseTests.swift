import FxAudio
@testable import FxChecks
import FxUnits
import Testing

/// Changes to a sound, as the comparison names them.
@Suite struct CauseTests {
  private static let sound = TestSignal(.programme).sound(
    sampleRate: 48000, channels: 2, frameCount: 72000)

  private typealias Kind = Comparison.Cause.Kind

  private func changed(_ change: (Int, Int, Float) -> Float) -> Sound {
    var sound = Self.sound
    for channel in sound.channels.indices {
      for frame in 0..<sound.frameCount {
        sound.channels[channel][frame] = change(channel, frame, sound.channels[channel][frame])
      }
    }
    return sound
  }

  private func compared(_ actual: Sound) -> Comparison {
    Comparison(expected: Self.sound, actual: actual)
  }

  private func kinds(_ actual: Sound) -> [Comparison.Cause.Kind] {
    compared(actual).causes.map(\.kind)
  }

  private func mapped(_ change: ([Float]) -> [Float]) -> Sound {
    Sound(channels: Self.sound.channels.map(change), sampleRate: 48000)
  }

  private var noise: Sound {
    var signal = TestSignal(.noise)
    (signal.level, signal.seed) = (-60, 7)
    return signal.sound(sampleRate: 48000, channels: 2, frameCount: 72000)
  }

  @Test func `an offset is named with its level`() {
    let comparison = compared(changed { $2 + 0.001 })
    #expect(comparison.causes.map(\.kind) == [.offset])
    #expect(comparison.lines[0] == "a positive DC offset of -60.0 dB was added, nothing else")
    #expect(compared(changed { $0 == 1 ? $2 - 0.001 : $2 }).lines[0].contains("on right"))
  }

  @Test func `mono and another width are named`() {
    let then = Self.sound.channels
    #expect(kinds(changed { (then[0][$1] + then[1][$1]) / 2 + 0 * $2 * Float($0) }) == [.mono])
    let narrower = compared(
      changed { channel, frame, sample in
        sample * 0.95 + then[1 - channel][frame] * 0.05
      })
    #expect(narrower.causes.map(\.kind) == [.width])
    #expect(
      narrower.lines[0] == "narrower: the sides (left - right) 0.92 dB quieter, nothing else")
  }

  @Test func `the lag of one channel is named`() {
    let comparison = compared(
      changed { channel, frame, sample in
        channel == 0 ? sample : frame < 3 ? 0 : Self.sound.channels[1][frame - 3]
      })
    #expect(comparison.causes.map(\.kind) == [.channelLag])
    #expect(comparison.lines[0] == "right is 3 frames (0.06 ms) later, nothing else")
  }

  @Test func `a part of a frame is named`() {
    // Halfway between the frames, by a windowed sinc.
    let taps = (-24...23).map { tap -> Float in
      let distance = 0.5 + Double(tap)
      let window = 0.5 + 0.5 * Math.cos(.pi * distance / 25)
      return Float((tap % 2 == 0 ? 1.0 : -1.0) / (.pi * distance) * window)
    }
    let actual = mapped { samples in
      samples.indices.map { frame in
        var sum: Float = 0
        for (index, tap) in taps.enumerated() {
          let source = frame + index - 24
          if samples.indices.contains(source) { sum += tap * samples[source] }
        }
        return sum
      }
    }
    let comparison = compared(actual)
    #expect(comparison.causes.first?.kind == .fractionalLag)
    #expect(comparison.lines[0].hasPrefix("0.50 frames (0.01 ms) "))
  }

  @Test func `missing, repeated and inserted frames in the middle are named with their place`() {
    let cut = compared(mapped { Array($0[..<30000] + $0[30480...]) })
    #expect(cut.causes.map(\.kind) == [.missingFrames])
    #expect(
      cut.lines[0] == "480 frames (10 ms) are missing at frame 30000 (0.625 s), nothing else")
    let again = mapped { Array($0[..<3000] + $0[2520..<3000] + $0[3000...]) }
    #expect(kinds(again) == [.repeatedFrames])
    let gap = mapped { Array($0[..<3000] + [Float](repeating: 0, count: 960) + $0[3000...]) }
    #expect(kinds(gap) == [.insertedSilence])
  }

  @Test func `a cut with silence added at the end is found by where the sound continues`() {
    let filled = mapped { Array($0[..<30000] + $0[30480...] + [Float](repeating: 0, count: 480)) }
    #expect(kinds(filled).first == .missingFrames)
  }

  @Test func `silence in the middle is named`() {
    let comparison = compared(changed { $1 >= 1000 && $1 < 1240 ? 0 : $2 })
    #expect(comparison.causes.map(\.kind) == [.dropout])
    #expect(
      comparison.lines[0]
        == "it is silent for 240 frames (5 ms) at frame 1000 (0.021 s), nothing else")
  }

  @Test func `a missing beginning is not reported as a latency`() {
    let first = 2000
    let short = compared(mapped { Array($0[first...]) })
    #expect(short.category == .length)
    #expect(short.causes.map(\.kind) == [.missingStart])
    #expect(
      short.lines == [
        "its first 2000 frames (41.7 ms) are missing; the rest is the same to the bit"
      ])
    let filled = compared(mapped { Array($0[first...] + [Float](repeating: 0, count: first)) })
    #expect(filled.category == .length)
    #expect(filled.causes.first?.kind == .missingStart)
  }

  @Test func `truncation is no rounding`() {
    let cut = compared(changed { ($2 * 0x1p15).rounded(.down) * 0x1p-15 })
    #expect(cut.causes.map(\.kind) == [.truncation])
    #expect(cut.lines[0] == "truncated to 16 bits (downwards), not rounded, nothing else")
    let rounded = compared(changed { ($2 * 0x1p11).rounded() * 0x1p-11 })
    #expect(rounded.causes.map(\.kind) == [.rounding])
    #expect(rounded.lines[0] == "the same but for rounding to 12 bits")
  }

  @Test func `clipping is named, and the gain before it`() {
    #expect(kinds(changed { min(max($2, -0.1), 0.1) }) == [.clipping])
    let louder = compared(changed { min(max($2 * 2, -0.2), 0.2) })
    #expect(louder.causes.map(\.kind) == [.clipping])
    #expect(louder.lines[0].hasPrefix("6.02 dB louder and clipped at -14.0 dB: "))
  }

  @Test func `a gain is no distortion because of one peak that is cut`() {
    let peak = Self.sound.peak
    let louder = compared(changed { min(max($2 * 1.12, -1.05 * peak), 1.05 * peak) })
    #expect(louder.causes.first?.kind == .gain)
  }

  @Test func `a gain that starts at a moment is named with it`() {
    let comparison = compared(changed { $1 < 3000 ? $2 : $2 * 1.1 })
    #expect(comparison.causes.map(\.kind) == [.gainChange])
    #expect(comparison.lines[0] == "0.83 dB louder from frame 3000 (0.063 s) on, nothing else")
  }

  @Test func `added noise is named, also after a gain`() {
    let noise = noise.channels
    #expect(kinds(changed { $2 + noise[$0][$1] }) == [.noise])
    let louder = compared(changed { $2 * 1.2 + noise[$0][$1] })
    #expect(louder.causes.map(\.kind) == [.gain, .noise])
    #expect(louder.lines[0].hasPrefix("mostly 1.58 dB louder, then noise with an RMS of -64.8 dB"))
  }

  @Test func `the main cause of a mixed change comes first`() {
    var state: (Float, Float) = (0, 0)
    var filtered = changed { channel, frame, sample in
      if frame == 0 { state = (0, 0) }
      defer { state.0 = sample }
      return sample + 0.3 * state.0
    }
    #expect(kinds(filtered) == [.filter])
    filtered.channels = filtered.channels.map {
      [Float](repeating: 0, count: 64) + $0.dropLast(64)
    }
    let comparison = compared(filtered)
    #expect(comparison.causes.map(\.kind) == [.latency, .filter])
    #expect(
      comparison.lines[0].hasPrefix(
        "mostly 64 frames (1.33 ms) later, then a filter: -3.05 dB at 25 kHz"))
  }

  @Test func `a sound that runs backwards is named`() {
    #expect(compared(mapped { $0.reversed() }).lines[0] == "it runs backwards, nothing else")
  }

  @Test func `a different sound has no cause`() {
    var signal = TestSignal(.programme)
    signal.seed = 99
    let comparison = compared(
      signal.sound(sampleRate: 48000, channels: 2, frameCount: 72000))
    #expect(comparison.causes.isEmpty)
    #expect(comparison.lines[0].hasPrefix("cause unknown: differs by up to "))
  }

  @Test func `sounds of unusual shapes are compared`() {
    for count in [1, 17, 255, 300, 5000] {
      let cut = Sound(
        channels: Self.sound.channels.map { Array($0[4000..<4000 + count]) }, sampleRate: 48000)
      var other = cut
      other.channels[1] = other.channels[1].map { -$0 * $0 + 0.01 }
      _ = Comparison(expected: cut, actual: other)
      other.channels = other.channels.map { $0 + [0.5] }
      _ = Comparison(expected: cut, actual: other)
      _ = Comparison(expected: other, actual: cut)
    }
  }
}
