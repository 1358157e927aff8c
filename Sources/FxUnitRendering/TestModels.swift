package import FxAudio

/// The models that tests give to units that need one.
package enum TestModels {
  static let name = "model"

  /// For 8 kHz, so that most tests convert the rate, and those at 8 kHz do not.
  package static let all = [name: waveNet(sampleRate: 8000)]

  /// Two small stacks with random weights.
  package static func waveNet(sampleRate: Double, loudness: Double? = nil) -> NeuralModel {
    func layers(_ dilations: [Int]) -> [NeuralModel.WaveNet.Layer] {
      dilations.map { .init(kernelSize: 3, dilation: $0, activation: .tanh) }
    }
    let first = NeuralModel.WaveNet.Stack(
      inputSize: 1, channels: 5, layers: layers([1, 2, 4]), headSize: 3, hasHeadBias: false)
    let second = NeuralModel.WaveNet.Stack(
      inputSize: 5, channels: 3, layers: layers([1, 8]), headSize: 1, hasHeadBias: true)
    return random(
      .waveNet(NeuralModel.WaveNet(stacks: [first, second])), sampleRate: sampleRate,
      loudness: loudness)
  }

  package static func lstm(
    hiddenSize: Int, layerCount: Int, sampleRate: Double = 48000
  ) -> NeuralModel {
    random(.lstm(hiddenSize: hiddenSize, layerCount: layerCount), sampleRate: sampleRate)
  }

  package static func random(
    _ network: NeuralModel.Network, sampleRate: Double = 48000, loudness: Double? = nil
  ) -> NeuralModel {
    var random = SeededRandom(11)
    let weights = (0..<network.weightCount).map { _ in Float(random.next(in: -0.3...0.3)) }
    return NeuralModel(
      network: network, weights: weights, sampleRate: sampleRate, loudness: loudness)
  }
}
