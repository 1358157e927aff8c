import FxAudio

extension Comparison.Channel {
  /// Compares two channels frame by frame, up to the end of the shorter one.
  init(expected: [Float], actual: [Float]) {
    self.init(firstDifference: nil, differingFrameCount: 0, peak: 0, peakFrame: 0, rms: 0)
    let count = min(expected.count, actual.count)
    var energy = 0.0
    expected.withUnsafeBufferPointer { expected in
      actual.withUnsafeBufferPointer { actual in
        for frame in 0..<count where expected[frame].bitPattern != actual[frame].bitPattern {
          if firstDifference == nil { firstDifference = frame }
          lastDifference = frame
          differingFrameCount += 1
          if !actual[frame].isFinite, expected[frame].isFinite {
            if firstNonFinite == nil { firstNonFinite = frame }
            nonFiniteCount += 1
          }
          var difference = abs(actual[frame] - expected[frame])
          if !difference.isFinite {
            let areNumbers = expected[frame].isFinite && actual[frame].isFinite
            difference = areNumbers ? .greatestFiniteMagnitude : .infinity
          }
          if difference > peak {
            peak = difference
            peakFrame = frame
          }
          energy += Double(difference) * Double(difference)
        }
        expectedPeak = Self.peak(expected)
        actualPeak = Self.peak(actual)
        actualEnd = actual.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
      }
    }
    rms = count > 0 ? Math.squareRoot(energy / Double(count)) : 0
  }

  private static func peak(_ samples: UnsafeBufferPointer<Float>) -> Float {
    var peak: Float = 0
    for sample in samples {
      let magnitude = abs(sample)
      if magnitude > peak { peak = magnitude }
    }
    return peak
  }
}
