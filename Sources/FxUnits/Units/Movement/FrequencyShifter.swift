import FxAudio

/// Shifts every frequency by the same number of hertz, so that harmonic sounds become inharmonic.
struct FrequencyShifter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "frequencyShifter", name: "Frequency shifter",
    summary: "Shifts every frequency by the same number of hertz.", category: "movement",
    parameters: [
      ParameterSpec(
        "shift", "By how much; below 0 downwards.", .hertz, -5000...5000, default: 5,
        smoothing: .ramp(seconds: 0.02))
    ],
    options: [
      OptionSpec(
        "apart", "Whether every second channel is shifted the other way.", .flag,
        default: .flag(false))
    ],
    presets: [
      UnitPreset(
        "wide", "Left a little up, right a little down.", ["shift": 0.4],
        options: ["apart": .flag(true)]),
      UnitPreset("against feedback", "For a voice over loudspeakers.", ["shift": 5]),
      UnitPreset("metal", "Tones of no key.", ["shift": 180]),
    ])

  package struct Parameters: BitwiseCopyable {
    let shift: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(FrequencyShifter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(FrequencyShifter.self)?.pointee.reset() })

  private let channelCount: Int
  private let isApart: Bool
  private let pair: HilbertPair
  private var clock: PeriodClock

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    isApart = preparation.flag("apart") ?? false
    pair = HilbertPair(channelCount: channelCount, sampleRate: preparation.sampleRate)
    clock = PeriodClock(preparation)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    // The lowest section decays by 90 dB in three quarters of a second.
    UnitTraits(
      tail: .frames(Int(preparation.sampleRate)),
      memory: HilbertPair.byteCount(channelCount: preparation.channelCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    clock.begin()
    for frame in 0..<block.frameCount {
      let share = clock.place(
        of: block.frame + frame, rate: parameters.shift[frame], beats: 0, phase: 0, in: block.time
      ).share
      let turn = Math.sinCos(2 * Double.pi * share)
      for channel in 0..<channelCount {
        let parts = pair.process(
          Double(block.inputs[channel][frame].finiteSample), channel: channel,
          frame: block.frame + frame)
        let side = isApart && channel & 1 == 1 ? -turn.sin : turn.sin
        block.outputs[channel][frame] = Float(turn.cos * parts.cosine - side * parts.sine)
      }
    }
  }

  @_noLocks
  package mutating func reset() {
    pair.clear()
    clock.reset()
  }
}
