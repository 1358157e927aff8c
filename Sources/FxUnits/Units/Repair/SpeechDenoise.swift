import CSpeexDSP
import FxAudio

/// Reduces everything but speech, with the preprocessor of libspeexdsp.
///
/// The library follows the noise continuously and distinguishes it from speech. It computes in 16
/// bits, and its last bits may differ between machines. It cannot be reset: the first resets each
/// use a fresh state, made in advance; later resets keep the last state.
struct SpeechDenoise: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "speechDenoise", name: "Speech denoiser",
    summary: "Turns down what is not speech, live too, with the preprocessor of libspeexdsp.",
    category: "repair",
    parameters: [
      ParameterSpec(
        "reduction", "The reduction of parts that are noise alone.", .decibels, 0...60,
        default: 20)
    ])

  package struct Parameters: BitwiseCopyable {
    let reduction: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(SpeechDenoise.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(SpeechDenoise.self)?.pointee.reset() })

  /// The number of states of the library; each reset uses the next, until the last one.
  private static var lifeCount: Int { @_noLocks get { 4 } }

  private let channelCount: Int
  private let length: Int
  /// `lifeCount` × channels.
  private let states: UnsafeMutablePointer<OpaquePointer?>
  private var life = 0
  private var isUsed = false
  /// Channel × frame: the input and the output.
  private let input: UnsafeMutablePointer<Int16>
  private let output: SampleBuffer
  private var place = 0

  package init(_ preparation: Preparation) throws(Failure) {
    channelCount = preparation.channelCount
    length = Self.length(preparation)
    let count = channelCount * Self.lifeCount
    states = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      let state = speex_preprocess_state_init(
        Int32(length), Int32(preparation.sampleRate.rounded()))
      (states + index).initialize(to: state)
    }
    input = .allocate(capacity: max(channelCount * length, 1))
    input.initialize(repeating: 0, count: max(channelCount * length, 1))
    output = SampleBuffer(count: channelCount * length)
  }

  deinit {
    for index in 0..<channelCount * Self.lifeCount {
      if let state = states[index] { speex_preprocess_state_destroy(state) }
    }
    states.deallocate()
    input.deallocate()
  }

  /// Frames per call of the library: 20 ms.
  private static func length(_ preparation: Preparation) -> Int {
    max(16, Int(0.02 * preparation.sampleRate) & ~1)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let length = length(preparation)
    let channels = preparation.channelCount
    // A state of the library: arrays of one or two frames with four bytes per sample.
    let state = 140 * length + 2400
    return UnitTraits(
      latency: 2 * length, tail: .frames(8 * length),
      memory: channels * lifeCount * state + max(channels * lifeCount, 1) * MemoryLayout<Int>.stride
        + max(channels * length, 1) * MemoryLayout<Int16>.stride
        + SampleBuffer.byteCount(count: channels * length))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let reduction = block.parameterStorage.load(as: Parameters.self).reduction
    isUsed = true
    var frame = 0
    while frame < block.frameCount {
      let count = min(length &- place, block.frameCount &- frame)
      for channel in 0..<channelCount {
        let source = block.inputs[channel] + frame
        let taken = input + channel &* length + place
        for index in 0..<count { taken[index] = SpeexSamples.rounded(source[index]) }
        (block.outputs[channel] + frame).update(
          copying: UnsafePointer(output.samples + channel &* length + place), count: count)
      }
      frame &+= count
      place &+= count
      if place == length { renderFrame(reduction[frame &- 1]) }
    }
  }

  @_noLocks
  private mutating func renderFrame(_ reduction: Float) {
    place = 0
    for channel in 0..<channelCount {
      let samples = input + channel &* length
      if let state = states[life &* channelCount &+ channel] {
        fx_speex_suppress(state, -Int32(reduction + 0.5))
        _ = fx_speex_run(state, samples)
      }
      let target = output.samples + channel &* length
      for index in 0..<length { target[index] = Float(samples[index]) / SpeexSamples.scale }
    }
  }

  @_noLocks
  package mutating func reset() {
    if isUsed && life &+ 1 < Self.lifeCount { life &+= 1 }
    isUsed = false
    place = 0
    output.clear()
    for index in 0..<(channelCount &* length) { input[index] = 0 }
  }
}
