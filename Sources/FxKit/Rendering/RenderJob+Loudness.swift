import FxAudio

extension RenderJob {
  /// What is said of an output with a peak that no sound has: beyond +40 dBFS. Every fifth plugin gets
  /// there with its controls at their maxima.
  func loudness(_ name: String, _ peak: Float) -> String? {
    guard peak > 100 else { return nil }
    let decibels = Int(Math.decibels(amplitude: Double(peak)).rounded())
    return "\(name) peaks at +\(decibels) dBFS: a plugin or a gain is out of hand"
  }
}
