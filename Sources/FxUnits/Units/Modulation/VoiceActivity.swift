import FxAudio

/// Detects speech.
///
/// It analyses windows of 43 ms with an overlap of 75 % (`SpeechDetector`).
struct VoiceActivity: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "voiceActivity", name: "Voice activity",
    summary: "Detects speech: 1 for a voice, 0 for a pause.",
    category: "modulation",
    parameters: [
      ParameterSpec(
        "threshold", "The probability of speech from which it is 1.", .ratio, 0...1, default: 0.5),
      ParameterSpec(
        "hold", "Time that it stays at 1 behind the last word.", .seconds, 0...5, default: 0.3),
    ],
    outputs: [.control("out", 0...1), .control("probability", 0...1)],
    presets: [
      UnitPreset(
        "ducking", "Stays through the pauses of a sentence.", ["threshold": 0.4, "hold": 0.9]),
      UnitPreset(
        "strict", "For a noisy room: only what is surely a voice.", ["threshold": 0.8, "hold": 0.2]),
    ])

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let hold: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(VoiceActivity.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(VoiceActivity.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private var detector: SpeechDetector
  /// Frames since the latest speech; `Int.max` before the first.
  private var pause = Int.max

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    detector = SpeechDetector(sampleRate: preparation.sampleRate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: SpeechDetector.byteCount(sampleRate: preparation.sampleRate))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    for frame in 0..<block.frameCount {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += block.inputs[channel][frame].finiteSample }
      detector.take(sum)
      let probability = detector.probability
      let isSpeech = probability > 0 && probability >= parameters.threshold[frame]
      pause = isSpeech ? 0 : pause == Int.max ? pause : pause &+ 1
      let hold = Double(parameters.hold[frame]) * sampleRate
      block.outputs[0][frame] = pause != Int.max && Double(pause) <= hold ? 1 : 0
      block.outputs[1][frame] = probability
    }
  }

  @_noLocks
  package mutating func reset() {
    detector.clear()
    pause = Int.max
  }
}
