package import FxAudio

extension OptionSpec {
  /// The value that tests give an option without a default: a sound where it names one.
  package var testValue: OptionValue? {
    switch kind {
    case .sound(.directions): .sound(TestSounds.heads)
    case .sound: .sound(TestSounds.name)
    case .neuralModel: .model(TestModels.name)
    case .integer(let range) where defaultValue == nil: .number(Double(range.lowerBound))
    case .choice(let labels) where defaultValue == nil:
      .text(labels.contains("5.1") ? "5.1" : labels[0])
    case .formula: .text("select(a < b, a * c, sin(time * 40) - d / 2) + beat")
    default: defaultValue
    }
  }
}

/// The sounds that tests give to units that need one.
package enum TestSounds {
  static let name = "test"

  /// Mono noise of 5000 frames that decays.
  package static let heads = "heads"

  package static let all = [
    heads: SoundAsset(
      channelCount: HeadGrid.channelCount, frameCount: 24,
      samples: Signal.noise(HeadGrid.channelCount * 24, seed: 8)),
    name: SoundAsset([
      Signal.noise(5000, seed: 7).enumerated().map {
        $1 * Float(Math.pow(0.999, Double($0))) / 8
      }
    ]),
  ]
}
