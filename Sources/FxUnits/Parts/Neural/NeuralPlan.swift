private import CKernels
import FxAudio

/// The steps of a network without recurrence, and its weights in the order of the kernels. On the
/// control thread.
struct NeuralPlan {
  struct Line {
    var channelCount: Int
    /// Past frames that are kept.
    var history: Int
  }

  private(set) var lines: [Line] = []
  private(set) var steps: [NeuralStep] = []
  private(set) var weights: [Float] = []
  /// The line that takes the input.
  let input: Int
  /// The line with the output in its first channel.
  private(set) var output = 0
  private var source: NeuralWeights

  /// nil for a recurrent network.
  init?(_ model: NeuralModel) {
    source = NeuralWeights(model.weights)
    input = 0
    switch model.network {
    case .waveNet(let network): addWaveNet(network)
    case .convNet(let channels, let dilations, let isNormalized, let activation):
      addConvNet(channels, dilations, isNormalized, activation)
    case .linear(let count, let hasBias):
      addLine(1, history: count - 1)
      output = addLine(1)
      let matrix = source.matrix(outputs: 1, inputs: 1, taps: count)
      let bias = hasBias ? source.take(1) : nil
      addProduct(matrix, bias, NeuralTaps(line: input, channelCount: 1, count: count), to: output)
    case .lstm: return nil
    }
  }

  /// True when the network has as many weights as the model.
  var takesAllWeights: Bool { source.isEmpty }

  /// The most rows of a product.
  var rowCount: Int {
    steps.reduce(1) { most, step in
      guard case .product(let product) = step else { return most }
      return max(most, rows(product.inputs) + (product.others.map(rows) ?? 0))
    }
  }

  private func rows(_ taps: NeuralTaps) -> Int { taps.channelCount * taps.count }

  // MARK: Architectures

  private mutating func addWaveNet(_ network: NeuralModel.WaveNet) {
    addLine(1)
    let condition = NeuralTaps(line: input, channelCount: 1)
    var last = input
    var sum: Int?
    for (number, stack) in network.stacks.enumerated() {
      let isLast = number == network.stacks.count - 1
      let entrance = source.matrix(outputs: stack.channels, inputs: stack.inputSize)
      var from = addLine(stack.channels, history: stack.layers[0].reach)
      addProduct(
        entrance, nil, NeuralTaps(line: last, channelCount: stack.inputSize), to: from)
      let total = sum ?? addLine(stack.summedSize, history: stack.headKernelSize - 1)
      for (index, layer) in stack.layers.enumerated() {
        let isFirstSum = sum == nil && index == 0
        let next =
          index + 1 < stack.layers.count
          ? addLine(stack.channels, history: stack.layers[index + 1].reach)
          : isLast ? nil : addLine(stack.channels)
        addLayer(
          layer, stack, from: from, condition, to: next, total: total, replaces: isFirstSum)
        from = next ?? from
      }
      last = from
      let kernel = stack.headKernelSize
      var head = source.matrix(outputs: stack.headSize, inputs: stack.summedSize, taps: kernel)
      var bias = stack.hasHeadBias ? source.take(stack.headSize) : nil
      if isLast {
        let scale = source.last
        head = head.scaled(by: scale)
        bias = bias.map { $0.map { $0 * scale } }
      }
      let following = isLast ? nil : network.stacks[number + 1]
      let end = addLine(
        stack.headSize,
        history: following.map { $0.headKernelSize - 1 } ?? (network.head?.kernelSizes[0] ?? 1) - 1)
      addProduct(
        head, bias, NeuralTaps(line: total, channelCount: stack.summedSize, count: kernel), to: end)
      sum = end
    }
    output = sum ?? input
    if let head = network.head { addHead(head, network.stacks.last?.headSize ?? 1) }
    // The scale of the output, which the last stack has used.
    _ = source.take(1)
  }

  private mutating func addLayer(
    _ layer: NeuralModel.WaveNet.Layer, _ stack: NeuralModel.WaveNet.Stack, from: Int,
    _ condition: NeuralTaps, to next: Int?, total: Int, replaces: Bool
  ) {
    let size = stack.bottleneck
    let middle = layer.gate == nil ? size : 2 * size
    let inner = addLine(middle)
    let convolution = source.matrix(
      outputs: middle, inputs: stack.channels, taps: layer.kernelSize)
    let bias = source.take(middle)
    let mixer = source.matrix(outputs: middle, inputs: 1)
    addProduct(
      convolution.joined(mixer), bias,
      NeuralTaps(
        line: from, channelCount: stack.channels, count: layer.kernelSize,
        dilation: layer.dilation), condition, to: inner)
    steps.append(
      .activation(
        NeuralActivation(
          line: inner, channelCount: size, function: NeuralFunction(layer.activation),
          gate: layer.gate.map(NeuralFunction.init))))
    // Gates are not part of the output.
    let value = NeuralTaps(line: inner, channelCount: size)
    if stack.hasLayerOutput {
      let matrix = source.matrix(outputs: stack.channels, inputs: size)
      let bias = source.take(stack.channels)
      if let next {
        addProduct(matrix, bias, value, to: next, added: from)
      }
    } else if let next {
      steps.append(.sum(from: from, to: next, channelCount: stack.channels, replaces: true))
    }
    if let sumSize = stack.sumSize {
      let matrix = source.matrix(outputs: sumSize, inputs: size)
      let bias = source.take(sumSize)
      addProduct(
        matrix, bias, value, to: total, added: replaces ? nil : total)
    } else {
      steps.append(.sum(from: inner, to: total, channelCount: size, replaces: replaces))
    }
  }

