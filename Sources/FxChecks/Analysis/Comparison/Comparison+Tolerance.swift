import FxAudio

extension Comparison {
  /// A sentence about the limits of a tolerance that hold and those that do not; nil when there is
  /// nothing to say.
  package func line(about tolerance: Tolerance) -> String? {
    guard category != .same, !tolerance.isExact else { return nil }
    guard expected == actual else { return "a tolerance is for sounds of the same shape only" }
    guard channels.allSatisfy({ $0.nonFiniteCount == 0 }) else { return nil }
    var parts: [String] = []
    func add(_ name: String, _ value: String, allowed: Double?, holds: Bool) {
      guard let allowed else { return }
      parts.append(
        "\(name) \(value), \(Figures.plain(allowed)) dB \(holds ? "allowed" : "is allowed at most")"
      )
    }
    add(
      "peak", Figures.level(Double(peakDifference)), allowed: tolerance.peak,
      holds: tolerance.allowsPeak(peakDifference))
    add(
      "RMS", Figures.level(rmsDifference), allowed: tolerance.rms,
      holds: tolerance.allowsRMS(rmsDifference))
    add(
      "third octaves", Figures.change(spectralDeviation), allowed: tolerance.spectral,
      holds: tolerance.allowsSpectrum(spectralDeviation))
    let verdict = isWithin(tolerance) ? "within" : "beyond"
    return "\(verdict) the tolerance: \(parts.joined(separator: "; "))"
  }
}
