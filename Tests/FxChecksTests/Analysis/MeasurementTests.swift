import FxAudio
@testable import FxChecks
import FxUnits
import Testing

/// Measurements compared with known values.
@Suite struct MeasurementTests {
  private func tone(
    _ hertz: Double, level: Double = 0, rate: Double = 48000, frames: Int
  ) -> [Float] {
    var signal = TestSignal(.tone)
    signal.frequency = hertz
    signal.level = level
    return signal.sound(sampleRate: rate, channels: 1, frameCount: frames).channels[0]
  }

  @Test func `a sine of full scale has a peak of 0 dB and an RMS 3.01 dB below`() {
    let levels = Levels(tone(1000, frames: 4800))
    #expect(abs(levels.peak) < 1e-6)
    #expect(abs(levels.rms + 3.0103) < 1e-3)
    #expect(abs(levels.crest - 3.0103) < 1e-3)
    #expect(abs(levels.dc) < 1e-6)
  }

  @Test func `DC is the mean of the channel that is furthest off`() {
    let sound = Sound(channels: [[0.1, 0.1], [-0.3, -0.1]], sampleRate: 48000)
    #expect(abs(Levels(sound).dc + 0.2) < 1e-6)
    #expect(Levels([]).peak == -.infinity)
    #expect(Levels([]).crest == 0)
  }

  @Test func `the noise floor is the level between the sounds`() {
    var samples = tone(1000, level: -70, frames: 24000)
    for (frame, sample) in tone(500, level: -6, frames: 12000).enumerated() {
      samples[frame] += sample
    }
    let floor = NoiseFloor(Sound(channels: [samples], sampleRate: 48000)).level
    #expect(abs(floor + 73.01) < 0.1)
    #expect(NoiseFloor(Sound(channels: [[]], sampleRate: 48000)).level == -.infinity)
  }

  @Test func `a sine of 997 Hz and full scale has -3.01 LUFS in one channel`() throws {
    let sound = Sound(channels: [tone(997, frames: 48000)], sampleRate: 48000)
    let loudness = try #require(Loudness(sound))
    #expect(abs(loudness.integrated + 3.01) < 0.02)
    #expect(abs(loudness.truePeak) < 0.05)
    let both = Sound(channels: [sound.channels[0], sound.channels[0]], sampleRate: 48000)
    #expect(abs(try #require(Loudness(both)).integrated) < 0.02)
  }

  @Test func `a true peak lies between the samples`() throws {
    // A quarter of the rate, an eighth of a turn off: samples at 0.707, the wave at 1.
    let samples = (0..<9600).map { Float([0.7, 0.7, -0.7, -0.7][$0 % 4]) }
    let loudness = try #require(Loudness(Sound(channels: [samples], sampleRate: 48000)))
    #expect(loudness.truePeak > -0.5)
    #expect(Levels(samples).peak < -3)
  }

  @Test func `silence and strange shapes have no loudness`() {
    let silence = Sound(channels: [[Float](repeating: 0, count: 24000)], sampleRate: 48000)
    #expect(Loudness(silence)?.integrated == -.infinity)
    #expect(Loudness(Sound(channels: [], sampleRate: 48000)) == nil)
    #expect(Loudness(Sound(channels: [[0]], sampleRate: .nan)) == nil)
  }

