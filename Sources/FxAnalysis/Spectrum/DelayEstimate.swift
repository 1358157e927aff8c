import FxAudio

/// By how many frames one sound follows another, and how sure that is.
///
/// From the cross-correlation of their phases alone (Knapp and Carter, "The generalized correlation
/// method for estimation of time delay", 1976): a filter spreads its peak around its true place, and
/// many echoes leave none that is clear.
package struct DelayEstimate: Sendable, Equatable {
  /// Frames; negative for earlier.
  package var frames: Int
  /// The height of the peak: 1 for a mere delay, near 0 for sounds that have nothing in common.
  package var clarity: Double

  package init(frames: Int, clarity: Double) {
    self.frames = frames
    self.clarity = clarity
  }

  /// Frames that are looked at.
  private static let longest = 1 << 17

  /// nil where one of the two is silent.
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
    // Bins that hold nothing but rounding have no phase that counts.
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
