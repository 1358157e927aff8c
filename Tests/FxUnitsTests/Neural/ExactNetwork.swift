import Foundation
import FxAudio

/// The output of models frame by frame in doubles, written from the definitions of the layers.
struct ExactNetwork {
  private var weights: ArraySlice<Double>

  private init(_ model: NeuralModel) { weights = model.weights.map { Double($0) }[...] }

  /// The output minus that for silence; the model has settled before the first frame.
  static func output(_ model: NeuralModel, _ input: [Float]) -> [Double] {
    var network = ExactNetwork(model)
    let silence = model.network.receptiveField ?? Int(0.5 * model.sampleRate)
    let sound = [Double](repeating: 0, count: silence + 1) + input.map { Double($0) }
    let output: [Double]
    switch model.network {
    case .waveNet(let waveNet): output = network.waveNet(waveNet, sound)
    case .lstm(let hidden, let layers): output = network.lstm(hidden, layers, sound)
    default: return []
    }
    return output[(silence + 1)...].map { $0 - output[silence] }
  }

  private mutating func take() -> Double { weights.popFirst() ?? .nan }

  private mutating func take(_ count: Int) -> [Double] { (0..<count).map { _ in take() } }

  /// A convolution of channels with outputs × inputs × taps weights, and a bias if there is one.
  private mutating func convolution(
    _ input: [[Double]], _ outputs: Int, taps: Int = 1, dilation: Int = 1, hasBias: Bool
  ) -> [[Double]] {
    let kernel = (0..<outputs).map { _ in input.map { _ in take(taps) } }
    let bias = (0..<outputs).map { _ in hasBias ? take() : 0 }
    return (0..<outputs).map { output in
      input[0].indices.map { frame in
        var sum = bias[output]
        for (channel, samples) in input.enumerated() {
          for tap in 0..<taps {
            let past = frame - (taps - 1 - tap) * dilation
            if past >= 0 { sum += kernel[output][channel][tap] * samples[past] }
          }
        }
        return sum
      }
    }
  }

  private static func sum(_ first: [[Double]], _ second: [[Double]]) -> [[Double]] {
    zip(first, second).map { zip($0, $1).map { $0 + $1 } }
  }

  private mutating func waveNet(
    _ network: NeuralModel.WaveNet, _ sound: [Double]
  ) -> [Double] {
    var x = [sound]
    var total: [[Double]]?
    for stack in network.stacks {
      x = convolution(x, stack.channels, hasBias: false)
      for layer in stack.layers {
        let inner = convolution(
          x, stack.channels, taps: layer.kernelSize, dilation: layer.dilation, hasBias: true)
        let mixed = Self.sum(inner, convolution([sound], stack.channels, hasBias: false))
        let value = mixed.map { $0.map { Foundation.tanh($0) } }
        x = Self.sum(x, convolution(value, stack.channels, hasBias: true))
        total = total.map { Self.sum($0, value) } ?? value
      }
      total = convolution(total ?? [], stack.headSize, hasBias: stack.hasHeadBias)
    }
    let scale = take()
    return (total?[0] ?? []).map { $0 * scale }
  }

  private mutating func lstm(_ hidden: Int, _ layers: Int, _ sound: [Double]) -> [Double] {
    func sigmoid(_ x: Double) -> Double { 1 / (1 + Foundation.exp(-x)) }
    var sequence = sound.map { [$0] }
    for layer in 0..<layers {
      let inputs = layer == 0 ? 1 : hidden
      let matrix = (0..<4 * hidden).map { _ in take(inputs + hidden) }
      let bias = take(4 * hidden)
      var (units, cells) = (take(hidden), take(hidden))
      sequence = sequence.map { input in
        let all = input + units
        let gates = (0..<4 * hidden).map { row in
          zip(matrix[row], all).reduce(bias[row]) { $0 + $1.0 * $1.1 }
        }
        for unit in 0..<hidden {
          let candidate = sigmoid(gates[unit]) * Foundation.tanh(gates[2 * hidden + unit])
          cells[unit] = sigmoid(gates[hidden + unit]) * cells[unit] + candidate
          units[unit] = sigmoid(gates[3 * hidden + unit]) * Foundation.tanh(cells[unit])
        }
        return units
      }
    }
    let head = take(hidden)
    let bias = take()
    return sequence.map { zip(head, $0).reduce(bias) { $0 + $1.0 * $1.1 } }
  }
}
