import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Units that mix, colour or clean at low sample rates.
@Suite struct `Colours at low sample rates` {
  /// The level of a tone behind a unit, in decibels, without its beginning.
  private func level(
    _ id: String, _ rate: Double, _ hertz: Double, of heard: Double? = nil,
    options: [String: OptionValue] = [:], _ parameters: [String: Double] = [:]
  ) throws -> Double {
    let tone = LowRates.tone(hertz, rate, decibels: -12)
    let output = try LowRates.unit(id, rate, options: options, parameters).render([tone])[0]
    return LowRates.level(output[Int(rate / 2)..<Int(rate)], at: heard ?? hertz, rate)
  }

  @Test(arguments: LowRates.all) func `surround folds by the table of BS.775`(_ rate: Double) throws
  {
    // L R C LFE Ls Rs
    let tones = (0..<6).map { LowRates.tone(300 + 100 * Double($0), rate, seconds: 0.1) }
    let half = Float(0.5.squareRoot())
    let stereo = try LowRates.unit("downmix", rate, widths: [6], options: ["channels": .number(2)])
      .render(tones)
    for side in 0...1 {
      let wanted = tones[0].indices.map {
        tones[side][$0] + half * tones[2][$0] + half * tones[4 + side][$0]
      }
      #expect(Measured.difference(stereo[side], wanted) < -80)
    }
  }

  @Test(arguments: LowRates.all)
  func `the far ear hears the bass by the separation below the near one`(_ rate: Double) throws {
    for separation in [3.0, 9.5] {
      let tone = LowRates.tone(20, rate)
      let ears = try LowRates.unit(
        "crossfeed", rate, widths: [2], ["separation": separation, "frequency": 2000]
      ).render([tone, Signal.silence(tone.count)])
      let levels = ears.map { LowRates.level($0[Int(rate / 2)..<Int(rate)], at: 20, rate) }
      #expect(abs(levels[0] - levels[1] - separation) < 0.1, "\(levels)")
    }
  }

  @Test(arguments: LowRates.all) func `a cabinet has its response`(_ rate: Double) throws {
    for speaker in ["1x10", "1x12", "2x12", "4x12"] {
      for hertz in [60.0, 120, 400, 1000, 2500] {
        let options: [String: OptionValue] = ["speaker": .text(speaker)]
        let low = try level("cabinet", rate, hertz, options: options)
        let high = try level("cabinet", 48000, hertz, options: options)
        // Below 16 kHz the impulse follows its curve less closely.
        #expect(
          abs(low - high) < (rate < 16000 ? 1.5 : 0.5), "\(speaker) \(hertz) Hz: \(low), \(high)")
      }
    }
  }

  @Test(arguments: LowRates.all) func `an exciter and a saturator add their harmonics`(
    _ rate: Double
  ) throws {
    let excited = ["frequency": 500.0, "amount": 0]
    for (id, harmonic, values) in [
      ("exciter", 2.0, excited), ("exciter", 3, excited), ("saturator", 3, ["drive": 12.0]),
      ("amp", 2, ["drive": 30]), ("amp", 3, ["drive": 30]),
    ] {
      let low = try level(id, rate, 600, of: 600 * harmonic, values)
      let high = try level(id, 48000, 600, of: 600 * harmonic, values)
      #expect(abs(low - high) < 0.7, "\(id), harmonic \(harmonic): \(low), \(high)")
    }
  }

  @Test(arguments: LowRates.all)
  func `a transient shaper raises a beginning by its gain`(_ rate: Double) throws {
    // A step of a constant level: the beginning is raised by all of it.
    let step = Signal.silence(Int(rate / 2)) + LowRates.constant(-20, Int(rate))
    let output = try LowRates.unit("transient", rate, ["attack": 6]).render([step])[0]
    let beginning = output[Int(rate / 2)..<Int(0.505 * rate)].map(LowRates.level).max() ?? 0
    #expect(abs(beginning + 14) < 0.5, "\(beginning)")
    #expect(abs(LowRates.level(output[Int(1.4 * rate)]) + 20) < 0.1)
  }

  @Test(arguments: LowRates.all) func `noise alone is turned down by the reduction`(
    _ rate: Double
  ) throws {
    let noise = Signal.noise(Int(4 * rate), seed: 9).map { 0.05 * $0 }
    let unit = try LowRates.unit(
      "denoise", rate, options: ["learn": .text("always")], ["reduction": 18])
    let output = unit.render([noise])[0]
    let part = Int(2 * rate)..<Int(4 * rate)
    let down = Math.decibels(amplitude: Measured.rms(noise[part]) / Measured.rms(output[part]))
    #expect(down > 15 && down < 18.5, "\(down) dB")
  }

  @Test(arguments: LowRates.all)
  func `loudspeakers over headphones have the levels of a high rate`(_ rate: Double) throws {
    func levels(_ rate: Double, _ hertz: Double) throws -> [Double] {
      let tone = LowRates.tone(hertz, rate)
      let ears = try LowRates.unit(
        "binaural", rate, widths: [2], options: ["hrtf": .text("")]
      ).render([tone, Signal.silence(tone.count)])
      return ears.map { LowRates.level($0[Int(rate / 2)..<Int(rate)], at: hertz, rate) }
    }
    // Without a SOFA file, with the ears of a sphere.
    for hertz in [100.0, 300, 500] {
      for (low, high) in zip(try levels(rate, hertz), try levels(48000, hertz)) {
        #expect(abs(low - high) < 0.5, "\(hertz) Hz: \(low), \(high)")
      }
    }
  }
}
