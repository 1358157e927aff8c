import FxAudio
@testable import FxPlaying
import Glibc
import Testing

@Suite struct DriftCorrectionTests {
  @Test(arguments: [300.0, -300.0, 0.0])
  func `two clocks apart are kept in step, and a tone stays a tone`(_ ppm: Double) throws {
    let correction = try #require(
      DriftCorrection.make(
        width: 1, from: 8000, pushed: 128, to: 8000, pulled: 128))
    defer { correction.destroy() }
    let input = PlanarBuffer(channelCount: 1, frameCount: 1024)
    let output = PlanarBuffer(channelCount: 1, frameCount: 128)
    var recorded = 0
    var last: [Float] = []
    for block in 1...6000 {
      let due = Int(Double(block * 128) * (1 + ppm * 1e-6))
      for frame in 0..<due - recorded {
        // A whole number of periods every 40 frames.
        let phase = Double((recorded + frame) % 40) / 40
        input[0][frame] = Float(0.5 * sin(2 * Double.pi * phase))
      }
      _ = correction.push(input.readable, frameCount: due - recorded)
      recorded = due
      _ = correction.pull(into: output.channels, frameCount: 128, waiting: 0, late: 0)
      if block > 5990 { last += (0..<128).map { output[0][$0] } }
    }
    #expect(abs(correction.partsPerMillion - ppm) < 2)
    #expect(last.allSatisfy { abs($0) < 0.51 })
    // A tone obeys x[n+1] + x[n-1] = 2 cos(w) x[n].
    let turn = Float(2 * cos(2 * Double.pi / 40 * (1 + ppm * 1e-6)))
    let error = (1..<last.count - 1).map { abs(last[$0 + 1] + last[$0 - 1] - turn * last[$0]) }
    #expect((error.max() ?? 1) < 1e-4)
    #expect((last.max() ?? 0) > 0.49)
  }

  @Test(arguments: [44100.0, 96000.0])
  func `frames of another rate come out at this one`(_ rate: Double) throws {
    let correction = try #require(
      DriftCorrection.make(width: 1, from: rate, pushed: 512, to: 48000, pulled: 256))
    defer { correction.destroy() }
    let input = PlanarBuffer(channelCount: 1, frameCount: 1024)
    let output = PlanarBuffer(channelCount: 1, frameCount: 256)
    var pushed = 0
    var last: [Float] = []
    for block in 1...2000 {
      let due = Int(Double(block * 256) * rate / 48000 * (1 + 1e-4))
      for frame in 0..<due - pushed {
        let phase = Double(pushed + frame) * 600 / rate
        input[0][frame] = Float(0.5 * sin(2 * Double.pi * phase.truncatingRemainder(dividingBy: 1)))
      }
      _ = correction.push(input.readable, frameCount: due - pushed)
      pushed = due
      _ = correction.pull(into: output.channels, frameCount: 256, waiting: 0, late: 0)
      if block > 1990 { last += (0..<256).map { output[0][$0] } }
    }
    let turn = Float(2 * cos(2 * Double.pi * 600 / 48000))
    let error = (1..<last.count - 1).map { abs(last[$0 + 1] + last[$0 - 1] - turn * last[$0]) }
    #expect((error.max() ?? 1) < 1e-4)
    #expect((last.max() ?? 0) > 0.49)
  }

  @Test
  func `the output is silent until there are enough frames, and again when nothing is recorded`()
    throws
  {
    let correction = try #require(
      DriftCorrection.make(
        width: 1, from: 8000, pushed: 64, to: 8000, pulled: 64))
    defer { correction.destroy() }
    let input = PlanarBuffer(channelCount: 1, frameCount: 64)
    let output = PlanarBuffer(channelCount: 1, frameCount: 64)
    for frame in 0..<64 { input[0][frame] = 1 }
    var loud: [Bool] = []
    for block in 0..<60 {
      if block < 30 { _ = correction.push(input.readable, frameCount: 64) }
      _ = correction.pull(into: output.channels, frameCount: 64, waiting: 0, late: 0)
      loud.append((0..<64).contains { abs(output[0][$0]) > 0.5 })
    }
    #expect(loud.firstIndex(of: true) == correction.targetFrameCount / 64 - 1)
    #expect(loud[10..<30].allSatisfy { $0 })
    #expect(!loud[50...].contains(true))
  }
}
