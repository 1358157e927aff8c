import CSpeexDSP
import FxAudio

/// Removes the echo of a loudspeaker from a microphone signal, with libspeexdsp.
///
/// An adaptive filter of length `tail` estimates the path from the loudspeaker to the microphone
/// and subtracts the predicted echo; a spectral gain reduces the rest. The library computes in 16
/// bits, and its last bits may differ between machines. Each microphone has its own filter.
///
/// Sources: J.-M. Valin, "On adjusting the learning rate in frequency domain echo cancellation with
/// double-talk", IEEE Trans. ASLP 15 (2007); J. S. Soo, K. K. Pang, "Multidelay block frequency
/// domain adaptive filter", IEEE Trans. ASSP 38 (1990).
struct EchoCancel: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "echoCancel", name: "Echo canceller",
    summary: "Removes the sound of a loudspeaker from a microphone, with libspeexdsp.",
    category: "repair", usesRoundTrip: true,
    parameters: [
      ParameterSpec(
        "suppression", "How far the remaining echo is turned down while nobody speaks.",
        .decibels, 0...60, default: 40),
      ParameterSpec(
        "speechSuppression", "The same while somebody speaks.", .decibels, 0...60, default: 15),
    ],
    options: [
      OptionSpec(
        "tail", "The longest way from the loudspeaker to the microphone, the room included.",
        .number(.seconds, 0.02...1), default: .number(0.2)),
      OptionSpec(
        "delay",
        "Delay of the reference. Live, the device's round trip is added to it.",
        .number(.seconds, 0...2), default: .number(0)),
    ],
    inputs: [.main, InputBusSpec("reference")],
    presets: [
      UnitPreset(
        "speakerphone", "Nothing of the echo is left, and voices may suffer while both speak.",
        ["suppression": 60, "speechSuppression": 30]),
      UnitPreset(
        "gentle", "The filter alone, and little more: for music.",
        ["suppression": 12, "speechSuppression": 3]),
    ])

  package struct Parameters: BitwiseCopyable {
    let suppression: ParameterSignal
    let speechSuppression: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(EchoCancel.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(EchoCancel.self)?.pointee.reset() })

  /// The number of states of the spectral gain. The library cannot reset one, so each reset uses
  /// the next. After the last one, resets keep it.
  private static var lifeCount: Int { @_noLocks get { 4 } }
  /// The filter starts this many seconds before the calculated round trip, as a margin.
  private static let margin = 0.002

  private let channelCount: Int
  private let referenceCount: Int
  private let length: Int
  /// Frames by which the reference and the microphone are delayed.
  private let delay: Int
  private let ownDelay: Int
  /// For each microphone.
  private let cancellers: UnsafeMutablePointer<OpaquePointer?>
  /// `lifeCount` × microphones.
  private let gains: UnsafeMutablePointer<OpaquePointer?>
  private var life = 0
  private var isUsed = false
  /// Channel × frame.
  private let recorded: UnsafeMutablePointer<Int16>
  /// Frame × channel.
  private let played: UnsafeMutablePointer<Int16>
  private let result: UnsafeMutablePointer<Int16>
  /// Channel × frame.
  private let output: SampleBuffer
  private let late: SampleBuffer
  private var line: DelayLine
  private var ownLine: DelayLine
  private var place = 0

  package init(_ preparation: Preparation) throws(Failure) {
    let rate = preparation.sampleRate
    channelCount = preparation.channelCount
    referenceCount = Self.referenceCount(preparation)
    length = Self.length(rate)
    delay = max(0, Self.shift(preparation)) + preparation.playedLatency
    ownDelay = max(0, -Self.shift(preparation))
    let tail = Int32(Self.tail(preparation))
    cancellers = .allocate(capacity: max(channelCount, 1))
    gains = .allocate(capacity: max(channelCount * Self.lifeCount, 1))
    for channel in 0..<channelCount {
      (cancellers + channel).initialize(
        to: speex_echo_state_init_mc(Int32(length), tail, 1, Int32(max(referenceCount, 1))))
    }
    for index in 0..<channelCount * Self.lifeCount {
      let state = speex_preprocess_state_init(Int32(length), Int32(rate.rounded()))
      (gains + index).initialize(to: state)
      if let state {
        fx_speex_suppress(state, 0)
        if let canceller = cancellers[index % channelCount] {
          fx_speex_join(state, canceller, Int32(rate.rounded()))
        }
      }
    }
    recorded = Self.samples(channelCount * length)
    played = Self.samples(max(referenceCount, 1) * length)
    result = Self.samples(length)
    output = SampleBuffer(count: channelCount * length)
    late = SampleBuffer(count: length)
    line = DelayLine(
      channelCount: referenceCount, maximumDelay: delay, maximumFrameCount: length)
    ownLine = DelayLine(
      channelCount: channelCount, maximumDelay: ownDelay, maximumFrameCount: length)
  }

  private static func samples(_ count: Int) -> UnsafeMutablePointer<Int16> {
    let samples = UnsafeMutablePointer<Int16>.allocate(capacity: max(count, 1))
    samples.initialize(repeating: 0, count: max(count, 1))
    return samples
  }

  deinit {
    for index in 0..<channelCount * Self.lifeCount {
      if let state = gains[index] { speex_preprocess_state_destroy(state) }
    }
    for channel in 0..<channelCount {
      if let state = cancellers[channel] { speex_echo_state_destroy(state) }
    }
    gains.deallocate()
    cancellers.deallocate()
    recorded.deallocate()
    played.deallocate()
    result.deallocate()
  }

  private static func referenceCount(_ preparation: Preparation) -> Int {
    preparation.inputWidths.count > 1 ? preparation.inputWidths[1] : 0
  }

  /// Frames per call of the library: 10 ms.
  private static func length(_ sampleRate: Double) -> Int { max(16, Int(0.01 * sampleRate) & ~1) }

  private static func tail(_ preparation: Preparation) -> Int {
    Int((min(max(preparation.number("tail") ?? 0.2, 0.02), 1) * preparation.sampleRate).rounded())
  }

  /// Frames by which the reference is delayed relative to the microphone, without the played
  /// latency.
  private static func shift(_ preparation: Preparation) -> Int {
    let rate = preparation.sampleRate
    let own = Int((min(max(preparation.number("delay") ?? 0, 0), 2) * rate).rounded())
    guard preparation.roundTrip > 0 else { return own }
    return own + preparation.roundTrip - preparation.waitedRoundTrip - Int(margin * rate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let length = length(preparation.sampleRate)
    let (channels, references) = (preparation.channelCount, referenceCount(preparation))
    let blocks = (tail(preparation) + length - 1) / length
    // States of the library: arrays of one or two frames with four bytes per sample, and two
    // filters with their input history.
    let canceller = length * (120 + references * (22 + 24 * blocks)) + 4096
    let gain = 140 * length + 2400
    let shift = shift(preparation)
    let (delay, ownDelay) = (max(0, shift) + preparation.playedLatency, max(0, -shift))
    return UnitTraits(
      latency: 2 * length + ownDelay, tail: .frames(8 * length + delay + tail(preparation)),
      recall: max(delay, ownDelay),
      memory: channels * (canceller + lifeCount * gain)
        + (max(channels, 1) + max(channels * lifeCount, 1)) * MemoryLayout<Int>.stride
        + (max(channels, 1) + max(references, 1) + 1) * length * MemoryLayout<Int16>.stride
        + SampleBuffer.byteCount(count: channels * length) + SampleBuffer.byteCount(count: length)
        + DelayLine.byteCount(
          channelCount: references, maximumDelay: delay, maximumFrameCount: length)
        + DelayLine.byteCount(
          channelCount: channels, maximumDelay: ownDelay, maximumFrameCount: length))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    isUsed = true
    var frame = 0
    while frame < block.frameCount {
      let count = min(length &- place, block.frameCount &- frame)
      // Its outputs may share memory with its inputs.
      takeReference(block, from: frame, count: count)
      for channel in 0..<channelCount {
        ownLine.write(block.inputs[channel] + frame, channel: channel, frameCount: count)
        ownLine.read(into: late.samples, channel: channel, delay: ownDelay, frameCount: count)
        let taken = recorded + channel &* length + place
        for index in 0..<count { taken[index] = SpeexSamples.rounded(late.samples[index]) }
        (block.outputs[channel] + frame).update(
          copying: UnsafePointer(output.samples + channel &* length + place), count: count)
      }
      ownLine.advance(count)
      frame &+= count
      place &+= count
      if place == length {
        renderFrame(
          alone: parameters.suppression[frame &- 1],
          besideSpeech: parameters.speechSuppression[frame &- 1])
      }
    }
  }

  @_noLocks
  private mutating func takeReference(_ block: RenderBlock, from frame: Int, count: Int) {
    for channel in 0..<referenceCount {
      line.write(block.inputs[channelCount &+ channel] + frame, channel: channel, frameCount: count)
      line.read(into: late.samples, channel: channel, delay: delay, frameCount: count)
      for index in 0..<count {
        played[(place &+ index) &* referenceCount &+ channel] =
          SpeexSamples.rounded(late.samples[index])
      }
    }
    line.advance(count)
  }

  @_noLocks
  private mutating func renderFrame(alone: Float, besideSpeech: Float) {
    place = 0
    for channel in 0..<channelCount {
      if let canceller = cancellers[channel] {
        fx_speex_cancel(canceller, recorded + channel &* length, played, result)
      }
      if let state = gains[life &* channelCount &+ channel] {
        fx_speex_suppress_echo(state, -Int32(alone + 0.5), -Int32(besideSpeech + 0.5))
        _ = fx_speex_run(state, result)
      }
      let target = output.samples + channel &* length
      for index in 0..<length { target[index] = Float(result[index]) / SpeexSamples.scale }
    }
  }

  @_noLocks
  package mutating func reset() {
    if isUsed && life &+ 1 < Self.lifeCount { life &+= 1 }
    isUsed = false
    place = 0
    line.clear()
    ownLine.clear()
    output.clear()
    for channel in 0..<channelCount {
      if let canceller = cancellers[channel] { fx_speex_forget(canceller) }
    }
    for index in 0..<(channelCount &* length) { recorded[index] = 0 }
    for index in 0..<(referenceCount &* length) { played[index] = 0 }
  }
}
