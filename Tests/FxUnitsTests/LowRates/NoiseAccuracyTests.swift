import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Mixers, and units and signals that make noise, at low sample rates.
@Suite struct `Mixes and noises at low sample rates` {
  /// The RMS of what a unit adds to silence, in decibels, after its first second.
  private func added(_ id: String, _ rate: Double, _ parameters: [String: Double]) throws -> Double
  {
    let output = try LowRates.unit(id, rate, parameters).render([Signal.silence(Int(5 * rate))])[0]
    return Math.decibels(amplitude: Measured.rms(output[Int(rate)...]))
  }

  private func rendered(_ signal: TestSignal, seconds: Int, _ rate: Double) -> [Float] {
    var sound = Signal.silence(seconds * Int(rate))
    var generator = SignalGenerator(
      signal, sampleRate: rate, channels: 1, frameCount: sound.count)
    sound.withUnsafeMutableBufferPointer { sound in
      guard var channel = sound.baseAddress else { return }
      #expect(generator.read(into: &channel, frameCount: sound.count) == sound.count)
    }
    return sound
  }

  @Test(arguments: LowRates.all) func `a mixer has its gains and pans`(_ rate: Double) throws {
    let strips = [ListItem(id: "first"), ListItem(id: "second")]
    let unit = try LowRates.unit(
      "mixer", rate, widths: [1, 1], options: ["channels": .number(2)], items: strips,
      ["gain": -2, "strips.first.gain": -6, "strips.second.gain": 3, "strips.second.pan": 1])
    let output = unit.render([
      LowRates.constant(-10, Int(rate / 4)), LowRates.constant(-20, Int(rate / 4)),
    ])
    let first: Double = Math.amplitude(decibels: -18)
    let both = first + Math.amplitude(decibels: -19)
    for (channel, wanted) in zip(output, [first, both]) {
      #expect(abs(Double(channel[Int(rate / 5)]) - wanted) < 1e-5)
    }
  }

  @Test(arguments: LowRates.all)
  func `a record has the levels of its surface and its rumble`(_ rate: Double) throws {
    let still = ["wow": 0.0, "flutter": 0, "clicks": 0, "treble": min(20000, rate * 0.49)]
    let silent = -Double.infinity
    let surface = try added("vinyl", rate, still.merging(["noise": -30, "rumble": silent]) { $1 })
    let rumble = try added("vinyl", rate, still.merging(["noise": silent, "rumble": -30]) { $1 })
    #expect(abs(surface + 30) < 1, "\(surface) dB")
    #expect(abs(rumble + 30) < 1, "\(rumble) dB")
  }

  @Test(arguments: LowRates.all) func `a record has its number of clicks`(_ rate: Double) throws {
    let silent = -Double.infinity
    let values = [
      "wow": 0, "flutter": 0, "clicks": 5, "clickLevel": 0, "noise": silent, "rumble": silent,
    ]
    let output = try LowRates.unit("vinyl", rate, values).render([Signal.silence(Int(20 * rate))])[
      0]
    // A click is over after 50 ms.
    var count = 0
    var last = -rate
    for (frame, sample) in output.enumerated() where abs(sample) > 1e-4 {
      if Double(frame) - last > 0.02 * rate { count += 1 }
      last = Double(frame)
    }
    // 100, of which some fall together.
    #expect(count > 65 && count < 120, "\(count)")
  }

  @Test(arguments: LowRates.all) func `a tape has the level of its hiss, and its own`(
    _ rate: Double
  ) throws {
    let treble = min(20000, rate * 0.49)
    let still = ["wow": 0.0, "flutter": 0, "drive": 0, "level": 0, "treble": treble]
    let hiss = try added("tape", rate, still.merging(["hiss": -30]) { $1 })
    #expect(abs(hiss + 30) < 1.5, "\(hiss) dB")
    let tone = LowRates.tone(500, rate, decibels: -30)
    let quiet = still.merging(["hiss": -Double.infinity, "level": -6]) { $1 }
    let output = try LowRates.unit("tape", rate, quiet).render([tone])[0]
    let level = LowRates.level(output[Int(rate / 2)..<Int(rate)], at: 500, rate)
    #expect(abs(level + 36) < 0.3, "\(level) dB")
  }

  @Test(arguments: LowRates.all)
  func `a speech denoiser turns noise alone down`(_ rate: Double) throws {
    let count = Int(4 * rate)
    let noise = Signal.noise(count, seed: 9).map { 0.01 * $0 }
    let output = try LowRates.unit("speechDenoise", rate, ["reduction": 18]).render([noise])[0]
    let part = Int(2 * rate)..<count
    let down = Math.decibels(amplitude: Measured.rms(noise[part]) / Measured.rms(output[part]))
    #expect(down > 12 && down < 18.5, "\(down) dB")
  }

  @Test(arguments: LowRates.all) func `test noises have their levels`(_ rate: Double) {
    for kind in [TestSignal.Kind.noise, .pinkNoise, .brownNoise, .blueNoise, .violetNoise] {
      var signal = TestSignal(kind)
      signal.level = -6
      let sound = rendered(signal, seconds: 10, rate)
      // Evenly distributed noise is 4.77 dB below its peak, coloured noise 12.
      let wanted = kind == .noise ? -10.77 : -18
      let level = Math.decibels(amplitude: Measured.rms(sound))
      #expect(abs(level - wanted) < (kind == .brownNoise ? 1.5 : 0.5), "\(kind): \(level) dB")
    }
  }

  @Test(arguments: LowRates.all) func `test tones have their frequency and level`(_ rate: Double) {
    var signal = TestSignal(.tone)
    (signal.level, signal.frequency) = (-3, 1234.5)
    let sound = rendered(signal, seconds: 1, rate)
    #expect(abs(LowRates.level(sound, at: 1234.5, rate) + 3) < 0.01)
    #expect(LowRates.difference(sound, rate) { 0.707_946 * LowRates.sine(1234.5, $0) } < 1e-4)
  }
}
