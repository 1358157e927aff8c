import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct SlidingMinimumTests {
  @Test(arguments: [1, 2, 7, 64, 241])
  func `each value becomes the minimum of its window`(length: Int) {
    let input = Signal.noise(1000)
    var minimum = SlidingMinimum(length: length, initialValue: 0.25)
    var values = input
    var position = 0
    for count in [1, 3, 500, 17, 64, 415] {
      values.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        minimum.process(base + position, count: count)
      }
      position += count
    }
    for index in input.indices {
      let window = input[max(0, index - length + 1)...index]
      let before: Float = index < length - 1 ? 0.25 : .infinity
      #expect(values[index] == min(window.min() ?? .infinity, before))
    }
  }

  @Test func `a cleared window has forgotten everything`() {
    var minimum = SlidingMinimum(length: 5, initialValue: 1)
    var values = Signal.noise(13)
    minimum.process(&values, count: 13)
    minimum.clear()
    var ones = Signal.constant(1, 13)
    minimum.process(&ones, count: 13)
    #expect(ones == Signal.constant(1, 13))
  }
}
