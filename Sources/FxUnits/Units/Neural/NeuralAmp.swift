import FxAudio

/// Plays a model of an amplifier, a pedal or both that somebody has trained with recordings of it.
///
/// The models are those of Neural Amp Modeler: S. Atkinson, neural-amp-modeler (the network), and
/// A. Wright, E.-P. Damskägg, L. Juvela, V. Välimäki, "Real-Time Guitar Amplifier Emulation with Deep
/// Learning", Applied Sciences 10 (2020). Each channel has its own copy of the network. Where its
/// sample rate is not that of the chain, both ends are converted.
struct NeuralAmp: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "neuralAmp", name: "Neural amplifier",
    summary: "Plays a trained model of an amplifier or a pedal: a .nam file of Neural Amp Modeler.",
    category: "distortion",
    parameters: [
      .gain("input", "The level before the model: how hard it is driven.", -48...48),
      .gain("output", "The output level.", -48...24),
    ],
    options: [
      OptionSpec(
        "model", "The model: a WaveNet, an LSTM, a ConvNet or a Linear, with one input.",
        .neuralModel, default: nil),
      OptionSpec(
        "normalize",
        "Whether all models are brought to the same loudness, if the file states its own.",
        .flag, default: .flag(true)),
    ])

  package struct Parameters: BitwiseCopyable {
    let input: ParameterSignal
    let output: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(NeuralAmp.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(NeuralAmp.self)?.pointee.reset() },
    isAtRest: { $0.kernel(NeuralAmp.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  /// The loudness of a normalized output, in dB, as in the plugin of Neural Amp Modeler.
  private static let usualLoudness = -18.0

  private let channelCount: Int
  private var network: NeuralNetwork
  private let scratch: SampleBuffer
  private let makeup: Float
  /// Frames since the last one that was not silent; at `restFrames` the network has settled.
  private var silentFrames: Int
  /// nil for a network that never rests.
  private let restFrames: Int?

  package init(_ preparation: Preparation) throws(Failure) {
    guard let model = preparation.model("model") else {
      throw Failure(.usage, "its model has not been read")
    }
    channelCount = preparation.channelCount
    network = NeuralNetwork(
      model, channelCount: channelCount, sampleRate: preparation.sampleRate)
    scratch = SampleBuffer(count: NeuralNetwork.chunk)
    let normalizes = preparation.flag("normalize") ?? true
    let gain = normalizes ? model.loudness.map { Self.usualLoudness - $0 } ?? 0 : 0
    makeup = Float(Math.amplitude(decibels: gain))
    let rate = ModelRate(model: model.sampleRate, chain: preparation.sampleRate)
    restFrames = rate.isOne ? model.network.receptiveField : nil
    silentFrames = restFrames ?? 0
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    guard let model = preparation.model("model") else { return UnitTraits() }
    var traits = NeuralNetwork.traits(
      model, channelCount: preparation.channelCount, sampleRate: preparation.sampleRate)
    traits.memory += SampleBuffer.byteCount(count: NeuralNetwork.chunk)
    return traits
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let samples = scratch.samples
    count(block)
    var start = 0
    while start < block.frameCount {
      let count = min(NeuralNetwork.chunk, block.frameCount &- start)
      for channel in 0..<channelCount {
        let input = block.inputs[channel] + start
        let output = block.outputs[channel] + start
        for frame in 0..<count {
          samples[frame] = input[frame].finiteSample * parameters.input[start &+ frame]
        }
        network.render(samples, channel: channel, frameCount: count)
        for frame in 0..<count {
          output[frame] = makeup * samples[frame] * parameters.output[start &+ frame]
        }
      }
      start &+= count
    }
  }

  /// Counts the silent frames at the end of the input.
  @_noLocks
  private mutating func count(_ block: RenderBlock) {
    guard let restFrames else { return }
    var silent = 0
    while silent < block.frameCount {
      let frame = block.frameCount &- 1 &- silent
      var isSilent = true
      for channel in 0..<channelCount where block.inputs[channel][frame] != 0 { isSilent = false }
      if !isSilent { break }
      silent &+= 1
    }
    let before = silent < block.frameCount ? 0 : silentFrames
    silentFrames = min(before &+ silent, restFrames)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool { silentFrames == restFrames }

  @_noLocks
  package mutating func reset() {
    network.reset()
    silentFrames = restFrames ?? 0
  }
}
