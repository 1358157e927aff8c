/// A model of an amplifier that a unit is built with: an option names its file.
package struct NeuralModel: Sendable, Hashable {
  package let network: Network
  /// As many as `network.weightCount`, in the order of the file.
  package let weights: [Float]
  /// The rate of the recordings that it was trained with, in Hz.
  package let sampleRate: Double
  /// The level of its output for the usual test signal, in dB; nil where the file does not say.
  package let loudness: Double?

  package init(
    network: Network, weights: [Float], sampleRate: Double = usualSampleRate,
    loudness: Double? = nil
  ) {
    self.network = network
    self.weights = weights
    self.sampleRate = sampleRate
    self.loudness = loudness
  }

  /// In Hz; of a model that states none.
  package static let usualSampleRate = 48000.0

  /// The architecture and its sizes.
  package enum Network: Sendable, Hashable {
    case waveNet(WaveNet)
    case lstm(hiddenSize: Int, layerCount: Int)
    case convNet(channels: Int, dilations: [Int], isNormalized: Bool, activation: Activation)
    case linear(receptiveField: Int, hasBias: Bool)
  }

  package enum Activation: Sendable, Hashable {
    case tanh, hardTanh, relu, sigmoid, silu, hardSwish, softsign
    /// With the slope below zero.
    case leakyReLU(Double)
  }

  /// Stacks of dilated convolutions, whose outputs add up.
  package struct WaveNet: Sendable, Hashable {
    package struct Layer: Sendable, Hashable {
      package var kernelSize: Int
      package var dilation: Int
      package var activation: Activation
      /// The function of a second half of channels that the first half is multiplied with.
      package var gate: Activation?

      package init(
        kernelSize: Int, dilation: Int, activation: Activation, gate: Activation? = nil
      ) {
        self.kernelSize = kernelSize
        self.dilation = dilation
        self.activation = activation
        self.gate = gate
      }
    }

    package struct Stack: Sendable, Hashable {
      /// The channels of its input: 1, or those of the stack before.
      package var inputSize: Int
      package var channels: Int
      /// The channels between the convolution and the sums.
      package var bottleneck: Int
      package var layers: [Layer]
      /// False if a layer gives the next one its own input.
      package var hasLayerOutput = true
      /// The channels of the matrix before the sum of the outputs; nil without one.
      package var sumSize: Int?
      /// The channels of its part of the output.
      package var headSize: Int
      package var headKernelSize = 1
      package var hasHeadBias: Bool

      /// The channels of the sum of its layers' outputs.
      package var summedSize: Int { sumSize ?? bottleneck }

      package init(
        inputSize: Int, channels: Int, bottleneck: Int? = nil, layers: [Layer], headSize: Int,
        hasHeadBias: Bool
      ) {
        self.inputSize = inputSize
        self.channels = channels
        self.bottleneck = bottleneck ?? channels
        self.layers = layers
        self.headSize = headSize
        self.hasHeadBias = hasHeadBias
      }
    }

    /// Convolutions behind the stacks, each after its activation.
    package struct Head: Sendable, Hashable {
      package var kernelSizes: [Int]
      package var channels: Int
      package var activation: Activation

      package init(kernelSizes: [Int], channels: Int, activation: Activation) {
        self.kernelSizes = kernelSizes
        self.channels = channels
        self.activation = activation
      }

      /// The inputs and outputs of each convolution.
      package func sizes(inputSize: Int) -> [(inputs: Int, outputs: Int)] {
        kernelSizes.indices.map { index in
          (
            index == 0 ? inputSize : channels,
            index == kernelSizes.count - 1 ? 1 : channels
          )
        }
      }
    }

    package var stacks: [Stack]
    package var head: Head?

    package init(stacks: [Stack], head: Head? = nil) {
      self.stacks = stacks
      self.head = head
    }
  }
}

extension NeuralModel.Network {
  /// The largest size of anything in a network: `weightCount` does not overflow.
  package static let sizeLimit = 1 << 14

  /// The number of weights that the file must have.
  package var weightCount: Int {
    switch self {
    case .waveNet(let network):
      let stacks = network.stacks.reduce(0) { $0 + $1.weightCount }
      let sizes = network.head?.sizes(inputSize: network.stacks.last?.headSize ?? 1) ?? []
      let head = zip(sizes, network.head?.kernelSizes ?? []).reduce(0) {
        $0 + $1.0.outputs * ($1.0.inputs * $1.1 + 1)
      }
      // The last one scales the output.
      return stacks + head + 1
    case .lstm(let hidden, let layers):
      // Four gates, their bias, and the two states at the start.
      func layer(_ inputs: Int) -> Int { 4 * hidden * (inputs + hidden + 1) + 2 * hidden }
      return layer(1) + (layers - 1) * layer(hidden) + hidden + 1
    case .convNet(let channels, let dilations, let isNormalized, _):
      // A normalization has four numbers for each channel and one for all.
      let other = isNormalized ? 4 * channels + 1 : channels
      let inner = (dilations.count - 1) * (2 * channels * channels + other)
      return 2 * channels + other + inner + channels + 1
    case .linear(let count, let hasBias): return count + (hasBias ? 1 : 0)
    }
  }

  /// The frames of input that one frame of output depends on; nil for a recurrent network.
  package var receptiveField: Int? {
    switch self {
    case .waveNet(let network):
      let stacks = network.stacks.reduce(0) { sum, stack in
        sum + stack.headKernelSize - 1
          + stack.layers.reduce(0) { $0 + ($1.kernelSize - 1) * $1.dilation }
      }
      return 1 + stacks + (network.head?.kernelSizes.reduce(0) { $0 + $1 - 1 } ?? 0)
    case .lstm: return nil
    case .convNet(_, let dilations, _, _): return 1 + dilations.reduce(0, +)
    case .linear(let count, _): return count
    }
  }
}

extension NeuralModel.WaveNet.Stack {
  fileprivate var weightCount: Int {
    var count = inputSize * channels
    for layer in layers {
      let middle = layer.gate == nil ? bottleneck : 2 * bottleneck
      count += middle * (channels * layer.kernelSize + 1)
      // The input of the model itself.
      count += middle
      if hasLayerOutput { count += channels * (bottleneck + 1) }
      if let sumSize { count += sumSize * (bottleneck + 1) }
    }
    return count + headSize * (summedSize * headKernelSize + (hasHeadBias ? 1 : 0))
  }
}
