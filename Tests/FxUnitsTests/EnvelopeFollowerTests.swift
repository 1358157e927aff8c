import FxAudio
@testable import FxUnits
import Testing

@Suite struct EnvelopeFollowerTests {
  /// Times in frames, at a rate of 1000 frames a second.
  private func speed(attack: Double, release: Double) -> EnvelopeFollower.Speed {
    EnvelopeFollower.Speed(attack: attack / 1000, release: release / 1000, sampleRate: 1000)
  }

  private func follow(
    _ follower: inout EnvelopeFollower, _ values: [Float], _ speed: EnvelopeFollower.Speed
  ) -> (values: [Float], peak: Float) {
    var values = values
    let peak = values.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { follower.follow($0, count: buffer.count, speed: speed) } ?? 0
    }
    return (values, peak)
  }

  @Test func `a coefficient covers 63 percent in its time, and all of a step without a time`() {
    #expect(abs(Smoothing.coefficient(seconds: 0.1, sampleRate: 1000) - 0.009_950_166_25) < 1e-11)
    #expect(abs(Smoothing.coefficient(seconds: 0.001, sampleRate: 1000) - 0.632_120_558_8) < 1e-10)
    #expect(Smoothing.coefficient(seconds: 0.000_01, sampleRate: 1000) == 1)
    #expect(Smoothing.coefficient(seconds: 0.000_02, sampleRate: 1000) == 1)
    for seconds in [0, -1, Double.nan] {
      #expect(Smoothing.coefficient(seconds: seconds, sampleRate: 1000) == 1)
    }
    #expect(Smoothing.coefficient(seconds: .infinity, sampleRate: 1000) == 0)
    #expect(abs(Math.exp(-Smoothing.constantsToNearlyAll) - 0.01) < 1e-15)
  }

  @Test(arguments: [(20.0, 200.0), (200, 20), (50, 50)])
  func `a step up takes the attack and a step down the release`(attack: Double, release: Double) {
    var follower = EnvelopeFollower()
    let speed = speed(attack: attack, release: release)
    let rise = follow(&follower, [Float](repeating: 1, count: 200), speed)
    let fall = follow(&follower, [Float](repeating: 0, count: 200), speed)
    // The first frame already moves: after `attack` frames 1 - 1/e is done.
    for frame in [0, 9, 99, 199] {
      let up = 1 - Math.exp(-Double(frame + 1) / attack)
      #expect(abs(Double(rise.values[frame]) - up) < 1e-6, "\(frame)")
      let top = 1 - Math.exp(-200 / attack)
      let down = top * Math.exp(-Double(frame + 1) / release)
      #expect(abs(Double(fall.values[frame]) - down) < 1e-6, "\(frame)")
    }
    #expect(rise.peak == rise.values[199])
    #expect(fall.peak == fall.values[0])
    #expect(Float(follower.value) == fall.values[199])
  }

  @Test func `without times the envelope is the input`() {
    var follower = EnvelopeFollower()
    let input: [Float] = [0.25, 1, 0.5, 0, 0.125]
    let found = follow(&follower, input, speed(attack: 0, release: 0))
    #expect(found.values == input)
    #expect(found.peak == 1)
    #expect(follower.value == 0.125)
  }

  @Test(arguments: [(5.0, 50.0), (50, 5)])
  func `the envelope does not depend on the lengths of blocks`(attack: Double, release: Double) {
    let speed = speed(attack: attack, release: release)
    let input = (0..<60).map { Float($0 * 37 % 11) / 11 }
    var whole = EnvelopeFollower()
    var cut = EnvelopeFollower()
    let expected = follow(&whole, input, speed)
    var found: [Float] = []
    var peak: Float = 0
    for block in [0..<1, 1..<8, 8..<60] {
      let part = follow(&cut, Array(input[block]), speed)
      found += part.values
      peak = max(peak, part.peak)
    }
    #expect(found == expected.values)
    #expect(peak == expected.peak)
    #expect(cut.value.bitPattern == whole.value.bitPattern)
  }

  @Test(arguments: [(5.0, 50.0), (50, 5)])
  func `a release is the same as following silence`(attack: Double, release: Double) {
    let speed = speed(attack: attack, release: release)
    for count in [1, 7, 100] {
      var one = EnvelopeFollower()
      one.start(at: 0.75)
      var other = one
      let first = one.release(count: count, speed: speed)
      let followed = follow(&other, [Float](repeating: 0, count: count), speed)
      #expect(first == followed.values[0])
      #expect(one.value == other.value)
    }
    var closed = EnvelopeFollower()
    #expect(closed.release(count: 3, speed: speed) == 0)
    #expect(closed.value == 0)
  }

  @Test func `it rests only at the value that it has reached`() {
    let speed = speed(attack: 10, release: 20)
    var follower = EnvelopeFollower()
    #expect(follower.isAtRest(at: 0, speed: speed))
    #expect(!follower.isAtRest(at: 0.5, speed: speed))
    follower.start(at: 0.5)
    #expect(follower.value == 0.5)
    #expect(follower.isAtRest(at: 0.5, speed: speed))
    #expect(!follower.isAtRest(at: 0, speed: speed))
    #expect(follower.value == 0.5)
    follower.clear()
    #expect(follower.value == 0)
  }
}
