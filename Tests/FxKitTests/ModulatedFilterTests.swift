import Foundation
@testable import FxKit
import Testing

/// Modulated filters, compared with a filter in double precision that is designed at each frame.
@Suite struct ModulatedFilterTests {
  private static let filters = [
    (
      path: "filter.frequency",
      json: #"{ "id": "filter", "unit": "lowPass", "parameters": { "frequency": 1000 } }"#
    ),
    (
      path: "tone.bands.low.frequency",
      json: """
      { "id": "tone", "unit": "equalizer", "bands": [
        { "id": "low", "type": "lowPass", "frequency": 1000 },
        { "id": "rest", "type": "peak", "frequency": 3000, "gain": 0 }] }
      """
    ),
  ]

  /// The filter of Simper (2013) in double precision, with its frequency in closed form.
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

  /// The difference from the reference is rounding and zipper noise. A frequency error of 0.1 %
  /// would leave more.
  @Test(arguments: [0.1, 1, 5, 20], Self.filters)
  func `a filter follows its LFO within 0.1 % and without zipper noise`(
    _ rate: Double, _ filter: (path: String, json: String)
  ) throws {
    let chain = Chain(
      json: """
        { "version": 1, "tail": "none",
          "chain": [{ "unit": "lfo", "parameters": { "rate": \(rate) } }, \(filter.json)],
          "modulation": [{ "from": "lfo", "to": "\(filter.path)", "depth": "2 oct" }] }
        """)
    let input = noise(24000).map { $0 * 0.5 }
    let output = try ChainRenderer(chain, channels: 1).render([input])[0]
    func frequency(_ frame: Int) -> Double {
      1000 * exp2(2 * sin(2 * Double.pi * rate * Double(frame) / 48000))
    }
    let expected = reference(input, frequency: frequency)
    let off = reference(input) { frequency($0) * 1.001 }
    let error = decibels(zip(output, expected).map { Double($0) - $1 })
    let thousandth = decibels(zip(off, expected).map { $0 - $1 })
    #expect(error < -90)
    #expect(error < thousandth)
  }
}
