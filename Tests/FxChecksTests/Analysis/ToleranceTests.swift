import FxAudio
@testable import FxChecks
import FxUnits
import Testing

@Suite struct ToleranceTests {
  private let sound = ComparisonTests.sound

  /// The sound with a difference of up to -80 dB.
  private var near: Sound {
    let noise = TestSignal(.noise).sound(
      sampleRate: 48000, channels: 2, frameCount: sound.frameCount)
    let scale = Float(Math.amplitude(decibels: -80.0)) / noise.peak
    return Sound(
      channels: zip(sound.channels, noise.channels).map { zip($0, $1).map { $0 + $1 * scale } },
      sampleRate: 48000)
  }

  /// The result of `accepts`, which must agree with that of `isWithin`.
  private func holds(_ tolerance: Tolerance, _ expected: Sound, _ actual: Sound) -> Bool {
    let accepts = tolerance.accepts(expected: expected, actual: actual)
    #expect(Comparison(expected: expected, actual: actual).isWithin(tolerance) == accepts)
    return accepts
  }

  @Test func `exact is the same bits and nothing else`() {
    #expect(holds(.exact, sound, sound))
    #expect(!holds(.exact, sound, near))
    let zero = Sound(channels: [[0, 1]], sampleRate: 48000)
    let minus = Sound(channels: [[-0.0, 1]], sampleRate: 48000)
    #expect(!holds(.exact, zero, minus))
    #expect(holds(Tolerance(peak: -300), zero, minus))
  }

  @Test func `a peak holds to a tenth of a decibel on either side`() {
    #expect(holds(Tolerance(peak: -79.9), sound, near))
    #expect(!holds(Tolerance(peak: -80.1), sound, near))
  }

  @Test func `the RMS is that of the difference`() {
    // Evenly distributed noise has an RMS of 4.77 dB below its peak.
    #expect(holds(Tolerance(rms: -84.5), sound, near))
    #expect(!holds(Tolerance(rms: -85), sound, near))
  }

  @Test func `every given limit has to hold`() {
    #expect(holds(Tolerance(peak: -79, rms: -84, spectral: 6), sound, near))
    #expect(!holds(Tolerance(peak: -79, rms: -90), sound, near))
  }

  @Test func `a spectral tolerance is about the levels of thirds of an octave`() {
    let gain = Float(Math.amplitude(decibels: 1.0))
    let louder = ComparisonTests.changed { $2 * gain }
    #expect(holds(Tolerance(spectral: 1.01), sound, louder))
    #expect(!holds(Tolerance(spectral: 0.99), sound, louder))
    // A different phase does not change the spectrum.
    #expect(holds(Tolerance(spectral: 0.1), sound, ComparisonTests.changed { -$2 }))
  }

  @Test func `thirds of an octave below -80 dB are ignored`() {
    var tone = TestSignal(.tone)
    tone.level = -90
    let quiet = tone.sound(sampleRate: 48000, channels: 1, frameCount: 24000)
    let silence = TestSignal(.silence).sound(sampleRate: 48000, channels: 1, frameCount: 24000)
    #expect(holds(Tolerance(spectral: 0), quiet, silence))
    tone.level = -60
    let audible = tone.sound(sampleRate: 48000, channels: 1, frameCount: 24000)
    #expect(!holds(Tolerance(spectral: 10), audible, silence))
  }

  @Test func `NaN and infinity are within no tolerance`() {
    #expect(
      !holds(
        Tolerance(peak: 60, spectral: 200), sound, ComparisonTests.changed { $1 == 7 ? .nan : $2 }))
  }

  @Test func `length, channels and rate must always be equal`() {
    let cut = Sound(channels: sound.channels.map { Array($0.dropLast()) }, sampleRate: 48000)
    #expect(!holds(Tolerance(peak: 60), sound, cut))
    #expect(!holds(Tolerance(peak: 60), sound, Sound(channels: sound.channels, sampleRate: 44100)))
    #expect(
      !holds(Tolerance(peak: 60), sound, Sound(channels: [sound.channels[0]], sampleRate: 48000)))
  }

  @Test(arguments: [
    ("exact", Tolerance.exact), ("-90 dB", Tolerance(peak: -90)), ("-90", Tolerance(peak: -90)),
    ("peak=-90", Tolerance(peak: -90)), ("rms = -100 dB", Tolerance(rms: -100)),
    ("peak=-90,rms=-100dB, spectral=0.5", Tolerance(peak: -90, rms: -100, spectral: 0.5)),
  ])
  func `a tolerance is read from a text`(_ text: String, _ tolerance: Tolerance) throws {
    #expect(try Tolerance(text) == tolerance)
    #expect(try Tolerance(tolerance.description) == tolerance)
  }

  @Test(arguments: [
    (
      "",
      "a tolerance is a level like '-90 dB', 'exact', or like 'peak=-90,rms=-100,spectral=0.5', not ''"
    ),
    (
      "huge",
      "a tolerance is a level like '-90 dB', 'exact', or like 'peak=-90,rms=-100,spectral=0.5', not 'huge'"
    ),
    ("peak=", "peak is a level like '-90 dB', not ''"),
    ("peak=inf", "peak is a level like '-90 dB', not 'inf'"),
    ("peak=-9000", "peak is -400 to 0 dB, not -9000"),
    ("3 dB", "a tolerance is -400 to 0 dB, not 3 dB: above full scale every sound would pass"),
    ("rms=0.1", "rms is -400 to 0 dB, not 0.1: above full scale every sound would pass"),
    ("spectral=-1", "spectral is 0 to 200 dB, not '-1'"),
    ("peak=-90,", "a comma is followed by another limit, like rms=-100"),
    ("peak=-90,peak=-80", "'peak' is given twice"),
    ("pitch=1", "'pitch' is no tolerance; there are peak, rms and spectral"),
  ])
  func `an invalid text is refused with the reason`(_ text: String, _ message: String) {
    #expect(throws: Failure.self) { try Tolerance(text) }
    do throws(Failure) { _ = try Tolerance(text) } catch {
      #expect(error.message == message)
    }
  }

  @Test func `a comparison names the limits of a tolerance that do not hold`() throws {
    let comparison = Comparison(expected: sound, actual: near)
    let beyond = try #require(comparison.line(about: Tolerance(peak: -90, rms: -80)))
    #expect(
      beyond == "beyond the tolerance: peak -80.0 dB, -90 dB is allowed at most; "
        + "RMS -84.7 dB, -80 dB allowed")
    #expect(comparison.line(about: Tolerance(rms: -80))?.hasPrefix("within the tolerance") == true)
    #expect(comparison.line(about: .exact) == nil)
  }
}
