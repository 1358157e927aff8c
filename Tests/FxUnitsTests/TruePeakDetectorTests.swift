import Foundation
@testable import FxUnits
import Testing

@Suite struct `A true-peak detector` {
  private func peaks(
    _ input: [Float], block: Int = 64, vectorLevel: Int? = nil, floor: Float = -1
  ) -> [Float] {
    let detector = TruePeakDetector(
      channelCount: 1, maximumFrameCount: block, vectorLevel: vectorLevel)
    return stride(from: 0, to: input.count, by: block).flatMap { start in
      let piece = Array(input[start..<min(start + block, input.count)])
      var found = [Float](repeating: .nan, count: piece.count)
      detector.process(
        piece, channel: 0, into: &found, count: piece.count, keepsLarger: false, floor: floor)
      return found
    }
  }

  @Test(arguments: [0.01, 0.1, 0.24, 0.25, 0.33, 0.41])
  func `finds the peak of a tone for any position of its samples`(frequency: Double) {
    for phase in 0..<16 {
      let tone = (0..<400).map {
        Float(sin(2 * .pi * (frequency * Double($0) + Double(phase) / 32)))
      }
      let top = Double(peaks(tone)[100..<300].max() ?? 0)
      #expect(abs(20 * log10(top)) < 0.02, "phase \(phase)")
    }
  }

  @Test func `gives the same bits for every block and on every processor`() {
    let noise = Reference.noise(500)
    let reference = peaks(noise)
    for block in [1, 7, 16, 33, 500] { #expect(peaks(noise, block: block) == reference) }
    for level in 0...2 { #expect(peaks(noise, vectorLevel: level) == reference) }
  }

  @Test func `skips only samples that cannot reach the floor`() {
    // Samples with the highest possible wave between two of them.
    var steepest = [Float](repeating: 0, count: 200)
    for frame in 90..<110 {
      let distance = Double(frame) - 99.5
      steepest[frame] = sin(Double.pi * distance) / distance < 0 ? -1 : 1
    }
    let top = peaks(steepest).max() ?? 0
    #expect(top > 1.9)
    for input in [steepest, Reference.noise(1000), [Float](repeating: 0.2, count: 300)] {
      let all = peaks(input)
      for floor: Float in [0.05, 0.3, 0.6, 1.9, top] {
        for (found, peak) in zip(peaks(input, floor: floor), all) {
          #expect(found == peak || found == 0 && peak <= floor)
        }
      }
    }
    #expect(peaks(Reference.noise(1000), floor: 10) == [Float](repeating: 0, count: 1000))
  }

  @Test func `keeps the larger peak when it is asked to`() {
    let detector = TruePeakDetector(channelCount: 2, maximumFrameCount: 32)
    var found = [Float](repeating: 0, count: 32)
    let (low, high) = ([Float](repeating: 0.1, count: 32), [Float](repeating: 0.5, count: 32))
    detector.process(high, channel: 0, into: &found, count: 32, keepsLarger: false)
    detector.process(low, channel: 1, into: &found, count: 32, keepsLarger: true)
    #expect(abs(found[31] - 0.5) < 0.001)
  }
}
