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
