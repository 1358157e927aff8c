import FxAudio

/// Brings a sound to a target loudness.
///
/// A whole sound is measured in a pass before the render and gets one constant gain; see
/// `LoudnessAnalyzer`. A sound whose end is unknown gets a slowly changing gain; see
/// `AutomaticGain`.
struct LoudnessUnit: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "loudness", name: "Loudness",
    summary: "Brings a sound to a loudness: a whole one by one gain, a live one slowly.",
    category: "level", measures: "loudness", rendersUnmeasured: true,
    parameters: [
      ParameterSpec(
        "target", "The loudness to reach: -16 for podcasts, -14 for streams, -23 for broadcasts.",
        .lufs, -70...0, default: -16),
      .gain(
        "ceiling", "The true peak that the gain stops at, or that the limiter keeps.", -24...0,
        default: -1
      ).againstTruePeak,
      ParameterSpec(
        "boost", "The most that a live sound is raised.", .decibels, 0...40, default: 12),
    ],
    options: [
      OptionSpec(
        "limit", "Whether a limiter keeps the ceiling, so that the target can still be reached.",
        .flag, default: .flag(false))
    ],
    readings: [
      ReadingSpec("gain", "The gain.", .decibels),
      ReadingSpec("loudness", "The loudness that came in, of the whole or of the last 3 s.", .lufs),
    ],
    presets: [
      UnitPreset(
        "podcast", "Speech for listeners on the way.", ["target": -16, "ceiling": -1],
        options: ["limit": .flag(true)]),
      UnitPreset(
        "streaming", "Music for the large platforms.", ["target": -14, "ceiling": -1],
        options: ["limit": .flag(true)]),
      UnitPreset(
        "broadcast", "Programmes as EBU R 128 wants them.", ["target": -23, "ceiling": -1]),
    ])

  package struct Parameters: BitwiseCopyable {
    let target: ParameterSignal
    let ceiling: ParameterSignal
    let boost: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(LoudnessUnit.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(LoudnessUnit.self)?.pointee.reset() })

  private let channelCount: Int
  private let readings: ReadingBoard
  private let isMeasured: Bool
  /// The gain of a measured sound in decibels, for the chain's initial target and before the
  /// ceiling stops it.
  private let wanted: Double
  private let stop: Double
  private let firstTarget: Double
  private var automatic: AutomaticGain
  private let limiter: InnerLimiter

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    readings = preparation.readings
    let measured = preparation.measured.flatMap { LoudnessAnalyzer.Result($0) }
    isMeasured = measured != nil
    wanted = measured?.wanted ?? 0
    stop = measured?.stop ?? 0
    firstTarget = preparation.initial(0)
    automatic = AutomaticGain(
      channelCount: preparation.channelCount, layout: preparation.layout,
      sampleRate: preparation.sampleRate)
    limiter = InnerLimiter(
      preparation, isUsed: Self.limits(preparation), ceiling: preparation.initial(1))
    readings[0] = Float(min(wanted, stop))
    readings[1] = Float(measured?.loudness ?? -.infinity)
  }

  static func limits(_ preparation: Preparation) -> Bool { preparation.flag("limit") ?? false }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    var traits = InnerLimiter.traits(preparation, isUsed: limits(preparation))
    traits.memory += AutomaticGain.byteCount(channelCount: preparation.channelCount)
    return traits
  }

  package static func analyzer(_ preparation: Preparation) -> (any Analyzer)? {
    LoudnessAnalyzer(preparation)
  }

  package static func remark(_ preparation: Preparation) -> String? {
    guard let measured = preparation.measured.flatMap({ LoudnessAnalyzer.Result($0) }) else {
      return nil
    }
    guard measured.loudness.isFinite else {
      return measured.blockCount == 0
        ? "the sound is shorter than 0.4 s, so it has no loudness; its level is unchanged"
        : "no part of the sound is above -70 LUFS, so it has no loudness; its level is unchanged"
    }
    let missed = preparation.initial(0) - measured.reached
    guard abs(missed) > 0.05 else { return nil }
    let tenths = (abs(missed) * 10).rounded() / 10
    if missed < 0 || measured.highest > preparation.initial(0) {
      return "target missed by \(tenths) LU: no gain gives exactly this loudness, because it jumps "
        + "where quiet parts begin to count"
    }
    return "target missed by \(tenths) LU: "
      + (limits(preparation)
        ? "its limiter cannot make this sound louder"
        : "its true peak is at the ceiling; \"limit\": true reaches the target")
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    if isMeasured {
      amplify(block, parameters.target)
    } else {
      follow(block, parameters)
    }
    limiter.render(block)
  }

  @_noLocks
  private func amplify(_ block: RenderBlock, _ target: ParameterSignal) {
    if target.isConstant {
      let factor = factor(target.value)
      for channel in 0..<block.outputCount {
        let (input, output) = (block.inputs[channel], block.outputs[channel])
        for frame in 0..<block.frameCount { output[frame] = input[frame] * factor }
      }
      return
    }
    for frame in 0..<block.frameCount {
      let factor = factor(target[frame])
      for channel in 0..<block.outputCount {
        block.outputs[channel][frame] = block.inputs[channel][frame] * factor
      }
    }
  }

  @_noLocks
  private func factor(_ target: Float) -> Float {
    Math.amplitude(decibels: Float(min(wanted + (Double(target) - firstTarget), stop)))
  }

  @_noLocks
  private mutating func follow(_ block: RenderBlock, _ parameters: Parameters) {
    var frame = 0
    while frame < block.frameCount {
      let rest = block.frameCount &- frame
      let count = automatic.remainingCount < rest ? automatic.remainingCount : rest
      let last = frame &+ count &- 1
      automatic.process(
        block.inputs, to: block.outputs, channelCount: channelCount, from: frame, count: count,
        target: Double(parameters.target[last]), boost: Double(parameters.boost[last]))
      frame &+= count
    }
    readings[0] = Float(automatic.decibels)
    readings[1] = Float(automatic.loudness)
  }

  @_noLocks
  package mutating func reset() {
    automatic.clear()
    limiter.reset()
  }
}
