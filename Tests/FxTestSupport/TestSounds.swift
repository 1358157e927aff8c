package import FxAudio

extension OptionSpec {
  /// What tests give for an option that a chain does not: a sound where it names one.
  package var testValue: OptionValue? {
    switch kind {
    case .sound: .sound(TestSounds.name)
    case .formula: .text("select(a < b, a * c, sin(time * 40) - d / 2) + beat")
    default: defaultValue
    }
  }
}

/// What units that are made with a sound get in tests.
package enum TestSounds {
  static let name = "test"

  /// Mono noise of 5000 frames that decays.
  package static let all = [
    name: SoundAsset([
      Signal.noise(5000, seed: 7).enumerated().map {
        $1 * Float(Math.pow(0.999, Double($0))) / 8
      }
    ])
  ]
}
