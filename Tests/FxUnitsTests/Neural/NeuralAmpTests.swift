import CKernels
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct NeuralAmpTests {
  private static let long = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
  private static let short = [1, 2, 4, 8, 16, 32, 64]
  private static let rest = [128, 256, 512] + long

  /// The sizes that neural-amp-modeler trains.
  private static let published: [NeuralModel] =
    [
      waveNet((16, 8, long), (8, 1, long)), waveNet((12, 6, short), (6, 1, rest)),
      waveNet((8, 4, short), (4, 1, rest)), waveNet((4, 2, short), (2, 1, rest)),
    ]
    + [(1, 8), (1, 16), (2, 8), (2, 16), (3, 24)].map {
      TestModels.lstm(hiddenSize: $1, layerCount: $0, sampleRate: 4000)
    }

  private static func waveNet(_ sizes: (Int, Int, [Int])...) -> NeuralModel {
    var stacks: [NeuralModel.WaveNet.Stack] = []
    for (channels, outputs, dilations) in sizes {
      stacks.append(
        NeuralModel.WaveNet.Stack(
          inputSize: stacks.last?.channels ?? 1, channels: channels,
          layers: dilations.map { .init(kernelSize: 3, dilation: $0, activation: .tanh) },
          headSize: outputs, hasHeadBias: stacks.count == 1))
    }
    return TestModels.random(.waveNet(NeuralModel.WaveNet(stacks: stacks)), sampleRate: 4000)
  }

  private func rendered(
    _ model: NeuralModel, _ input: [[Float]], sampleRate: Double? = nil,
    blocks: [Int] = [256]
  ) throws -> (output: [[Float]], latency: Int) {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "neuralAmp" })
    let renderer = try UnitRenderer(
      type, inputWidths: [input.count], options: ["model": .model("m")], models: ["m": model],
      sampleRate: sampleRate ?? model.sampleRate)
    return (renderer.render(input, blocks: blocks), renderer.instance.latency)
  }

  /// The error relative to the peak, in decibels. Random weights let little sound through several
  /// recurrent layers: a peak below -20 dB counts as -20 dB.
  private func error(_ output: some Sequence<Float>, _ expected: [Double]) -> Double {
    let worst = zip(output, expected).map { (Double($0) - $1).magnitude }.max() ?? .infinity
    return Math.decibels(
      amplitude: worst / (expected.map(\.magnitude).max().map { max($0, 0.1) } ?? 0))
  }

  @Test(arguments: published.indices)
  func `a model of a published size computes what its definition says`(_ index: Int) throws {
    let model = Self.published[index]
    let input = Signal.noise(300, seed: 2).map { 0.5 * $0 }
    let (output, latency) = try rendered(model, [input], blocks: [100, 7, 64])
    #expect(latency == 0)
    #expect(error(output[0], ExactNetwork.output(model, input)) < -100)
  }

  @Test(arguments: published.indices)
  func `every instruction set gives the same bits`(_ index: Int) {
    let model = Self.published[index]
    let input = Signal.noise(64, seed: 3)
    func bits(_ level: Int) -> [UInt32] {
      let network = NeuralNetwork(
        model, channelCount: 1, sampleRate: model.sampleRate, vectorLevel: level)
      var samples = input
      samples.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { network.render(base, channel: 0, frameCount: 64) }
      }
      return samples.map(\.bitPattern)
    }
    let expected = bits(0)
    for level in 1...max(1, Int(fx_vector_level())) { #expect(bits(level) == expected) }
  }

  @Test func `each architecture has a weight for every number of its file`() {
    let head = NeuralModel.WaveNet.Head(kernelSizes: [1, 3], channels: 4, activation: .relu)
    var stack = NeuralModel.WaveNet.Stack(
      inputSize: 1, channels: 3, bottleneck: 2,
      layers: [.init(kernelSize: 2, dilation: 3, activation: .silu, gate: .sigmoid)], headSize: 2,
      hasHeadBias: true)
    stack.headKernelSize = 4
    stack.sumSize = 5
    var other = stack
    other.hasLayerOutput = false
    let networks: [NeuralModel.Network] = [
      .waveNet(NeuralModel.WaveNet(stacks: [stack], head: head)),
      .waveNet(NeuralModel.WaveNet(stacks: [other], head: head)),
      .convNet(channels: 3, dilations: [1, 5], isNormalized: true, activation: .tanh),
      .convNet(channels: 3, dilations: [2], isNormalized: false, activation: .tanh),
      .linear(receptiveField: 7, hasBias: true),
    ]
    for network in networks {
      #expect(NeuralPlan(TestModels.random(network))?.takesAllWeights == true, "\(network)")
    }
  }

  @Test func `each channel has its own network`() throws {
    let model = TestModels.waveNet(sampleRate: 48000)
    let (left, right) = (Signal.noise(500, seed: 4), Signal.noise(500, seed: 5))
    let both = try rendered(model, [left, right]).output
    #expect(try rendered(model, [left]).output[0] == both[0])
    #expect(try rendered(model, [right]).output[0] == both[1])
  }

  /// A model that leaves the sound as it is.
  @Test(arguments: [22050.0, 44100, 88200, 96000], [48000.0, 44100])
  func `a model for another rate keeps the sound, as late as it says`(
    _ sampleRate: Double, _ modelRate: Double
  ) throws {
    let model = NeuralModel(
      network: .linear(receptiveField: 1, hasBias: false), weights: [1], sampleRate: modelRate)
    let count = Int(sampleRate / 4)
    let highest = 0.42 * min(sampleRate, 44100)
    let input = (0..<count).map { frame -> Float in
      let time = Double(frame) / sampleRate
      let edge = Math.sin(.pi * Double(frame) / Double(count))
      let tones = Math.sin(2 * .pi * highest * time) + Math.sin(2 * .pi * 440 * time)
      return Float(0.4 * tones * edge * edge)
    }
    let (output, latency) = try rendered(model, [input], sampleRate: sampleRate)
    #expect((latency == 0) == (sampleRate == modelRate) && latency < Int(0.006 * sampleRate))
    let sound = input.dropLast(latency).map { Double($0) }
    #expect(error(output[0].dropFirst(latency), sound) < -95)
  }

  @Test func `no sample makes an LSTM diverge`() throws {
    var random = SeededRandom(3)
    let network = NeuralModel.Network.lstm(hiddenSize: 5, layerCount: 2)
    let weights = (0..<network.weightCount).map { _ in Float(random.next(in: -1e30...1e30)) }
    let model = NeuralModel(network: network, weights: weights)
    var input = Signal.noise(2000, seed: 6)
    input[10] = .nan
    input[20] = 1e17
    let output = try rendered(model, [input]).output[0]
    #expect(output[100...].allSatisfy { $0.isFinite })
  }
}
