/// The panels that can be drawn for a chain.
package enum PlotPanel: String, CaseIterable, Sendable {
  case magnitude, phase, groupDelay, impulse, staticCurve, harmonics, distortion, sweep

  package var title: String {
    switch self {
    case .magnitude: "Magnitude"
    case .phase: "Phase"
    case .groupDelay: "Group delay"
    case .impulse: "Impulse response"
    case .staticCurve: "Static curve"
    case .harmonics: "Harmonics over level"
    case .distortion: "Harmonics over frequency"
    case .sweep: "Spectrogram of a sweep"
    }
  }

  /// The panel's name in a sentence.
  package var noun: String {
    switch self {
    case .magnitude: "magnitude"
    case .phase: "phase"
    case .groupDelay: "group delay"
    case .impulse: "impulse response"
    case .staticCurve: "static curve"
    case .harmonics: "harmonics over level"
    case .distortion: "harmonics over frequency"
    case .sweep: "spectrogram of a sweep"
    }
  }
}
