import FxAudio

/// The gain of a system at each frequency.
///
/// It divides the spectrum of the output by that of the input. The input may be an impulse, a sweep
/// or noise; it must contain the frequencies of interest.
package struct FrequencyResponse: Sendable {
  /// Hertz between two bins.
  private let spacing: Double
  private let decibels: [Double?]

  /// nil when the input is silent, or for more than 16 million frames.
  package init?(input: [Float], output: [Float], sampleRate: Double) {
    let count = max(input.count, output.count)
    guard count > 0, count <= 1 << 24, sampleRate.isFinite, sampleRate > 0,
      // A minimum number of bins, because an impulse response can be short.
      let transform = FourierTransform(length: FourierTransform.length(atLeast: max(count, 8192)))
    else { return nil }
    func powers(_ samples: [Float]) -> [Double] {
      let padding = [Float](repeating: 0, count: transform.length - samples.count)
      return transform.spectrum(samples.map { $0.isFinite ? $0 : 0 } + padding).map(\.power)
    }
    let before = powers(input)
    let after = powers(output)
    let floor = (before.max() ?? 0) * 1e-9
    guard floor > 0 else { return nil }
    spacing = sampleRate / Double(transform.length)
    decibels = zip(before, after).map { before, after in
      before > floor ? Math.decibels(amplitude: Math.squareRoot(after / before)) : nil
    }
  }

  /// From the response to an impulse of 1.
  package init?(impulseResponse: [Float], sampleRate: Double) {
    self.init(input: [1], output: impulseResponse, sampleRate: sampleRate)
  }

  /// dB at a frequency in hertz, interpolated between the two nearest bins; nil when the input has
  /// no energy there.
  package func decibels(at hertz: Double) -> Double? {
    let position = hertz / spacing
    guard position >= 0, position <= Double(decibels.count - 1) else { return nil }
    let bin = Int(position)
    guard let low = decibels[bin] else { return nil }
    let part = position - Double(bin)
    guard part > 0 else { return low }
    guard let high = decibels[bin + 1] else { return nil }
    // A bin without output is minus infinity, which cannot be interpolated.
    guard low.isFinite, high.isFinite else { return part < 0.5 ? low : high }
    return low + (high - low) * part
  }
}
