import FxNodes
import Glibc

/// The filters of first order of sox and ffmpeg, whose pole is that of the analog filter.
///
/// fxrun's are bilinear transforms; their levels differ near half the sample rate.
enum FirstOrder {
  /// How far the levels of both are apart at most from 20 Hz to 20 kHz, in decibels.
  static func difference(
    _ kind: Equalizer.Band.Kind, frequency: Double, sampleRate: Double
  ) -> Double {
    let pole = exp(-2 * .pi * frequency / sampleRate)
    let turn = tan(.pi * frequency / sampleRate)
    let bilinear = (1 - turn) / (1 + turn)
    let isLow = kind == .lowPass
    return stride(from: 20, through: min(20000, 0.45 * sampleRate), by: 20).map { hertz in
      let omega = 2 * Double.pi * hertz / sampleRate
      let below = { (pole: Double) in 1 - 2 * pole * cos(omega) + pole * pole }
      // The squares of the sizes: 1 - z⁻¹ and 1 + z⁻¹ above the line.
      let (minus, plus) = (2 - 2 * cos(omega), 2 + 2 * cos(omega))
      let theirs =
        isLow
        ? (1 - pole) * (1 - pole) / below(pole)
        : (1 + pole) * (1 + pole) / 4 * minus / below(pole)
      let ours =
        isLow
        ? (1 - bilinear) * (1 - bilinear) / 4 * plus / below(bilinear)
        : (1 + bilinear) * (1 + bilinear) / 4 * minus / below(bilinear)
      return abs(10 * log10(theirs / ours))
    }.max() ?? 0
  }

  /// The outcome of such a filter.
  static func outcome(
    _ kind: Equalizer.Band.Kind, frequency: Double, sampleRate: Double
  ) -> ImportOutcome {
    let difference = difference(kind, frequency: frequency, sampleRate: sampleRate)
    guard difference > 0.05 else { return .translated }
    let tenths = Int((difference * 10).rounded(.up))
    return .approximated(
      "a filter of first order whose level differs by up to \(tenths / 10).\(tenths % 10) dB towards half the rate"
    )
  }
}
