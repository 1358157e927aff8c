import FxAudio

/// The filter that turns one sound into another, if a filter explains their difference.
struct LinearChange: Sendable {
  private let spacing: Double
  private let whole: TransferEstimate.Half
  /// The share of the difference's energy that the filter does not explain.
  package let rest: Double

  /// The largest share that may remain unexplained.
  private static let largestRest = 0.02
  /// The lowest power relative to the strongest frequency; weaker frequencies are not evaluated.
  private static let floor = 1e-9

  /// nil when the sounds are the same, too short, or differ by more than a filter.
  package init?(expected: [Float], actual: [Float], sampleRate: Double) {
    let count = min(expected.count, actual.count)
    let length = TransferEstimate.windowFrameCount
    guard sampleRate.isFinite, sampleRate > 0,
      let transform = FourierTransform(length: length)
    else { return nil }
    let difference = (0..<count).map { actual[$0] - expected[$0] }
    guard difference.contains(where: { $0 != 0 }), difference.allSatisfy({ $0.isFinite }) else {
      return nil
    }
    let window = (0..<length).map {
      Float(0.5 - 0.5 * Math.cos(2 * .pi * (Double($0) + 0.5) / Double(length)))
    }
    guard
      let estimate = TransferEstimate(
        expected: Array(expected[..<count]), difference: difference, transform: transform,
        window: window)
    else { return nil }
    let (left, all) = estimate.restOfFilter
    guard all > 0, left <= all * Self.largestRest else { return nil }
    rest = left / all
    whole = estimate.whole
    spacing = sampleRate / Double(length)
  }

  /// The filter's gain in a twelfth of an octave; nil when the sound has too little energy there.
  package func decibels(at hertz: Double) -> Double? {
    let half = Math.exp2(1.0 / 24)
    let low = Int((hertz / half / spacing).rounded())
    let high = Int((hertz * half / spacing).rounded())
    guard low >= 1, high < whole.expected.count else { return nil }
    var (power, real, imaginary) = (0.0, 0.0, 0.0)
    for bin in low...high {
      power += whole.expected[bin]
      real += whole.real[bin]
      imaginary += whole.imaginary[bin]
    }
    let strongest = whole.expected.max() ?? 0
    guard power > strongest * Self.floor * Double(high - low + 1) else { return nil }
    let (own, other) = (1 + real / power, imaginary / power)
    return Math.decibels(amplitude: Math.squareRoot(own * own + other * other))
  }
}
