import FxAudio

/// How much louder or quieter a system makes each frequency.
///
/// From what went in and what came out of it, by dividing their spectra: an impulse, a sweep or
/// noise will do, as long as the frequencies that are asked for are in it.
package struct FrequencyResponse: Sendable {
  /// Hertz between two bins.
  private let spacing: Double
  private let decibels: [Double?]

  /// nil where there is nothing to divide by, or more than 16 million frames.
  package init?(input: [Float], output: [Float], sampleRate: Double) {
    let count = max(input.count, output.count)
    guard count > 0, count <= 1 << 24, sampleRate.isFinite, sampleRate > 0,
      // Some bins where there are few samples: an impulse response is short.
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

  /// From an impulse response, where an impulse of 1 went in.
  package init?(impulseResponse: [Float], sampleRate: Double) {
    self.init(input: [1], output: impulseResponse, sampleRate: sampleRate)
  }

  /// dB at a frequency in hertz, between the two nearest bins; nil where the input has nothing there.
  package func decibels(at hertz: Double) -> Double? {
    let position = hertz / spacing
    guard position >= 0, position <= Double(decibels.count - 1) else { return nil }
    let bin = Int(position)
    guard let low = decibels[bin] else { return nil }
    let part = position - Double(bin)
    guard part > 0 else { return low }
    guard let high = decibels[bin + 1] else { return nil }
    // Bins of nothing at all.
    guard low.isFinite, high.isFinite else { return part < 0.5 ? low : high }
    return low + (high - low) * part
  }
}
