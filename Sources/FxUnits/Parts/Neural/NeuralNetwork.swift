import FxAudio

/// Runs a model of an amplifier for each channel, at the chain's sample rate.
///
/// The output for silence is 0: what the model puts out after a long silence is subtracted.
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct NeuralNetwork: ~Copyable {
  /// The most frames of a block.
  static var chunk: Int { @_noLocks get { 64 } }

  private let channelCount: Int
  private let isRecurrent: Bool
  private let layers: NeuralLayers
  private let memory: NeuralMemory
  /// The output for silence.
  private var offset: Float = 0
  private let isConverted: Bool
  private let up: RateLine
  private let down: RateLine
  /// Frames at the rate of the model.
  private let scratch: SampleBuffer
  private let scratchCount: Int

  init(
    _ model: NeuralModel, channelCount: Int, sampleRate: Double, vectorLevel: Int? = nil
  ) {
    let rate = ModelRate(model: model.sampleRate, chain: sampleRate)
    let plan = NeuralPlan(model)
    isRecurrent = plan == nil
    self.channelCount = channelCount
    layers = NeuralLayers(plan, channelCount: channelCount, vectorLevel: vectorLevel)
    memory = NeuralMemory(
      plan == nil ? model : nil, channelCount: channelCount, vectorLevel: vectorLevel)
    isConverted = !rate.isOne
    let converted = rate.isOne ? 0 : channelCount
    scratchCount = rate.modelFrames(Self.chunk)
    scratch = SampleBuffer(count: scratchCount)
    up = RateLine(
      step: rate.chain, unit: rate.model, channelCount: converted, maximumFrameCount: Self.chunk)
    down = RateLine(
      step: rate.model, unit: rate.chain, delay: rate.latency * rate.model,
      channelCount: converted, maximumFrameCount: scratchCount)
    reset()
  }

  static func traits(
    _ model: NeuralModel, channelCount: Int, sampleRate: Double
  ) -> UnitTraits {
    let rate = ModelRate(model: model.sampleRate, chain: sampleRate)
    let plan = NeuralPlan(model)
    var memory =
      NeuralLayers.byteCount(plan, channelCount: channelCount)
      + NeuralMemory.byteCount(plan == nil ? model : nil, channelCount: channelCount)
      + SampleBuffer.byteCount(count: rate.modelFrames(chunk))
    if !rate.isOne {
      memory +=
        RateLine.byteCount(
          step: rate.chain, unit: rate.model, channelCount: channelCount, maximumFrameCount: chunk)
        + RateLine.byteCount(
          step: rate.model, unit: rate.chain, delay: rate.latency * rate.model,
          channelCount: channelCount, maximumFrameCount: rate.modelFrames(chunk))
    }
    return UnitTraits(
      latency: rate.latency, tail: .frames(reach(model, rate)), memory: memory)
  }

  /// The frames of the chain after which an input has no more effect.
  static func reach(_ model: NeuralModel, _ rate: ModelRate) -> Int {
    let own =
      model.network.receptiveField ?? Int(NeuralMemory.settlingTime * model.sampleRate)
    return rate.chainFrames(own) + 2 * rate.latency
  }

  // MARK: - Realtime

  /// Processes at most `chunk` frames in place.
  @_noLocks
  func render(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    guard isConverted else { return run(samples, channel: channel, frameCount: frameCount) }
    up.take(samples, channel: channel, frameCount: frameCount)
    let inner = scratch.samples
    let count = up.give(inner, channel: channel, limit: scratchCount)
    var start = 0
    while start < count {
      let length = min(Self.chunk, count &- start)
      run(inner + start, channel: channel, frameCount: length)
      start &+= length
    }
    down.take(inner, channel: channel, frameCount: count)
    _ = down.give(samples, channel: channel, limit: frameCount)
  }

  /// Runs the model at its own rate, in place.
  @_noLocks
  private func run(_ samples: UnsafeMutablePointer<Float>, channel: Int, frameCount: Int) {
    if isRecurrent {
      memory.render(samples, channel: channel, to: samples, frameCount: frameCount)
    } else {
      layers.render(samples, channel: channel, to: samples, frameCount: frameCount)
    }
    for frame in 0..<frameCount { samples[frame] -= offset }
  }

  @_noLocks
  mutating func reset() {
    for channel in 0..<channelCount {
      offset = isRecurrent ? memory.settle(channel: channel) : layers.settle(channel: channel)
    }
    up.reset()
    down.reset()
  }
}
