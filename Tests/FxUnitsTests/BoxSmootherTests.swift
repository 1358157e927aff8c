import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct BoxSmootherTests {
  private func smooth(_ input: [Double], length: Int) -> [Float] {
    var smoother = BoxSmoother(length: length, initialValue: 1)
    var output = [Float](repeating: 0, count: input.count)
    smoother.process(input, into: &output, count: input.count)
    return output
  }

  @Test(arguments: [1, 2, 5, 40])
  func `a step has arrived after the length and not before`(length: Int) {
    let output = smooth([Double](repeating: 0.25, count: 100), length: length)
    #expect(output[length - 1] == 0.25)
    if length > 1 { #expect(output[length - 2] > 0.25) }
    for (one, next) in zip(output, output.dropFirst()) { #expect(next <= one) }
  }

  @Test func `sums do not drift`() {
    var random = SeededRandom(4)
    let noise = (0..<20000).map { _ in random.next(in: 0...1) }
    let output = smooth(noise + [Double](repeating: 1, count: 64), length: 64)
    #expect(output[20063] == 1)
  }

  @Test func `a mean never exceeds its values`() {
    var random = SeededRandom(5)
    let noise = (0..<3000).map { _ in random.next(in: 0...0.01) }
    let output = smooth(noise, length: 9)
    for index in 8..<3000 {
      let window = noise[(index - 8)...index]
      #expect(Double(output[index]) <= (window.max() ?? 0))
      #expect(Double(output[index]) >= (window.min() ?? 0) - 0x1p-25)
    }
  }
}
