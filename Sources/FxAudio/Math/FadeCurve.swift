/// How a level goes from silence to full.
package enum FadeCurve: String, Sendable, Hashable, CaseIterable {
  /// In a straight line.
  case linear
  /// A quarter of a sine: a crossfade of two different signals keeps the power.
  case equalPower
  /// Over 60 dB, linear in decibels.
  case exponential
  /// Slow at both ends.
  case sCurve

  /// The amplitude at a position in the fade, from 0 to 1.
  package func amplitude(at share: Double) -> Double {
    switch self {
    case .linear: share
    case .equalPower: Math.sin(share * (Double.pi / 2))
    case .exponential: Math.amplitude(decibels: 60 * (share - 1))
    case .sCurve: share * share * (3 - 2 * share)
    }
  }
}
