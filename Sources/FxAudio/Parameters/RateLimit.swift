/// How the sample rate limits the range of a frequency.
package enum RateLimit: Sendable, Hashable {
  case none
  /// The range has its own upper end, lowered to the highest frequency at the sample rate.
  case capped
  /// The range ends at the highest frequency at the sample rate.
  case follows
  /// The range has been limited for a chain with this sample rate in Hz.
  case reached(sampleRate: Double)

  /// The highest sample rate of a chain, in Hz.
  package static let highestRate = 768_000.0
  /// The highest filter frequency as a share of the sample rate: just below half of it.
  package static let share = 0.49

  /// The highest frequency of a filter at a sample rate.
  package static func highest(sampleRate: Double) -> Double { 49 * sampleRate / 100 }
}

extension ParameterSpec {
  /// The parameter of a chain at a sample rate, with the range and the default limited to it.
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
