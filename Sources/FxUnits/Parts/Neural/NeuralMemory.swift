private import CKernels
import FxAudio

/// Runs a network of long short-term memory for each channel.
///
/// Allocated on the control thread, used on the render thread.
struct NeuralMemory: ~Copyable {
  private struct Layer: BitwiseCopyable {
    var weights: UnsafeMutablePointer<Float>
    var inputCount: Int
    /// Offsets of the state within a channel's.
    var cells: Int
    var units: Int
  }

  static var chunk: Int { @_noLocks get { 64 } }

  /// Seconds of silence, after which a network is taken as settled.
  static let settlingTime = 0.5

  private let groupCount: Int
  private let layerCount: Int
  private let layers: UnsafeMutablePointer<Layer>
  private let weights: SampleBuffer
  /// The weights of the output, and its bias.
  private let head: SampleBuffer
  private let bias: Float
  /// Channels × layers × (cells, units).
  private let state: SampleBuffer
  private let stateCount: Int
  /// The state of a channel after silence, and the output for it.
  private let settled: SampleBuffer
  private var settledOutput: Float = 0
  private let next: SampleBuffer
  /// Frames of units, for two layers in turn.
  private let frames: SampleBuffer
  private let vectorLevel: Int32

  /// - Parameter model: Anything but a recurrent model takes no memory and never runs.
  init(_ model: NeuralModel?, channelCount: Int, vectorLevel: Int? = nil) {
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    let (hidden, count) = Self.sizes(model)
    layerCount = count
    groupCount = Self.groupCount(hidden)
    let unitCount = groupCount * Self.group
    weights = SampleBuffer(count: Self.weightCount(hidden, count))
    head = SampleBuffer(count: unitCount)
    stateCount = 2 * unitCount * count
    state = SampleBuffer(count: stateCount * channelCount)
    settled = SampleBuffer(count: stateCount)
    next = SampleBuffer(count: unitCount)
    frames = SampleBuffer(count: 2 * unitCount * Self.chunk)
    layers = .allocate(capacity: max(count, 1))
    guard let model, count > 0 else {
      bias = 0
      return
    }
    var source = NeuralWeights(model.weights)
    var start = weights.samples
    for index in 0..<count {
      let inputs = index == 0 ? 1 : hidden
      let held = index == 0 ? 1 : unitCount
      let layer = Layer(
        weights: start, inputCount: held, cells: 2 * unitCount * index,
        units: 2 * unitCount * index + unitCount)
      (layers + index).initialize(to: layer)
      let matrix = source.matrix(outputs: 4 * hidden, inputs: inputs + hidden)
      Self.place(
        matrix, source.take(4 * hidden), hidden: hidden, inputs: inputs, held: held, at: start)
      start += Self.weightCount(inputCount: held, unitCount)
      for (unit, value) in source.take(hidden).enumerated() {
        settled.samples[layer.units + unit] = Float(value)
      }
      for (unit, value) in source.take(hidden).enumerated() {
        settled.samples[layer.cells + unit] = Float(value)
      }
    }
    for (unit, weight) in source.take(hidden).enumerated() { head.samples[unit] = Float(weight) }
    bias = Float(source.take(1)[0])
    settle(frameCount: Int(Self.settlingTime * model.sampleRate), channelCount)
  }

  deinit { layers.deallocate() }

  private static var group: Int { Int(FX_NEURAL_UNITS) }

  private static func groupCount(_ hidden: Int) -> Int { (hidden + group - 1) / group }

  private static func sizes(_ model: NeuralModel?) -> (hidden: Int, layers: Int) {
    guard case .lstm(let hidden, let count)? = model?.network else { return (0, 0) }
    return (hidden, count)
  }

  private static func weightCount(inputCount: Int, _ unitCount: Int) -> Int {
    4 * unitCount * (1 + inputCount + unitCount)
  }

  private static func weightCount(_ hidden: Int, _ layers: Int) -> Int {
    let units = groupCount(hidden) * group
    return layers == 0
      ? 0
      : weightCount(inputCount: 1, units)
        + (layers - 1) * weightCount(inputCount: units, units)
  }

  /// Stores the weights of a layer as `fx_neural_lstm` reads them. Units and inputs without weights
  /// stay 0; the kernel takes `held` inputs.
  private static func place(
    _ matrix: NeuralMatrix, _ bias: [Double], hidden: Int, inputs: Int, held: Int,
    at start: UnsafeMutablePointer<Float>
  ) {
    let unitCount = groupCount(hidden) * group
    let vectors = 1 + held + unitCount
    for unit in 0..<hidden {
      let (number, lane) = (unit / group, unit % group)
      for gate in 0..<4 {
        let row = gate * hidden + unit
        func store(_ vector: Int, _ weight: Double) {
          start[((number * vectors + vector) * 4 + gate) * group + lane] = Float(weight)
        }
        store(0, bias[row])
        for input in 0..<inputs { store(1 + input, matrix.rows[row][input]) }
        for input in 0..<hidden { store(1 + held + input, matrix.rows[row][inputs + input]) }
      }
    }
  }

  /// Runs through silence and keeps the state.
  private mutating func settle(frameCount: Int, _ channelCount: Int) {
    guard channelCount > 0 else { return }
    let silence = SampleBuffer(count: Self.chunk)
    let output = SampleBuffer(count: Self.chunk)
    _ = settle(channel: 0)
    for _ in 0..<(frameCount / Self.chunk + 1) {
      render(silence.samples, channel: 0, to: output.samples, frameCount: Self.chunk)
    }
    settledOutput = output.samples[Self.chunk - 1]
    settled.samples.copy(state.samples, count: stateCount)
    for channel in 0..<channelCount { _ = settle(channel: channel) }
  }

  /// The bytes that the network allocates.
  static func byteCount(_ model: NeuralModel?, channelCount: Int) -> Int {
    let (hidden, count) = sizes(model)
    guard count > 0 else { return 0 }
    let units = groupCount(hidden) * group
    return SampleBuffer.byteCount(count: weightCount(hidden, count))
      + 2 * SampleBuffer.byteCount(count: units)
      + SampleBuffer.byteCount(count: 2 * units * count * channelCount)
      + SampleBuffer.byteCount(count: 2 * units * count)
      + SampleBuffer.byteCount(count: 2 * units * chunk)
      + count * MemoryLayout<Layer>.stride
  }

  // MARK: - Realtime

  /// Writes the output for at most `chunk` frames; `output` may be `input`.
  @_noLocks
  func render(
    _ input: UnsafePointer<Float>, channel: Int, to output: UnsafeMutablePointer<Float>,
    frameCount: Int
  ) {
    let state = self.state.samples + channel &* stateCount
    let half = groupCount &* Int(FX_NEURAL_UNITS) &* Self.chunk
    var from = input
    for index in 0..<layerCount {
      let layer = layers[index]
      let to = frames.samples + (index & 1) &* half
      fx_neural_lstm(
        vectorLevel, layer.weights, groupCount, from, layer.inputCount, state + layer.cells,
        state + layer.units, next.samples, to, frameCount)
      from = UnsafePointer(to)
    }
    fx_neural_sum(vectorLevel, head.samples, bias, from, groupCount, output, frameCount)
  }

  /// Takes the state after silence, and returns the output for it.
  @_noLocks
  func settle(channel: Int) -> Float {
    let own = state.samples + channel &* stateCount
    own.copy(settled.samples, count: stateCount)
    return settledOutput
  }
}
