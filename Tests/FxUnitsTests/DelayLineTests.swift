import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct DelayLineTests {
  @Test(arguments: [0, 1, 30, 100])
  func `frames come back after the delay, in shared or separate memory`(delay: Int) {
    let input = Signal.noise(1000)
    var line = DelayLine(channelCount: 2, maximumDelay: 100, maximumFrameCount: 64)
    var signal = input
    var position = 0
    while position < 1000 {
      let count = min(position % 64 + 1, 1000 - position)
      signal.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        line.write(base + position, channel: 1, frameCount: count)
        line.read(into: base + position, channel: 1, delay: delay, frameCount: count)
        line.advance(count)
      }
      position += count
    }
    #expect(signal == Signal.silence(delay) + input.dropLast(delay))
  }

  @Test func `a delay between frames follows a cubic exactly`() {
    func cubic(_ time: Double) -> Double { time * time / 100 - time + 3 }
    var line = DelayLine(channelCount: 1, maximumDelay: 40, maximumFrameCount: 32)
    for start in [0, 32] {
      let input = (start..<start + 32).map { Float(cubic(Double($0))) }
      line.write(input, channel: 0, frameCount: 32)
      if start == 0 { line.advance(32) }
    }
    let delays = (0..<16).map {
      FractionalDelay(frames: 20 + Double($0) * 0.17, atLeast: 2, atMost: 38)
    }
    var output = [Float](repeating: 0, count: 16)
    line.readCubic(into: &output, channel: 0, delays: delays, frameCount: 16)
    for frame in 0..<16 {
      let delay = Double(delays[frame].frames) + Double(delays[frame].fraction)
      #expect(abs(Double(output[frame]) - cubic(Double(32 + frame) - delay)) < 1e-4)
    }
  }

  @Test func `a delay is kept within its bounds, whatever is asked for`() {
    for wanted in [Double.nan, -.infinity, .infinity, -3, 1e300] {
      let delay = FractionalDelay(frames: wanted, atLeast: 4, atMost: 100)
      #expect(delay.frames == (wanted > 4 ? 100 : 4))
      #expect(delay.fraction == 0)
    }
    #expect(FractionalDelay(frames: 16.999999, atLeast: 4, atMost: 100).frames == 17)
    #expect(FractionalDelay(frames: 16.999, atLeast: 4, atMost: 100).frames == 16)
    #expect(FractionalDelay(frames: 16.5, atLeast: 4, atMost: 100).fraction == 0.5)
  }

  @Test(arguments: [0, 1]) func `a line with one sample in any channel is not silent`(
    channel: Int
  ) {
    var line = DelayLine(channelCount: 2, maximumDelay: 40, maximumFrameCount: 32)
    var silences = [line.isSilent]
    line.write([0, 0.1, 0], channel: channel, frameCount: 3)
    line.advance(3)
    silences += [
      line.isSilent, line.isSilent(channel: channel), line.isSilent(channel: 1 - channel),
    ]
    line.clear()
    silences.append(line.isSilent)
    #expect(silences == [true, false, false, true, true])
  }
}
