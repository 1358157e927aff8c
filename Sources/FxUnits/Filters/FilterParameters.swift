import FxAudio

/// What filters have in common. These change in equal ratios, because a line would rush through the
/// small values, where a filter changes most.
extension ParameterSpec {
  /// The level that a filter raises or lowers to.
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
