import CRealtime

/// A loop with a fixed amount of work. Its time on a machine is the unit for the cost of a chain.
///
/// Half of the work is like filters: each result depends on the previous one. The other half is
/// like gains and sums, which process many samples at once.
struct CalibrationLoop {
  /// Frames of a pass.
  static let frameCount = 4096
  private var samples: [Float]
  private var states = (0.0, 0.0)

  init() {
    samples = (0..<Self.frameCount).map { Float($0 % 31) / 31 - 0.5 }
  }

  /// The time of the fastest pass, in nanoseconds per frame.
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

  /// A two-pole filter at a twentieth of the sample rate.
  private mutating func filter() {
    var (first, second) = states
    for index in samples.indices {
      let sample = Double(samples[index])
      let output = 0.02 * sample + first
      first = 0.04 * sample + 1.56 * output + second
      second = 0.02 * sample - 0.64 * output
      samples[index] = Float(output)
    }
    // Without this offset the signal would decay to denormal values, which take a different time.
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
