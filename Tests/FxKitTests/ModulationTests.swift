import Foundation
import FxKit
import Testing

/// Control signals through whole chains: the same bits in any blocks, and where they ought to be.
@Suite struct ModulationTests {
  private static let moving = Chain(
    json: """
      { "version": 1, "tail": "none", "tempo": [{ "bar": 1, "tempo": 140 },
          { "time": "20 ms", "tempo": 90 }],
        "chain": [
          { "id": "follow", "unit": "envelope", "parameters": { "attack": "2 ms" } },
          { "id": "swing", "unit": "lfo", "parameters": { "rate": "31 Hz" } },
          { "id": "beat", "unit": "lfo", "shape": "saw", "parameters": { "period": "1/32" } },
          { "id": "play", "unit": "steps", "steps": [{ "value": 1 }, { "value": -0.5 }],
            "parameters": { "rate": "60 Hz", "glide": 0.2 } },
          { "id": "walk", "unit": "random", "parameters": { "rate": "90 Hz" } },
          { "id": "comp", "unit": "compressor", "lookahead": "3 ms" },
          { "id": "filter", "unit": "lowPass" },
          { "id": "echo", "unit": "delay", "wet": 0.4, "parameters": { "time": "9 ms" } },
          { "id": "level", "unit": "gain" } ],
        "modulation": [
          { "from": "follow", "to": "filter.frequency", "depth": "3 oct", "curve": "root" },
          { "from": "swing", "to": "filter.frequency", "depth": "200 Hz" },
          { "from": "walk", "to": "echo.time", "depth": "2 ms" },
          { "from": "beat", "to": "echo.wet", "depth": 0.4 },
          { "from": "follow:level", "to": "comp.threshold", "depth": "-12 dB" },
          { "from": "play", "to": "level.gain", "depth": "-9 dB", "polarity": "unipolar" },
          { "from": "swing", "to": "swing.rate", "depth": "1 oct", "feedback": true,
            "delay": "10 ms" } ],
        "automation": [
          { "parameter": "level.gain.play", "points": [[0, "-3 dB"], ["40 ms", "-20 dB", "linear"]] }
        ] }
      """)

  @Test func `what control signals move has the same bits in any blocks`() throws {
    let input = [noise(3000), noise(3000, seed: 2)]
    let whole = try ChainRenderer(Self.moving).render(input)
    #expect(whole[0].contains { abs($0) > 0.01 })
    for size in [1, 7, 64, 1024] {
      #expect(try ChainRenderer(Self.moving, blockSize: size).render(input) == whole, "\(size)")
    }
    var state: UInt64 = 7
    let renderer = try ChainRenderer(Self.moving)
    var pieces: [[Float]] = [[], []]
    var frame = 0
    while frame < 3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = min(1 + Int(state >> 55), 3000 - frame)
      let piece = renderer.render(slice(input, frame..<frame + count))
      for channel in 0..<2 { pieces[channel] += piece[channel] }
      frame += count
    }
    #expect(pieces == whole)
  }

  /// The filter of the textbook (Simper 2013) in doubles, its frequency in closed form.
  private func reference(_ input: [Float], frequency: (Int) -> Double) -> [Double] {
    var (first, second) = (0.0, 0.0)
    let damping = 2.0.squareRoot()
    return input.enumerated().map { frame, sample in
      let g = tan(Double.pi * frequency(frame) / 48000)
      let a1 = 1 / (1 + g * (g + damping))
      let high = Double(sample) - second
      let band = a1 * first + g * a1 * high
      let low = second + g * a1 * first + g * g * a1 * high
      (first, second) = (2 * band - first, 2 * low - second)
      return low
    }
  }

  private func decibels(_ samples: some Sequence<Double>) -> Double {
    var (sum, count) = (0.0, 0)
    for sample in samples {
      sum += sample * sample
      count += 1
    }
    return 10 * log10(sum / Double(max(count, 1)) + 1e-30)
  }

  /// What is left against the reference is rounding and zipper noise together; a frequency that is off
  /// by a thousandth leaves more.
  @Test(arguments: [0.1, 1, 5, 20])
  func `a filter follows its LFO within a thousandth and without zipper noise`(_ rate: Double)
    throws
  {
    let chain = Chain(
      json: """
        { "version": 1, "tail": "none",
          "chain": [{ "unit": "lfo", "parameters": { "rate": \(rate) } },
            { "id": "filter", "unit": "lowPass", "parameters": { "frequency": 1000 } }],
          "modulation": [{ "from": "lfo", "to": "filter.frequency", "depth": "2 oct" }] }
        """)
    let input = noise(24000).map { $0 * 0.5 }
    let output = try ChainRenderer(chain).render([input])[0]
    func frequency(_ frame: Int) -> Double {
      1000 * exp2(2 * sin(2 * Double.pi * rate * Double(frame) / 48000))
    }
    let expected = reference(input, frequency: frequency)
    let off = reference(input) { frequency($0) * 1.001 }
    let error = decibels(zip(output, expected).map { Double($0) - $1 })
    let distance = decibels(zip(off, expected).map { $0 - $1 })
    #expect(error < -90)
    #expect(error < distance)
  }
}
