import FxAudio

extension Comparison {
  /// The highest sample of the difference, of all channels; infinite where something is no number.
  package var peakDifference: Float { channels.reduce(0) { max($0, $1.peak) } }

  /// The difference's root mean square, the loudest channel.
  package var rmsDifference: Double { channels.reduce(0) { max($0, $1.rms) } }

  /// True when nothing is further off than a tolerance allows. Exact is the same bits. Length,
  /// channels and rate have to be the same always.
  package func isWithin(_ tolerance: Tolerance) -> Bool {
    if category == .same { return true }
    guard !tolerance.isExact, expected == actual, channels.allSatisfy({ $0.peak.isFinite })
    else { return false }
    return tolerance.allowsPeak(peakDifference) && tolerance.allowsRMS(rmsDifference)
      && tolerance.allowsSpectrum(spectralDeviation)
  }
}

extension Tolerance {
  /// Whether a sound is within this of another: no more is measured than has to be. Says the same
  /// as `Comparison.isWithin`, which explains as well and takes longer.
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

  // A little more than is said: levels go to and fro between decibels and amplitudes.

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
