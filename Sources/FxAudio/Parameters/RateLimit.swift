/// How the sample rate limits the range of a frequency.
package enum RateLimit: Sendable, Hashable {
  case none
  /// The range ends at its own end, or at the highest frequency of the rate where that is lower.
  case capped
  /// The range ends at the highest frequency of the rate.
  case follows
  /// The range of a chain at this rate, in frames a second, which has set its end.
  case reached(sampleRate: Double)

  /// The highest rate that a chain can have.
  package static let highestRate = 768_000.0
  /// Filters are designed up to this share of the sample rate: just below half of it.
  package static let share = 0.49

  /// The highest frequency of a filter at a sample rate.
  package static func highest(sampleRate: Double) -> Double { 49 * sampleRate / 100 }
}

extension ParameterSpec {
  /// The parameter of a chain at a sample rate: its range ends where the rate ends it, and so does
  /// its default.
  package func at(sampleRate: Double) -> ParameterSpec {
    let highest = RateLimit.highest(sampleRate: sampleRate)
    let isEnd = rateLimit == .follows || rateLimit == .capped && range.upperBound > highest
    guard isEnd, highest >= range.lowerBound else { return self }
    return limited(to: highest, sampleRate: sampleRate)
  }
}

extension UnitSpec {
  /// The unit of a chain at a sample rate.
  package func at(sampleRate: Double) -> UnitSpec {
    var spec = self
    spec.parameters = parameters.map { $0.at(sampleRate: sampleRate) }
    spec.list?.parameters = list?.parameters.map { $0.at(sampleRate: sampleRate) } ?? []
    return spec
  }
}
