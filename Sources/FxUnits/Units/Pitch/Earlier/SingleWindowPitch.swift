import FxAudio

/// Revision 1 of the pitch shifter: one analysis window for all frequencies, which leaves the notes
/// of low chords out of tune.
struct SingleWindowPitch: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "pitch", name: "Pitch shifter",
    summary: "Shifts the pitch, and the formants on their own; the duration stays.",
    category: "pitch",
    parameters: [
      ParameterSpec(
        "shift", "How far the pitch is shifted.", .semitones, -24...24, default: 0,
        smoothing: .ramp(seconds: 0.02)),
      ParameterSpec(
        "cents", "An additional shift, in hundredths of a semitone (cents).", .none,
        -100...100, default: 0, smoothing: .ramp(seconds: 0.02)),
      ParameterSpec(
        "formantShift", "How far the formants are shifted, with `formants` kept.", .semitones,
        -12...12, default: 0, smoothing: .ramp(seconds: 0.02)
      ).needing("formants", [.text("keep")]),
    ],
    options: [
      OptionSpec(
        "formants",
        "The formants, which give a voice its size and colour: `move` shifts them with the pitch, `keep` does not.",
        .choice(["move", "keep"]), default: .text("move")),
      OptionSpec(
        "window",
        "The analysis window: 21, 43 or 85 ms. A short one has less latency and keeps attacks "
          + "sharp; a long one keeps deep and dense sounds pure.",
        .choice(["short", "medium", "long"]), default: .text("medium")),
    ],
    presets: [
      UnitPreset("octave down", "A bass of a guitar.", ["shift": -12]),
      UnitPreset("octave up", "Twelve strings, with half of the sound itself.", ["shift": 12]),
      UnitPreset(
        "lower voice", "A larger person.", ["shift": -3, "formantShift": -2],
        options: ["formants": .text("keep")]),
      UnitPreset(
        "higher voice", "A smaller person.", ["shift": 4, "formantShift": 2],
        options: ["formants": .text("keep")]),
      UnitPreset(
        "capo", "Two frets up, the guitar's body as it is.", ["shift": 2],
        options: ["formants": .text("keep")]),
    ])

  package struct Parameters: BitwiseCopyable {
    let shift: ParameterSignal
    let cents: ParameterSignal
    let formantShift: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(SingleWindowPitch.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(SingleWindowPitch.self)?.pointee.reset() })

  private let keepsFormants: Bool
  private var shifter: SingleWindowShifter

  package init(_ preparation: Preparation) {
    keepsFormants = preparation.text("formants") == "keep"
    shifter = SingleWindowShifter(
      channelCount: preparation.channelCount, length: Self.length(preparation),
      sampleRate: preparation.sampleRate)
  }

  /// The frames of a window: a power of two, the same time within a factor of √2 at every sample
  /// rate.
  private static func length(_ preparation: Preparation) -> Int {
    let medium = SpectralFrames.length(sampleRate: preparation.sampleRate)
    switch preparation.text("window") {
    case "short": return max(256, medium / 2)
    case "long": return medium * 2
    default: return medium
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let length = length(preparation)
    return UnitTraits(
      latency: SingleWindowShifter.latency(length: length), tail: .frames(length),
      memory: SingleWindowShifter.byteCount(channelCount: preparation.channelCount, length: length))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(shifter.remainingCount, block.frameCount &- frame)
      if shifter.isFresh { shifter.begin(settings(parameters, frame)) }
      shifter.process(
        block.inputs, to: block.outputs, from: frame, count: count,
        settings(parameters, frame &+ count &- 1))
      frame &+= count
    }
  }

  @_noLocks
  private func settings(_ parameters: Parameters, _ frame: Int) -> PitchSettings {
    let semitones = Double(parameters.shift[frame]) + 0.01 * Double(parameters.cents[frame])
    let pitch = min(max(Math.exp2(semitones / 12), 0.25), 4)
    guard keepsFormants else { return PitchSettings(pitch: pitch, formants: nil) }
    let formants = Math.exp2(Double(parameters.formantShift[frame]) / 12)
    return PitchSettings(pitch: pitch, formants: formants)
  }

  @_noLocks
  package mutating func reset() { shifter.clear() }
}
