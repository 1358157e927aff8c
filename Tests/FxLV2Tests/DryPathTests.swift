@testable import FxLV2
import Testing

@Suite("The input in place of a plugin that does not answer") struct DryPathTests {
  /// Blocks of 48 frames whose samples count from 1, through a ring of 256 frames.
  private func output(delay: Int, blocks: Int) -> [Float] {
    let (capacity, frameCount) = (256, 48)
    let count = DryPath.floatCount(capacity: capacity, inputCount: 2, outputCount: 2)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    defer { memory.deallocate() }
    var path = DryPath(
      memory: memory, capacity: capacity, inputCount: 2, outputCount: 2, rampFrames: 1)
    var found: [Float] = []
    for block in 0..<blocks {
      let input = (0..<frameCount).map { Float(block * frameCount + $0 + 1) }
      path.write(input, channel: 0, frameCount: frameCount)
      path.write(input.map { -$0 }, channel: 1, frameCount: frameCount)
      var (left, right) = (
        [Float](repeating: 0, count: frameCount), [Float](repeating: 0, count: frameCount)
      )
      path.read(into: &left, channel: 0, delay: delay, frameCount: frameCount)
      path.read(into: &right, channel: 1, delay: delay, frameCount: frameCount)
      path.advance(frameCount)
      #expect(right == left.map { -$0 })
      found += left
    }
    return found
  }

  @Test(arguments: [0, 1, 48, 100, 128, 200, 208])
  func `is delayed by the latency, all around its ring`(_ delay: Int) {
    let found = output(delay: delay, blocks: 20)
    #expect(found == (0..<(20 * 48)).map { Float(max($0 + 1 - delay, 0)) })
  }

  @Test func `a change of source fades its step out`() {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 64)
    memory.initialize(repeating: 0, count: 64)
    defer { memory.deallocate() }
    var path = DryPath(memory: memory, capacity: 32, inputCount: 1, outputCount: 1, rampFrames: 4)
    func smoothed(_ value: Float) -> [Float] {
      var samples = [Float](repeating: value, count: 3)
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        withUnsafePointer(to: base) { path.smooth($0, 1, offset: 0, frameCount: 3) }
      }
      return samples
    }
    #expect(smoothed(1) == [1, 1, 1])
    path.changeOver()
    #expect(smoothed(0) == [1, 0.75, 0.5])
    #expect(smoothed(0) == [0.25, 0, 0])
  }
}
