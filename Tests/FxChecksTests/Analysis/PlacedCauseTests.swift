import FxAudio
@testable import FxChecks
import FxUnits
import Testing

/// Changes of a part of a sound, added tones and single samples, as the comparison names them.
@Suite struct PlacedCauseTests {
  /// 24 bits, as in most recordings.
  private static let sound = integers(
    TestSignal(.programme).sound(sampleRate: 48000, channels: 2, frameCount: 72000))

  private static func integers(_ sound: Sound) -> Sound {
    Sound(
      channels: sound.channels.map { $0.map { ($0 * 0x1p23).rounded() * 0x1p-23 } },
      sampleRate: sound.sampleRate)
  }

  private func compared(_ change: (Int, Int, Float) -> Float) -> Comparison {
    var sound = Self.sound
    for channel in sound.channels.indices {
      for frame in 0..<sound.frameCount {
        sound.channels[channel][frame] = change(channel, frame, sound.channels[channel][frame])
      }
    }
    return Comparison(expected: Self.sound, actual: Self.integers(sound))
  }

  private static func tone(_ hertz: Double, _ frame: Int, _ level: Double) -> Float {
    Float(
      level * Math.sin(2 * .pi * (hertz * Double(frame) / 48000).truncatingRemainder(dividingBy: 1))
    )
  }

  @Test func `an offset from a moment on is no tone`() {
    let on = compared { $1 >= 36000 ? $2 + 0.01 : $2 }
    #expect(on.causes.map(\.kind) == [.offset])
    #expect(
      on.lines[0]
        == "a positive DC offset of -40.0 dB was added from frame 36000 (0.750 s) on, nothing else")
    let span = compared { $0 == 1 && (20000..<30000).contains($1) ? $2 - 0.01 : $2 }
    #expect(
      span.lines[0] == "a negative DC offset of -40.0 dB on right was added between "
        + "frame 20000 (0.417 s) and frame 30000 (0.625 s), nothing else")
  }

  @Test func `hum and tones are no noise`() {
    let hum = compared { $2 + Self.tone(50, $1, 0.003) + Self.tone(150, $1, 0.001) }
    #expect(hum.causes.map(\.kind) == [.tone])
    #expect(hum.lines[0].hasPrefix("hum of 50 Hz with an RMS of "), "\(hum.lines)")
    #expect(hum.lines[0].contains(" was added: 50 Hz and 150 Hz"), "\(hum.lines)")
    let tones = compared { $2 + Self.tone(1000, $1, 0.002) + Self.tone(3137, $1, 0.002) }
    #expect(tones.causes.map(\.kind) == [.tone])
    #expect(tones.lines[0].hasPrefix("2 tones with an RMS of "), "\(tones.lines)")
    #expect(
      tones.lines[0].hasSuffix(" were added: 1 kHz and 3.137 kHz, nothing else"), "\(tones.lines)")
  }

  @Test func `a tone beside something else is not the whole difference`() {
    let other = TestSignal(.noise).sound(sampleRate: 48000, channels: 1, frameCount: 72000)
    let both = compared { $2 + Self.tone(997, $1, 0.003) + 1e-3 * other.channels[0][$1] }
    #expect(both.causes.map(\.kind) == [.tone, .noise])
    #expect(!both.lines[0].contains("nothing else"), "\(both.lines)")
    let chirp = compared { $2 + Self.tone(200 + Double($1) / 1000, $1, 0.003) }
    #expect(!chirp.lines[0].contains("nothing else"), "\(chirp.lines)")
  }

  @Test func `noise is estimated, so that something may be in it`() {
    let other = TestSignal(.noise).sound(sampleRate: 48000, channels: 1, frameCount: 72000)
    let noise = compared { $2 + 1e-3 * other.channels[0][$1] }
    #expect(noise.causes.map(\.kind) == [.noise])
    #expect(noise.lines[0].hasSuffix(" was added"), "\(noise.lines)")
  }

  @Test func `single steps of integer samples are no noise`() {
    let steps = compared { $1 % 1000 == 0 ? $2 + 0x1p-23 : $2 }
    #expect(steps.causes.map(\.kind) == [.steps])
    #expect(
      steps.lines[0]
        == "144 samples are one step of 24 bits higher, the first at frame 0 (0.000 s), nothing else"
    )
  }

  @Test func `clicks are counted`() {
    let clicks = compared { $0 == 0 && [5000, 9000, 60000].contains($1) ? $2 + 0.1 : $2 }
    #expect(clicks.causes.map(\.kind) == [.clicks])
    #expect(
      clicks.lines[0] == "3 clicks of up to 1 frame on left by up to -20.0 dB, "
        + "the first at frame 5000 (0.104 s), nothing else")
  }

  @Test func `polarity, order, mono and latency are named from a moment on`() {
    let then = Self.sound.channels
    let place = "from frame 30000 (0.625 s) on"
    #expect(
      compared { $1 >= 30000 ? -$2 : $2 }.lines[0]
        == "its polarity is inverted \(place), nothing else")
    #expect(
      compared { $1 >= 30000 && $0 == 1 ? -$2 : $2 }.lines[0]
        == "the polarity of right is inverted \(place), nothing else")
    let swapped = compared { $1 >= 30000 ? then[1 - $0][$1] : $2 }
    #expect(swapped.causes.map(\.kind) == [.channelOrder])
    #expect(swapped.lines[0] == "left and right are swapped \(place), nothing else")
    let mono = compared { $1 >= 30000 ? (then[0][$1] + then[1][$1]) / 2 : $2 }
    #expect(mono.causes.map(\.kind) == [.mono])
    #expect(
      mono.lines[0] == "mono: both channels are the mean of left and right \(place), nothing else")
    let right = compared { $1 >= 30000 && $0 == 1 ? then[1][$1 - 7] : $2 }
    #expect(right.causes.map(\.kind) == [.channelLag])
    #expect(right.lines[0] == "right is 7 frames (0.15 ms) later \(place), nothing else")
    let later = compared { (20000..<40000).contains($1) ? then[$0][$1 - 300] : $2 }
    #expect(later.causes.map(\.kind) == [.latency])
    #expect(later.lines[0].hasPrefix("300 frames (6.25 ms) later between frame "))
  }

  @Test func `the same change in several places is one cause`() {
    let places = compared { ($1 / 9000) % 3 == 1 ? -$2 : $2 }
    #expect(places.causes.map(\.kind) == [.polarity])
    #expect(places.lines[0].hasSuffix("and in 2 other places, nothing else"), "\(places.lines)")
  }

  @Test func `two causes that hide each other are both found`() {
    let click = compared { 0.9 * $2 + ($1 == 30000 ? 0.3 : 0) }
    #expect(click.causes.map(\.kind) == [.gain, .clicks])
  }

  @Test func `another speed leaves a rest`() {
    let then = Self.sound.channels
    let slower = compared { channel, frame, _ in
      let place = Double(frame) * 0.999
      let (whole, part) = (Int(place), Float(place - place.rounded(.down)))
      return then[channel][whole] * (1 - part) + then[channel][whole + 1] * part
    }
    #expect(!slower.lines[0].contains("nothing else"), "\(slower.lines)")
  }
}
