import CRealtime

/// A loop that always does the same: what a machine takes for it is the measure of what it takes for
/// a chain.
///
/// Half of the work is what filters do, one result waiting for the other; half is what gains and
/// sums do, many at once.
struct CalibrationLoop {
  /// Frames of a pass.
  static let frameCount = 4096
  private var samples: [Float]
  private var states = (0.0, 0.0)

  init() {
    samples = (0..<Self.frameCount).map { Float($0 % 31) / 31 - 0.5 }
  }

  /// Nanoseconds a frame of the quickest of some passes.
  mutating func measure(passes: Int = 24) -> Double {
    var best = Double.infinity
    for _ in 0..<passes {
      let start = fx_monotonic_seconds()
      filter()
      scale()
      best = min(best, fx_monotonic_seconds() - start)
    }
    return best * 1e9 / Double(Self.frameCount)
  }

  /// A filter of two poles at a twentieth of the rate.
  private mutating func filter() {
    var (first, second) = states
    for index in samples.indices {
      let sample = Double(samples[index])
      let output = 0.02 * sample + first
      first = 0.04 * sample + 1.56 * output + second
      second = 0.02 * sample - 0.64 * output
      samples[index] = Float(output)
    }
    // What it would fade to otherwise takes other times.
    states = (first + 1e-9, second)
    if !(abs(first) < 10) { states = (0, 0) }
  }

  private mutating func scale() {
    for pass in 0..<8 {
      let gain: Float = pass.isMultiple(of: 2) ? 1.25 : 0.8
      for index in samples.indices { samples[index] = samples[index] * gain + 1e-6 }
    }
  }
}
