import FxAudio

/// An estimate of the filter from one expected channel to the difference: a value for each
/// frequency, from windows spread over the sound (Welch's method).
///
/// The windows are divided into two halves. The estimate of each half is checked on the other one,
/// so that chance explains nothing.
struct TransferEstimate {
  static let windowFrameCount = 8192
  private static let windowCount = 96

  /// Sums of one half of the windows.
  struct Half {
    var expected: [Double]
    var difference: [Double]
    /// The conjugate of the expected spectrum times the difference, real part and imaginary part.
    var real: [Double]
    var imaginary: [Double]

    init(_ count: Int) {
      let none = [Double](repeating: 0, count: count)
      (expected, difference, real, imaginary) = (none, none, none, none)
    }
  }

  private(set) var halves: [Half]
  let binCount: Int
  private(set) var windows = 0

  /// nil when the sound is too short.
  init?(expected: [Float], difference: [Float], transform: FourierTransform, window: [Float]) {
    let size = transform.length
    binCount = transform.binCount
    halves = [Half(binCount), Half(binCount)]
    let room = expected.count - size
    guard room >= 3 * size else { return nil }
    let step = max(size / 2, room / Self.windowCount)
    for start in stride(from: 0, through: room, by: step) {
      let then = transform.spectrum(Self.stretch(expected, start, window))
      let change = transform.spectrum(Self.stretch(difference, start, window))
      // Neighbours overlap, so groups of four windows go to the same half.
      add(then, change, to: windows / 4 % 2)
      windows += 1
    }
    guard windows >= 8 else { return nil }
  }

  private static func stretch(_ samples: [Float], _ start: Int, _ window: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: window.count) { made, count in
      count = window.count
      samples.withUnsafeBufferPointer { samples in
        for index in 0..<count { made[index] = samples[start + index] * window[index] }
      }
    }
  }

  private mutating func add(
    _ then: [FourierTransform.Bin], _ change: [FourierTransform.Bin], to half: Int
  ) {
    for bin in 0..<binCount {
      let (a, b) = (then[bin], change[bin])
      halves[half].expected[bin] += a.power
      halves[half].difference[bin] += b.power
      halves[half].real[bin] += Double(a.real * b.real + a.imaginary * b.imaginary)
      halves[half].imaginary[bin] += Double(a.real * b.imaginary - a.imaginary * b.real)
    }
  }

  /// The sum of both halves.
  var whole: Half {
    var whole = halves[0]
    for bin in 0..<binCount {
      whole.expected[bin] += halves[1].expected[bin]
      whole.difference[bin] += halves[1].difference[bin]
      whole.real[bin] += halves[1].real[bin]
      whole.imaginary[bin] += halves[1].imaginary[bin]
    }
    return whole
  }

  /// The energy of the difference that a filter leaves, and all of it. Each half is checked with
  /// the other half's filter.
  var restOfFilter: (left: Double, all: Double) {
    var (left, all) = (0.0, 0.0)
    for (own, other) in [(halves[0], halves[1]), (halves[1], halves[0])] {
      let floor = (other.expected.max() ?? 0) * 1e-12 + 1e-30
      for bin in 0..<binCount {
        let real = other.real[bin] / (other.expected[bin] + floor)
        let imaginary = other.imaginary[bin] / (other.expected[bin] + floor)
        left +=
          own.difference[bin] - 2 * (real * own.real[bin] + imaginary * own.imaginary[bin])
          + (real * real + imaginary * imaginary) * own.expected[bin]
        all += own.difference[bin]
      }
    }
    return (max(left, 0), all)
  }
}
