import FxAudio

extension RenderJob {
  /// A warning about an output with an impossible peak, above +40 dBFS. One in five plugins exceeds
  /// it with its controls at their maxima.
  func loudness(_ name: String, _ peak: Float) -> String? {
    guard peak > 100 else { return nil }
    let decibels = Int(Math.decibels(amplitude: Double(peak)).rounded())
    return "\(name) peaks at +\(decibels) dBFS: check the plugins and gains of the chain"
  }
}
