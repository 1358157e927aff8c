import FxAudio

/// Shared parameters of filters. They change in equal ratios, because a linear change would pass
/// too quickly through small values, where a filter changes most.
extension ParameterSpec {
  /// The gain of a filter.
  static func filterGain(_ summary: String) -> ParameterSpec {
    ParameterSpec(
      "gain", summary, .decibels, -48...48, default: 0, delivery: .amplitude,
      smoothing: .glide(seconds: 0.02))
  }

  static func filterQ(_ summary: String, default defaultValue: Double) -> ParameterSpec {
    ParameterSpec(
      "q", summary, .none, 0.1...40, default: defaultValue, smoothing: .glide(seconds: 0.02))
  }
}
