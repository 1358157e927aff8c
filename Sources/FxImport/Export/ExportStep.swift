import Glibc

/// What a node of a chain does, in terms that other programs have too.
enum ExportStep {
  case filter(ExportFilter)
  /// Decibels; minus infinity is silence.
  case gain(Double, isInverted: Bool)
  /// Seconds.
  case delay(Double)
  /// The routes to each output.
  case routes([[(channel: Int, factor: Double)]])
  /// A sound file, with a gain in decibels.
  case impulse(String, gain: Double)
  case section(Coefficients)
  /// The points of a graphic equalizer: frequencies and decibels.
  case curve(String)
  case compressor(ExportCompressor)
  /// A ceiling in decibels, and seconds.
  case limiter(ceiling: Double, release: Double, lookahead: Double)

  var isDynamic: Bool {
    switch self {
    case .compressor, .limiter: true
    default: false
    }
  }
}

/// A filter of the Audio EQ Cookbook, or a Butterworth filter.
struct ExportFilter {
  enum Kind: String {
    case peak, lowShelf, highShelf, lowPass, highPass, bandPass, notch, allPass
  }

  let kind: Kind
  let frequency: Double
  /// Of a filter of second order.
  let q: Double
  let order: Int
  let gain: Double

  /// Filters of first and second order that together are this one.
  var sections: [ExportFilter] {
    guard order > 2 else { return [self] }
    let pairs = (0..<order / 2).map { index in
      // The angles of the poles of a Butterworth filter.
      let angle = Double.pi * (Double(2 * index + 1 + order % 2) / Double(2 * order))
      return with(order: 2, q: 1 / (2 * cos(angle)))
    }
    return order.isMultiple(of: 2) ? pairs : [with(order: 1, q: 1)] + pairs
  }

  private func with(order: Int, q: Double) -> ExportFilter {
    ExportFilter(kind: kind, frequency: frequency, q: q, order: order, gain: gain)
  }
}

/// A compressor: decibels and seconds.
struct ExportCompressor {
  let threshold: Double
  let ratio: Double
  let knee: Double
  let attack: Double
  let release: Double
  let makeup: Double
}
