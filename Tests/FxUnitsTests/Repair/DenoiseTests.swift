import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `A denoiser` {
  private static let rate = 48000.0

  private func preparation(
    _ options: [String: OptionValue], _ measured: [Double]? = nil, channels: Int = 1
  ) -> Preparation {
    var preparation = Preparation(
      sampleRate: Self.rate, maximumFrameCount: 1024, inputWidths: [channels],
      outputWidths: [channels], options: options, parameters: [18, 2])
    preparation.measured = measured
    return preparation
  }

  private func type() throws -> UnitType {
    try #require(BuiltInUnits.all.first { $0.spec.id == "denoise" })
  }

  /// The values that the pass before the render learns from a sound.
  private func learnt(_ sound: [Float], _ options: [String: OptionValue] = [:]) throws -> [Double] {
    let analyzer = try #require(try type().analyzer(preparation(options)))
    for start in stride(from: 0, to: sound.count, by: 1024) {
      let piece = Array(sound[start..<min(start + 1024, sound.count)])
      piece.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        withUnsafePointer(to: base) { analyzer.take($0, frameCount: piece.count) }
      }
    }
    return analyzer.result
  }

  private func render(_ sound: [Float], options: [String: OptionValue] = [:], measured: [Double]?)
    throws -> [Float]
  {
    let instance = try type().make(preparation(options, measured))
    var output: [Float] = []
    let parameters = [ParameterSignal(constant: 18), ParameterSignal(constant: 2)]
    var frame = 0
    while frame < sound.count {
      var piece = Array(sound[frame..<min(frame + 1024, sound.count)])
      let count = piece.count
      var target = [Float](repeating: 0, count: count)
      piece.withUnsafeMutableBufferPointer { source in
        target.withUnsafeMutableBufferPointer { target in
          guard let from = source.baseAddress, let to = target.baseAddress else { return }
          var (input, result) = (UnsafePointer(from), to)
          parameters.withUnsafeBufferPointer { parameters in
            guard let parameters = parameters.baseAddress else { return }
            var block = RenderBlock(
              inputs: &input, inputCount: 1, outputs: &result, outputCount: 1, frameCount: count,
              frame: frame, parameters: parameters)
            instance.entry.render(instance.state, &block)
          }
        }
      }
      output += target
      frame += count
    }
    return output
  }

  private func power(_ sound: some Collection<Float>) -> Double {
    10 * log10(sound.reduce(0) { $0 + Double($1) * Double($1) } / Double(sound.count))
  }

  private var noise: [Float] { Signal.noise(48000, seed: 5, amplitude: 0.02) }

  @Test func `turns noise alone down by its reduction`() throws {
    let output = try render(noise, measured: try learnt(noise))
    let change = power(output[12000...]) - power(noise)
    #expect(change < -15 && change > -19, "\(change) dB")
  }

  @Test func `follows noise that it has not measured`() throws {
    let output = try render(noise, options: ["learn": .text("always")], measured: nil)
    let change = power(output[24000...]) - power(noise)
    #expect(change < -14, "\(change) dB")
  }

  @Test func `leaves a loud tone in noise as it is`() throws {
    let tone = (0..<48000).map { frame -> Float in
      frame < 14400 ? 0 : Float(0.3 * sin(2 * Double.pi * 750 * Double(frame) / 48000))
    }
    let sound = zip(tone, noise).map(+)
    let output = try render(sound, measured: try learnt(sound))
    let latency = 2048
    var (error, signal) = (0.0, 0.0)
    for frame in 24000..<46000 {
      let difference = Double(output[frame]) - Double(tone[frame - latency])
      error += difference * difference
      signal += Double(tone[frame - latency]) * Double(tone[frame - latency])
    }
    #expect(10 * log10(signal / error) > 30, "\(10 * log10(signal / error)) dB")
  }

  @Test func `passes a sound without noise, delayed`() throws {
    let profile = [Double](repeating: 1e-12, count: 1025)
    let sound = Signal.noise(12000, seed: 8)
    let output = try render(sound, measured: profile)
    var largest = 0.0
    for frame in 4096..<12000 {
      largest = max(largest, Double(abs(output[frame] - sound[frame - 2048])))
    }
    #expect(largest < 1e-5)
  }

  @Test func `learns from a span`() throws {
    let quiet = noise.map { $0 * 0.1 }
    let sound = Array(quiet[..<24000]) + noise[24000...]
    let options: [String: OptionValue] = [
      "learn": .text("span"), "from": .number(0.5), "to": .number(1),
    ]
    let (span, quietest) = (try learnt(sound, options), try learnt(sound))
    let ratio = span.reduce(0, +) / quietest.reduce(0, +)
    #expect(abs(10 * log10(ratio) - 20) < 1, "\(10 * log10(ratio)) dB")
    #expect(try learnt(Signal.silence(9000)).isEmpty)
  }
}

