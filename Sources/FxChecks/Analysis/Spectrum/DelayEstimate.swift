import FxAudio

/// The delay of one sound behind another, and its clarity.
///
/// It uses only the phases of the cross-correlation (Knapp and Carter, "The generalized correlation
/// method for estimation of time delay", 1976). A filter spreads the peak around its true place,
/// and many echoes leave no clear peak.
struct DelayEstimate: Sendable, Equatable {
  /// In frames; negative for earlier.
  package var frames: Int
  /// The height of the peak: 1 for a pure delay, near 0 for unrelated sounds.
  package var clarity: Double

  package init(frames: Int, clarity: Double) {
    self.frames = frames
    self.clarity = clarity
  }

  /// The most frames that are compared.
  private static let longest = 1 << 17

  /// nil when one of the two is silent or they are too short.
  package init?(of later: [Float], behind earlier: [Float]) {
    let count = min(later.count, earlier.count, Self.longest)
    guard count > 64,
      let transform = FourierTransform(length: FourierTransform.length(atLeast: 2 * count))
    else { return nil }
    func spectrum(_ samples: [Float]) -> [FourierTransform.Bin] {
      transform.spectrum(
        samples.prefix(count) + [Float](repeating: 0, count: transform.length - count))
    }
    var product = zip(spectrum(later), spectrum(earlier)).map { now, then in
      FourierTransform.Bin(
        real: now.real * then.real + now.imaginary * then.imaginary,
        imaginary: now.imaginary * then.real - now.real * then.imaginary)
    }
    let magnitudes = product.map { Math.squareRoot($0.power) }
    // The phase of a bin with only rounding errors is meaningless.
    let floor = (magnitudes.max() ?? 0) * 1e-7
    guard floor > 0, floor.isFinite else { return nil }
    var weights = 0.0
    for index in product.indices {
      let weight = magnitudes[index] / (magnitudes[index] + floor)
      weights += weight
      let scale = magnitudes[index] > 0 ? Float(weight / magnitudes[index]) : 0
      product[index].real *= scale
      product[index].imaginary *= scale
    }
    let correlation = transform.samples(product)
    guard let peak = correlation.indices.max(by: { abs(correlation[$0]) < abs(correlation[$1]) })
    else { return nil }
    frames = peak > transform.length / 2 ? peak - transform.length : peak
    clarity = min(Double(abs(correlation[peak])) / max(2 * weights, 1), 1)
  }
}
