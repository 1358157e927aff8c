internal import FxAudio

/// The kinds of filter that one section can be.
enum FilterShape: String, Sendable, CaseIterable, BitwiseCopyable {
  case lowPass, highPass, bandPass, notch, allPass, peak, lowShelf, highShelf
  /// Of first order, 6 dB an octave.
  case gentleLowPass, gentleHighPass, gentleAllPass, gentleLowShelf, gentleHighShelf
  /// Of first order: cuts below the frequency and boosts above it by the same gain.
  case tilt
  /// No filter: the same level at every frequency.
  case level

  /// The quality of a pole pair with a flat response (Butterworth): the square root of a half.
  static let flatQuality = 0.707_106_781_186_547_6
}

/// Butterworth filters as a cascade of sections: a flat passband, -3.01 dB at the cutoff and 6 dB
/// an octave for each order.
enum Butterworth {
  package static let orders = 1...8

  /// Sections that an order takes.
  package static func sectionCount(order: Int) -> Int { (order + 1) / 2 }

  /// The order that a build option asks for; 2 when the option is missing or not a valid order.
  package static func order(_ option: Double?) -> Int {
    guard let option, let order = Int(exactly: option), orders.contains(order) else { return 2 }
    return order
  }

  // MARK: - Realtime

  /// True for the last section of an odd order, which is a single pole.
  @_noLocks
  static func isFirstOrder(section: Int, order: Int) -> Bool { section * 2 + 1 == order }

  /// The quality of a section of second order. The poles lie evenly on a half circle; an odd order
  /// has one pole on the real axis.
  @_noLocks
  package static func q(section: Int, order: Int) -> Double {
    0.5 / Math.cos(Double(2 * section + 1 + (order & 1)) * Double.pi / Double(2 * order))
  }
}