@Suite struct `The noise of a sound` {
  private static let rate = 4000.0
  /// 16 s of noise at -40 dB.
  private let noise = Signal.noise(64_000, seed: 5, amplitude: 0.0173)

  private func profile(_ sound: [Float]) -> NoiseProfile {
    let profile = NoiseProfile(
      channelCount: 1, sampleRate: Self.rate, span: nil, follows: true)
    sound.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      withUnsafePointer(to: base) { profile.take($0, frameCount: sound.count) }
    }
    return profile
  }

  /// The mean level of each second against the profile in dB; empty if the noise does not move.
  private func levels(_ sound: [Float]) -> [Double] {
    let length = SpectralFrames.length(sampleRate: Self.rate)
    let bands = NoiseBands(binCount: length / 2 + 1).count
    let levels = Array(profile(sound).result.dropFirst(length / 2 + 1))
    return stride(from: 0, to: levels.count, by: bands).map {
      levels[$0..<$0 + bands].reduce(0, +) / Double(bands)
    }
  }

  /// The sum of a note's harmonics.
  private func note(_ pitch: Double, harmonics: Int, time: Double) -> Double {
    var sum = 0.0
    for harmonic in 1...harmonics {
      let number = Double(harmonic)
      sum += sin(2 * Double.pi * pitch * number * time) / number
    }
    return sum
  }

  /// A second of silence and a second of a voiced sound in turn.
  private func speech(_ frame: Int) -> Float {
    guard frame / Int(Self.rate) % 2 == 1 else { return 0 }
    let time = Double(frame) / Self.rate
    let pitch = 120 + 15 * sin(8 * time)
    return Float(0.05 * note(pitch, harmonics: 12, time: time))
  }

  @Test func `is followed while it grows, in the pauses of speech`() {
    let rising = noise.indices.map { frame in
      let decibels = 8 * Double(frame) / 64_000
      return speech(frame) + noise[frame] * Float(pow(10, decibels / 20))
    }
    let levels = levels(rising)
    #expect(levels.count >= 15)
    for (second, level) in levels.enumerated() {
      // 8 dB in 16 s; the profile is that of the first seconds.
      #expect(abs(level - 0.5 * Double(second)) < 3, "second \(second): \(level) dB")
    }
    #expect(levels[levels.count - 1] > 5, "\(levels)")
  }

  @Test func `is followed when a fan starts`() throws {
    let levels = levels(noise.indices.map { noise[$0] * ($0 < 32_000 ? 1 : 4) })
    try #require(levels.count >= 15)
    for second in levels.indices where abs(second - 8) > 1 {
      #expect(abs(levels[second] - (second < 8 ? 0 : 12)) < 1, "second \(second)")
    }
  }

  @Test func `does not move when it is steady`() {
    #expect(levels(noise).isEmpty)
    #expect(levels(noise.indices.map { noise[$0] + speech($0) }).isEmpty)
  }

  @Test func `is not taken from music that begins after a quiet second`() {
    let chords: [[Double]] = [[220, 277, 330, 440], [196, 247, 294, 392], [175, 220, 262, 349]]
    let music = noise.indices.map { frame -> Float in
      guard frame >= 8000 else { return noise[frame] * 0.1 }
      let time = Double(frame) / Self.rate
      var sum = 0.0
      for pitch in chords[Int(time / 2.5) % 3] { sum += note(pitch, harmonics: 6, time: time) }
      return noise[frame] * 0.1 + Float(0.04 * sum * (1 + 0.3 * sin(25 * time)))
    }
    #expect(levels(music).isEmpty)
  }
}
