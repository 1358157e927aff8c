import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct PitchDetectorTests {
  /// The frequencies and clarities that are measured in a signal, and the frames of the measurements.
  private func measure(
    _ signal: [Float], sampleRate: Double = 48000
  ) -> (frames: [Int], frequencies: [Double], clarities: [Double]) {
    var detector = PitchDetector(sampleRate: sampleRate)
    var (frames, frequencies, clarities): ([Int], [Double], [Double]) = ([], [], [])
    for (frame, sample) in signal.enumerated() where detector.take(sample) {
      frames.append(frame)
      frequencies.append(detector.frequency)
      clarities.append(detector.clarity)
    }
    return (frames, frequencies, clarities)
  }

  @Test(arguments: [30.0, 110, 440, 1500], [44100.0, 48000])
  func `the pitch of a tone is right within a fiftieth of a percent`(
    hertz: Double, rate: Double
  ) throws {
    let found = measure(
      Signal.tone(hertz, decibels: -20, sampleRate: rate, Int(rate / 4)), sampleRate: rate)
    let last = try #require(found.frequencies.last)
    #expect(abs(last / hertz - 1) < 2e-4)
    #expect(try #require(found.clarities.last) > 0.95)
  }

  @Test func `a rich sound has the pitch of its period, not of a harmonic`() throws {
    // The second and the third harmonic are louder than the first.
    let partials = [(110.0, -30.0), (220, -12), (330, -12), (440, -20)].map {
      Signal.tone($0, decibels: $1, 6000)
    }
    let sum = (0..<6000).map { frame in partials.reduce(0) { $0 + $1[frame] } }
    #expect(abs(try #require(measure(sum).frequencies.last) - 110) < 0.05)
  }

  @Test func `silence and noise have no pitch`() {
    let silence = measure(Signal.silence(6000))
    #expect(!silence.frames.isEmpty)
    #expect(silence.frequencies.allSatisfy { $0 == 0 } && silence.clarities.allSatisfy { $0 == 0 })
    #expect(measure(Signal.noise(8000)).frequencies.allSatisfy { $0 == 0 })
  }

  @Test func `it measures a window of three periods of 25 Hz, and again after each`() {
    // A quarter of the rate has 480 samples in a period; the window grows by 16 samples.
    #expect(measure(Signal.tone(440, 11000)).frames == [1440, 1920, 2400].map { $0 * 4 - 1 })
  }

  @Test func `a cleared detector forgets the sound`() {
    var detector = PitchDetector(sampleRate: 48000)
    for sample in Signal.tone(440, 6000) { _ = detector.take(sample) }
    let before = detector.frequency
    detector.clear()
    let (cleared, clarity) = (detector.frequency, detector.clarity)
    var frames: [Int] = []
    for (frame, sample) in Signal.tone(220, decibels: -6, 5760).enumerated()
    where detector.take(sample) {
      frames.append(frame)
    }
    let after = detector.frequency
    #expect(abs(before - 440) < 0.2 && cleared == 0 && clarity == 0)
    #expect(frames == [5759])
    #expect(abs(after - 220) < 0.1)
  }

  @Test func `samples that are not finite do no harm`() {
    var signal = Signal.tone(440, 8000)
    signal[100] = .nan
    signal[5000] = .infinity
    let found = measure(signal)
    #expect(found.frequencies.allSatisfy { $0.isFinite } && found.clarities.allSatisfy { $0 <= 1 })
  }
}
