import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `The unit biquad` {
  private func renderer(
    _ sections: [(b: String, a: String)], rate: Double = 0, sampleRate: Double = 48000
  ) throws -> UnitRenderer {
    let items = sections.enumerated().map { index, section in
      ListItem(
        id: "\(index + 1)", options: ["b": .text(section.b), "a": .text(section.a)])
    }
    return try UnitRenderer(
      try builtIn("biquad"), inputWidths: [1], options: ["rate": .number(rate)], items: items,
      sampleRate: sampleRate)
  }

  /// The difference equation in the direct form.
  private static func direct(_ b: [Double], _ a: [Double], _ input: [Float]) -> [Double] {
    var output: [Double] = []
    for frame in input.indices {
      var sum = 0.0
      for (delay, factor) in b.enumerated() where frame >= delay {
        sum += factor * Double(input[frame - delay])
      }
      for (delay, factor) in a.enumerated().dropFirst() where frame >= delay {
        sum -= factor * output[frame - delay]
      }
      output.append(sum / a[0])
    }
    return output
  }

  @Test(arguments: [
    ([1, -1.8, 0.9], [1, -1.6, 0.8]),
    ([0.2, 0.1], [2, -1.9]),
    ([0.5], [1]),
    ([0, 0, 1], [1]),
    ([1, 0.3, -0.4], [1, 0.2, -0.35]),
    ([-0.01, 0.02, 0.7], [-1, 1.99, -0.9901]),
  ])
  func `a section is the difference equation of its coefficients`(_ b: [Double], _ a: [Double])
    throws
  {
    let words = { (numbers: [Double]) in numbers.map { "\($0)" }.joined(separator: " ") }
    let input = Signal.noise(2000)
    let output = try renderer([(words(b), words(a))]).render([input])[0]
    let expected = Self.direct(b, a, input)
    let error = zip(output, expected).map { abs(Double($0) - $1) }.max() ?? 1
    let peak = expected.map(abs).max() ?? 1
    #expect(error < 1e-5 * max(peak, 1))
  }

  @Test func `sections follow one another`() throws {
    let input = Signal.noise(500)
    let output = try renderer([("1 -0.5", "1 -0.9"), ("2 1", "1 0.4 0.1")]).render([input])[0]
    let first = Self.direct([1, -0.5], [1, -0.9], input).map(Float.init)
    let expected = Self.direct([2, 1], [1, 0.4, 0.1], first)
    #expect(zip(output, expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
  }

  @Test(arguments: [
    ("1", "1 -2 1", "not stable"), ("1", "1 0 1", "not stable"), ("1", "1 -1", "not stable"),
    ("1", "0 1", "a0"), ("1 x", "1", "one to three numbers"), ("1 2 3 4", "1", "three numbers"),
    ("", "1", "three numbers"), ("1", "nan", "three numbers"),
  ])
  func `coefficients that are no filter are refused`(_ b: String, _ a: String, _ reason: String) {
    let failure = #expect(throws: Failure.self) { try renderer([(b, a)]) }
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func `coefficients for another sample rate are refused`() throws {
    _ = try renderer([("1", "1")], rate: 48000)
    let failure = #expect(throws: Failure.self) {
      try renderer([("1", "1")], rate: 44100)
    }
    #expect(failure?.message.contains("44100") == true)
  }
}