  @Test(arguments: [1000.0, 997, 441.3])
  func `a polynomial makes the harmonics that theory predicts`(_ hertz: Double) throws {
    // x + a x² + b x³ of a sine with amplitude A: DC, A + 3/4 b A³, 1/2 a A², 1/4 b A³.
    let (square, cube, amplitude) = (0.02, 0.01, 0.5)
    let samples = tone(hertz, level: Double(-6.020_599_913), frames: 4800).map { sample in
      let x = Double(sample)
      return Float(x + square * x * x + cube * x * x * x)
    }
    let distortion = try #require(
      Distortion(samples, frequency: hertz, sampleRate: 48000))
    let first = amplitude + 0.75 * cube * amplitude * amplitude * amplitude
    let second = 0.5 * square * amplitude * amplitude / first
    let third = 0.25 * cube * amplitude * amplitude * amplitude / first
    #expect(abs(distortion.harmonics[0] - Math.decibels(amplitude: second)) < 0.01)
    #expect(abs(distortion.harmonics[1] - Math.decibels(amplitude: third)) < 0.05)
    let thd = Math.squareRoot(second * second + third * third)
    #expect(abs(distortion.thd / thd - 1) < 0.001)
    #expect(abs(distortion.thdPlusNoise / thd - 1) < 0.001)
    #expect(abs(distortion.fundamental - Math.decibels(amplitude: first)) < 0.001)
  }

  @Test func `a clean tone has no distortion, and noise is no harmonic`() throws {
    let clean = tone(1000, level: -6, frames: 4800)
    #expect(try #require(Distortion(clean, frequency: 1000, sampleRate: 48000)).thdPlusNoise < 1e-6)
    var signal = TestSignal(.noise)
    signal.level = -60
    let noise = signal.sound(sampleRate: 48000, channels: 1, frameCount: 4800).channels[0]
    let noisy = try #require(
      Distortion(zip(clean, noise).map { $0 + $1 }, frequency: 1000, sampleRate: 48000))
    // RMS of the noise over that of the tone: 1e-3 / √3 over 0.501 / √2.
    #expect(abs(noisy.thdPlusNoise / 0.00163 - 1) < 0.05)
    #expect(noisy.thd < noisy.thdPlusNoise / 5)
  }

  @Test func `a signal without a tone has no distortion`() {
    #expect(Distortion([0, 0, 0], frequency: 1000, sampleRate: 48000) == nil)
    #expect(Distortion(tone(1000, frames: 4800), frequency: 30000, sampleRate: 48000) == nil)
    #expect(
      Distortion([Float](repeating: 0, count: 4800), frequency: 1000, sampleRate: 48000) == nil)
  }

  @Test(arguments: [TestSignal.Kind.impulse, .sweep, .noise])
  func `a filter's response is that of its formula`(_ kind: TestSignal.Kind) throws {
    var signal = TestSignal(kind)
    signal.to = 23000
    let input = signal.sound(sampleRate: 48000, channels: 1, frameCount: 8000).channels[0]
    // y = 0.5 (x + x delayed by one): cos(π f / rate).
    let output = zip(input + [0], [0] + input).map { 0.5 * ($0 + $1) }
    let response = try #require(
      FrequencyResponse(input: input, output: output, sampleRate: 48000))
    for hertz in [100.0, 1000, 5000, 12000, 18000] {
      let expected = Math.decibels(amplitude: Math.cos(Double.pi * hertz / 48000))
      let decibels = try #require(response.decibels(at: hertz))
      #expect(abs(decibels - expected) < 0.02, "\(hertz)")
    }
    #expect(response.decibels(at: 24001) == nil)
    #expect(response.decibels(at: .nan) == nil)
  }

  @Test func `a response has no value where the input has no signal`() throws {
    let input = tone(1000, frames: 4800)
    let response = try #require(FrequencyResponse(input: input, output: input, sampleRate: 48000))
    #expect(response.decibels(at: 1000) == 0)
    let silence = [Float](repeating: 0, count: 100)
    #expect(FrequencyResponse(input: silence, output: input, sampleRate: 48000) == nil)
  }

  @Test(arguments: [0, 1, 333, -250])
  func `a latency is found to the frame, through a filter as well`(_ frames: Int) throws {
    let input = TestSignal(.programme).sound(sampleRate: 48000, channels: 1, frameCount: 8000)
    var state: Float = 0
    let filtered = input.channels[0].map { sample in
      state = 0.3 * state + 0.7 * sample
      return -state
    }
    let delayed = ComparisonTests.delayed(
      Sound(channels: [filtered], sampleRate: 48000), by: frames)
    let latency = try #require(Latency(input: input, output: delayed))
    #expect(latency.frames == frames)
    #expect(latency.isInverted)
    #expect(latency.certainty > 0.3)
  }

  @Test func `the latency of a steady tone is uncertain, that of silence unknown`() throws {
    let input = Sound(channels: [tone(1000, frames: 9600)], sampleRate: 48000)
    let latency = try #require(
      Latency(input: input, output: ComparisonTests.delayed(input, by: 48)))
    #expect(latency.certainty < 0.2)
    let silence = Sound(channels: [[Float](repeating: 0, count: 9600)], sampleRate: 48000)
    #expect(Latency(input: input, output: silence) == nil)
  }

  @Test(arguments: [0.1, 0.3])
  func `noise that dies away exponentially has the reverberation time of its rate`(
    _ seconds: Double
  ) throws {
    let noise = TestSignal(.noise).sound(sampleRate: 8000, channels: 1, frameCount: 4000)
      .channels[0]
    let response = noise.enumerated().map { frame, sample in
      sample * Float(Math.amplitude(decibels: -60 * Double(frame) / 8000 / seconds))
    }
    let time = ReverberationTime(response, sampleRate: 8000)
    #expect(abs(try #require(time.t30) / seconds - 1) < 0.05)
    #expect(abs(try #require(time.t20) / seconds - 1) < 0.05)
    #expect(time.rt60 == time.t30)
  }

  @Test func `a decay that drowns in noise early has no T30`() throws {
    let noise = TestSignal(.noise).sound(sampleRate: 8000, channels: 2, frameCount: 8000).channels
    let response = noise[0].indices.map { frame in
      noise[0][frame] * Float(Math.amplitude(decibels: -60 * Double(frame) / 8000 / 0.2))
        + noise[1][frame] * 0.03
    }
    let time = ReverberationTime(response, sampleRate: 8000)
    let t20 = try #require(time.t20)
    #expect(abs(t20 / 0.2 - 1) < 0.15)
    #expect(ReverberationTime([], sampleRate: 8000).rt60 == nil)
    #expect(ReverberationTime([0, 0, 0], sampleRate: 8000).rt60 == nil)
  }
}
