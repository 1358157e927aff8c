import FxAudio

extension Comparison {
  /// The peak of the difference over all channels; infinite when a sample is infinite or not a
  /// number.
  var peakDifference: Float { channels.reduce(0) { max($0, $1.peak) } }

  /// The RMS of the difference in the channel where it is highest.
  var rmsDifference: Double { channels.reduce(0) { max($0, $1.rms) } }

  /// True when the difference is within a tolerance. An exact tolerance needs the same bits.
  /// Length, channel count and sample rate must always be the same.
  func isWithin(_ tolerance: Tolerance) -> Bool {
    if category == .same { return true }
    guard !tolerance.isExact, expected == actual, channels.allSatisfy({ $0.peak.isFinite })
    else { return false }
    return tolerance.allowsPeak(peakDifference) && tolerance.allowsRMS(rmsDifference)
      && tolerance.allowsSpectrum(spectralDeviation)
  }
}

extension Tolerance {
  /// True when two sounds are within this tolerance. It gives the same result as
  /// `Comparison.isWithin`, but measures only what is necessary; a `Comparison` also explains the
  /// difference and takes longer.
  package func accepts(expected: Sound, actual: Sound) -> Bool {
    guard Comparison.Shape(expected) == Comparison.Shape(actual) else { return false }
    let isSame = zip(expected.channels, actual.channels).allSatisfy { Self.areSame($0, $1) }
    if isSame || isExact { return isSame }
    let channels = zip(expected.channels, actual.channels).map {
      Comparison.Channel(expected: $0, actual: $1)
    }
    guard
      channels.allSatisfy({
        $0.peak.isFinite && allowsPeak($0.peak) && allowsRMS($0.rms)
      })
    else { return false }
    guard spectral != nil else { return true }
    guard let deviations = Comparison.deviations(expected, actual) else { return false }
    return allowsSpectrum(deviations.reduce(0) { max($0, abs($1.decibels)) })
  }

  private static func areSame(_ one: [Float], _ other: [Float]) -> Bool {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        for frame in 0..<min(one.count, other.count)
        where one[frame].bitPattern != other[frame].bitPattern {
          return false
        }
        return one.count == other.count
      }
    }
  }

  // The limits are slightly wider than stated, because conversions between decibels and amplitudes
  // round.

  func allowsPeak(_ difference: Float) -> Bool {
    guard let peak else { return true }
    return Double(difference) <= Math.amplitude(decibels: peak) * 1.000_001
  }

  func allowsRMS(_ difference: Double) -> Bool {
    guard let rms else { return true }
    return difference <= Math.amplitude(decibels: rms) * 1.000_001
  }

  func allowsSpectrum(_ deviation: Double) -> Bool {
    guard let spectral else { return true }
    return deviation <= spectral + 1e-6
  }
}
