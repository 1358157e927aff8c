import Foundation
@testable import FxUnits
import Testing

@Suite struct `An oversampler` {
  private func up(
    _ input: [Float], factor: Int, block: Int = 64, vectorLevel: Int? = nil
  ) -> [Float] {
    let oversampler = Oversampler(
      factor: factor, channelCount: 1, maximumFrameCount: block, vectorLevel: vectorLevel)
    return run(input, block) { samples, count in
      var output = [Float](repeating: .nan, count: factor * count)
      oversampler.up(samples, channel: 0, frameCount: count, to: &output)
      return output
    }
  }

  private func upAndDown(
    _ input: [Float], factor: Int, block: Int = 64, channel: Int = 0, vectorLevel: Int? = nil
  ) -> [Float] {
    let oversampler = Oversampler(
      factor: factor, channelCount: 2, maximumFrameCount: block, vectorLevel: vectorLevel)
    return run(input, block) { samples, count in
      var high = [Float](repeating: .nan, count: factor * count)
      var output = [Float](repeating: .nan, count: count)
      oversampler.up(samples, channel: channel, frameCount: count, to: &high)
      oversampler.down(high, channel: channel, frameCount: count, to: &output)
      return output
    }
  }

  private func run(
    _ input: [Float], _ block: Int, _ render: ([Float], Int) -> [Float]
  ) -> [Float] {
    stride(from: 0, to: input.count, by: block).flatMap { start in
      let piece = Array(input[start..<min(start + block, input.count)])
      return render(piece, piece.count)
    }
  }

  /// Decibels of an impulse response at a frequency, in cycles a sample.
  private func gain(_ response: [Float], _ frequency: Double) -> Double {
    var (re, im) = (0.0, 0.0)
    for (index, sample) in response.enumerated() where sample != 0 {
      let turn = 2 * Double.pi * frequency * Double(index)
      re += Double(sample) * cos(turn)
      im += Double(sample) * sin(turn)
    }
    return 10 * log10(max(re * re + im * im, 1e-30))
  }

  private func impulse(_ count: Int) -> [Float] { [1] + [Float](repeating: 0, count: count - 1) }

  @Test(arguments: [2, 4, 8]) func `makes the samples that scipy makes`(_ factor: Int) throws {
    let rows = try Reference.rows("oversampled.txt").filter { Int($0[0]) == factor }
    let output = up(Reference.noise(64), factor: factor)
    #expect(rows.count > 40)
    for row in rows { #expect(abs(Double(output[Int(row[1])]) - row[2]) < 2e-7) }
  }

  @Test(arguments: [2, 4, 8], [44100.0, 48000])
  func `keeps levels up to 20 kHz and reduces images by 100 dB`(_ factor: Int, _ rate: Double) {
    let response = up(impulse(256), factor: factor)
    let high = rate * Double(factor)
    let level = 20 * log10(Double(factor))
    for step in 0...100 {
      let ripple = gain(response, Double(step) * 200 / high) - level
      #expect(abs(ripple) < 0.001, "\(step * 200) Hz: \(ripple) dB")
    }
    for step in 0...400 {
      let frequency = rate - 20000 + (high / 2 - rate + 20000) * Double(step) / 400
      let image = gain(response, frequency / high) - level
      #expect(image < -100, "\(frequency) Hz: \(image) dB")
    }
  }

  @Test(arguments: [2, 4, 8], [44100.0, 48000])
  func `reduces aliases by 100 dB on the way back`(_ factor: Int, _ rate: Double) {
    // A tone above the audible range, at the high rate, almost disappears.
    for frequency in [rate - 20000, rate - 10000, rate, rate * Double(factor) / 2 - 100] {
      let oversampler = Oversampler(factor: factor, channelCount: 1, maximumFrameCount: 512)
      let tone = (0..<512 * factor).map {
        Float(sin(2 * Double.pi * frequency / (rate * Double(factor)) * Double($0)))
      }
      var output = [Float](repeating: 0, count: 512)
      oversampler.down(tone, channel: 0, frameCount: 512, to: &output)
      let peak = output[200...].map { abs($0) }.max() ?? 1
      #expect(peak < 1e-5, "\(frequency) Hz: \(20 * log10(Double(peak))) dB")
    }
  }

  @Test(arguments: [2, 4, 8]) func `has the latency that it declares, a whole number of frames`(
    _ factor: Int
  ) {
    let latency = Oversampler(factor: factor, channelCount: 1, maximumFrameCount: 64).latency
    #expect(latency == [2: 75, 4: 83, 8: 85][factor])
    let response = upAndDown(impulse(256), factor: factor)
    let peak = response.indices.max { abs(response[$0]) < abs(response[$1]) }
    #expect(peak == latency)
    for distance in 1...70 {
      let (before, after) = (response[latency - distance], response[latency + distance])
      #expect(abs(before - after) < 1e-6)
    }
  }

  @Test(arguments: [2, 4, 8]) func `does not depend on blocks or instruction sets`(_ factor: Int) {
    let input = Reference.noise(500)
    let reference = upAndDown(input, factor: factor, block: 500).map(\.bitPattern)
    for block in [1, 7, 64, 499] {
      #expect(upAndDown(input, factor: factor, block: block).map(\.bitPattern) == reference)
    }
    #expect(upAndDown(input, factor: factor, vectorLevel: 0).map(\.bitPattern) == reference)
    #expect(upAndDown(input, factor: factor, channel: 1).map(\.bitPattern) == reference)
  }

  @Test func `forgets everything after a reset`() {
    let oversampler = Oversampler(factor: 8, channelCount: 1, maximumFrameCount: 128)
    var high = [Float](repeating: 0, count: 1024)
    var output = [Float](repeating: 0, count: 128)
    oversampler.up(Reference.noise(128), channel: 0, frameCount: 128, to: &high)
    oversampler.down(high, channel: 0, frameCount: 128, to: &output)
    oversampler.reset()
    oversampler.up(
      [Float](repeating: 0, count: 128), channel: 0, frameCount: 128, to: &high)
    oversampler.down(high, channel: 0, frameCount: 128, to: &output)
    #expect(output.allSatisfy { $0 == 0 })
  }
}
