import FxTestSupport
@testable import FxUnits
import Testing

/// An idle limiter rests; this must not change its output.
@Suite struct LimiterGainTests {
  /// Required gains: long rests between a few reductions.
  private static let needed: [Float] = (0..<6000).map { frame in
    switch frame {
    case 700..<720, 3300: 0.5
    case 3000..<3200: 0.9
    default: 1
    }
  }

  private func runs(_ blocks: [Int], _ body: (UnsafeMutablePointer<Float>, Int) -> Void) -> [Float]
  {
    var values = Self.needed
    values.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var (position, index) = (0, 0)
      while position < buffer.count {
        let count = min(blocks[index % blocks.count], buffer.count - position)
        body(base + position, count)
        position += count
        index += 1
      }
    }
    return values
  }

  private func simple(_ blocks: [Int]) -> [Float] {
    var gain = LimiterGain(latency: 50, maximumFrameCount: 128)
    return runs(blocks) { gain.process($0, frameCount: $1, release: 0.02) }
  }

  private func adaptive(_ blocks: [Int]) -> [Float] {
    var gain = AdaptiveLimiterGain(
      latency: 50, isBetween: true, sampleRate: 8000, maximumFrameCount: 128)
    let speed = AdaptiveLimiterGain.Speed(release: 0.01, sampleRate: 8000)
    return runs(blocks) { gain.process($0, frameCount: $1, speed: speed) }
  }

  @Test func `rests do not change a gain, wherever blocks begin`() {
    // Blocks of one frame rest as often as possible, long blocks almost never.
    #expect(simple([1]) == simple([128]))
    #expect(simple([128]) == simple([3, 77, 128, 1, 50]))
    #expect(adaptive([1]) == adaptive([128]))
    #expect(adaptive([128]) == adaptive([3, 77, 128, 1, 50]))
  }

  @Test func `a gain is low enough where it is needed and 1 again after a rest`() {
    for gains in [simple([128]), adaptive([128])] {
      for frame in 0..<(Self.needed.count - 50) {
        #expect(gains[frame + 50] <= Self.needed[frame])
      }
      #expect(gains[600] == 1)
      #expect(gains[5999] == 1)
    }
  }
}
