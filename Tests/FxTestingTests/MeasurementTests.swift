import FxKit
@testable import FxTesting
import Testing

@Suite struct MeasurementTests {
  private func chain(_ unit: String) -> Chain {
    Chain(json: #"{ "version": 1, "tail": "none", "chain": [\#(unit)] }"#)
  }

  private var gain: Chain { chain(#"{ "unit": "gain", "parameters": { "gain": "-6 dB" } }"#) }

  @Test func `levels are those of the output`() throws {
    let rendering = try gain.rendering(.tone(1000), seconds: 0.1)
    #expect(rendering.level.peak ≈ (-18 ± 0.01))
    #expect(rendering.level.rms ≈ (-21.01 ± 0.01))
    #expect(rendering.level.crest ≈ (3.01 ± 0.01))
    #expect(rendering.level.dc ≈ (0 ± 1e-6))
    #expect(try rendering.level(ofChannel: 1).peak == rendering.level.peak)
    #expect(try gain.rendering(.silence, seconds: 0.01).level.peak == -.infinity)
    #expect(throws: MeasurementFailure.self) { try rendering.level(ofChannel: 2) }
    #expect(throws: MeasurementFailure.self) { try rendering.level(ofChannel: -1) }
  }

  @Test func `loudness is that of EBU R 128`() throws {
    let rendering = try gain.rendering(.tone(997, level: -14), seconds: 0.6)
    // Two channels of -20 dB: -20 - 3.01 + 3.01.
    #expect(rendering.loudness.integrated ≈ (-20 ± 0.1))
    #expect(rendering.loudness.truePeak ≈ (-20 ± 0.1))
  }

  @Test func `a filter has its response`() throws {
    let filter = chain(#"{ "unit": "highPass", "parameters": { "frequency": "1 kHz" } }"#)
    for signal in [Signal.impulse, .sweep(from: 50)] {
      let response = try filter.rendering(signal, seconds: 0.2).response()
      #expect(response.decibels(at: 1000) ≈ (-3 ± 0.3))
      #expect(response.decibels(at: 8000) ≈ (0 ± 0.3))
      #expect(response.decibels(at: 250) < -20)
    }
    let sweep = try filter.rendering(.sweep(from: 500, to: 2000), seconds: 0.2).response()
    #expect(sweep.decibels(at: 1000) ≈ (-3 ± 0.3))
    #expect(sweep.decibels(at: 30000).isNaN)
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.silence, seconds: 0.1).response()
    }
  }

  @Test func `a clipped tone is distorted`() throws {
    let clean = try gain.rendering(.tone(1000), seconds: 0.04).distortion()
    #expect(clean.fundamental ≈ (-18 ± 0.01))
    #expect(clean.thd < 1e-5)
    let limiter = chain(
      #"{ "unit": "compressor", "parameters": { "threshold": "-40 dB", "ratio": 20, "attack": "0.1 ms", "release": "5 ms" } }"#
    )
    let dirty = try limiter.rendering(.tone(500), seconds: 0.06).distortion()
    #expect(dirty.thd > 100 * clean.thd)
    #expect(dirty.harmonics.count == 19)
    #expect(throws: MeasurementFailure.self) { try gain.rendering(.noise).distortion() }
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.tone(20), seconds: 0.1).distortion()
    }
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.tone(1000), seconds: 0.1).distortion(after: 1)
    }
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.tone(1000), seconds: 0.1).distortion(of: .nan)
    }
  }

  @Test func `a reported latency is removed, and a delay is found`() throws {
    let limiter = chain(#"{ "unit": "limiter" }"#)
    let aligned = try limiter.rendering(.noise(level: -40), seconds: 0.1)
    #expect(aligned.latency > 0)
    #expect(try aligned.delay().frames == 0)
    let delay = chain(
      #"{ "unit": "delay", "wet": 1, "parameters": { "time": "5 ms", "feedback": 0 } }"#)
    let late = try delay.rendering(.noise, seconds: 0.1).delay()
    #expect(late.frames == 240)
    #expect(late.certainty > 0.5 && !late.isInverted)
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.silence, seconds: 0.1).delay()
    }
  }

  @Test func `a reverb has the decay that it declares`() throws {
    let reverb = Chain(
      json:
        #"{ "version": 1, "tail": "0.5 s", "chain": [{ "unit": "reverb", "wet": 1, "parameters": { "decay": "0.4 s" } }] }"#
    )
    let rendering = try reverb.rendering(.impulse, seconds: 0.1, sampleRate: 16000, channels: 1)
    #expect(try rendering.reverberation().rt60 ≈ (0.35 ± 0.15))
    #expect(throws: MeasurementFailure.self) {
      try gain.rendering(.noise, seconds: 0.01).reverberation()
    }
    #expect(try gain.rendering(.impulse, seconds: 0.01).reverberation().rt60.isNaN)
  }

  @Test func `a measurement that compares with the input needs its rate`() throws {
    let chain = Chain(
      json: #"{ "version": 1, "sampleRate": 44100, "chain": [{ "unit": "gain" }] }"#)
    let failure = #expect(throws: MeasurementFailure.self) {
      try chain.rendering(.noise, seconds: 0.05).response()
    }
    #expect(failure?.message.contains("sampleRate: 44100") == true)
    let response = try chain.rendering(.noise, seconds: 0.05, sampleRate: 44100).response()
    #expect(response.decibels(at: 1000) ≈ (0 ± 0.1))
  }

  @Test func `the noise floor is the level of the output during silence`() throws {
    #expect(try gain.rendering(.silence, seconds: 0.1).noiseFloor == -.infinity)
    #expect(try gain.rendering(.bursts, seconds: 0.5).noiseFloor < -100)
  }
}