  private mutating func addHead(_ head: NeuralModel.WaveNet.Head, _ inputSize: Int) {
    for (index, size) in head.sizes(inputSize: inputSize).enumerated() {
      let kernel = head.kernelSizes[index]
      let next = index + 1 < head.kernelSizes.count ? head.kernelSizes[index + 1] : 1
      steps.append(
        .activation(
          NeuralActivation(
            line: output, channelCount: size.inputs, function: NeuralFunction(head.activation))))
      let matrix = source.matrix(outputs: size.outputs, inputs: size.inputs, taps: kernel)
      let bias = source.take(size.outputs)
      let end = addLine(size.outputs, history: next - 1)
      addProduct(
        matrix, bias, NeuralTaps(line: output, channelCount: size.inputs, count: kernel), to: end)
      output = end
    }
  }

  private mutating func addConvNet(
    _ channels: Int, _ dilations: [Int], _ isNormalized: Bool, _ activation: NeuralModel.Activation
  ) {
    addLine(1, history: dilations[0])
    var from = input
    for (index, dilation) in dilations.enumerated() {
      var matrix = source.matrix(outputs: channels, inputs: index == 0 ? 1 : channels, taps: 2)
      var bias: [Double]
      if isNormalized {
        let (means, variances) = (source.take(channels), source.take(channels))
        let (factors, offsets) = (source.take(channels), source.take(channels))
        let epsilon = source.take(1)[0]
        let scales = zip(factors, variances).map { $0 / Math.squareRoot(max($1 + epsilon, 1e-30)) }
        matrix = matrix.scaled(by: scales)
        bias = channels == 0 ? [] : (0..<channels).map { offsets[$0] - means[$0] * scales[$0] }
      } else {
        bias = source.take(channels)
      }
      let history = index + 1 < dilations.count ? dilations[index + 1] : 0
      let next = addLine(channels, history: history)
      let inputs = index == 0 ? 1 : channels
      addProduct(
        matrix, bias,
        NeuralTaps(line: from, channelCount: inputs, count: 2, dilation: dilation), to: next)
      steps.append(
        .activation(
          NeuralActivation(
            line: next, channelCount: channels, function: NeuralFunction(activation))))
      from = next
    }
    output = addLine(1)
    let head = source.matrix(outputs: 1, inputs: channels)
    let bias = source.take(1)
    addProduct(head, bias, NeuralTaps(line: from, channelCount: channels), to: output)
  }

  // MARK: Parts

  @discardableResult
  private mutating func addLine(_ channelCount: Int, history: Int = 0) -> Int {
    lines.append(Line(channelCount: channelCount, history: history))
    return lines.count - 1
  }

  private mutating func addProduct(
    _ matrix: NeuralMatrix, _ bias: [Double]?, _ inputs: NeuralTaps, _ others: NeuralTaps? = nil,
    to output: Int, added: Int? = nil
  ) {
    let start = weights.count
    weights += matrix.tiles
    let place = bias.map { _ in weights.count }
    weights += (bias ?? []).map { Float($0) }
    steps.append(
      .product(
        NeuralProduct(
          inputs: inputs, others: others, weights: start, bias: place, added: added,
          output: output, outputCount: matrix.outputCount)))
  }
}

extension NeuralModel.WaveNet.Layer {
  /// The past frames that it reads.
  fileprivate var reach: Int { (kernelSize - 1) * dilation }
}

extension NeuralFunction {
  init(_ activation: NeuralModel.Activation) {
    var slope = 0.0
    let function: fx_neural_function
    switch activation {
    case .tanh: function = FX_NEURAL_TANH
    case .hardTanh: function = FX_NEURAL_HARD_TANH
    case .relu: function = FX_NEURAL_RELU
    case .sigmoid: function = FX_NEURAL_SIGMOID
    case .silu: function = FX_NEURAL_SILU
    case .hardSwish: function = FX_NEURAL_HARD_SWISH
    case .softsign: function = FX_NEURAL_SOFTSIGN
    case .leakyReLU(let value): (function, slope) = (FX_NEURAL_LEAKY_RELU, value)
    }
    self.init(number: Int32(function.rawValue), slope: Float(slope))
  }
}
