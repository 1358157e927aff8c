import FxAudio

/// Raises or lowers the beginnings of sounds and their decays, at any level.
///
/// Two envelopes follow the held peak (see `PeakHold`). The first rises slowly: where the peak is
/// above it, a sound begins. The second falls slowly: where the peak is below it, a sound decays.
/// Only the ratio of envelope and peak matters, so quiet and loud hits are shaped alike, and a
/// steady sound is unchanged. A ratio of 12 dB gives the full amount.
struct Transient: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "transient", name: "Transient shaper",
    summary:
      "Raises or lowers the attack and the decay of sounds, at any level.",
    category: "dynamics",
    parameters: [
      ParameterSpec(
        "attack", "How much the beginning of a sound is raised.", .decibels, -24...24, default: 0),
      ParameterSpec(
        "sustain", "How much the end of a sound is raised.", .decibels, -24...24, default: 0),
      ParameterSpec(
        "attackTime", "How long a beginning lasts.", .seconds, 0.001...0.2, default: 0.02,
        smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "sustainTime", "How long an end lasts.", .seconds, 0.02...3, default: 0.3,
        smoothing: .glide(seconds: 0.02)),
    ],
    readings: [
      ReadingSpec("gain", "The gain that is furthest from 0 dB in the latest block.", .decibels)
    ],
    presets: [
      UnitPreset("punch", "Drums that stand out of a mix.", ["attack": 6, "sustain": -2]),
      UnitPreset("tight", "Drums without their room.", ["attack": 2, "sustain": -12]),
      UnitPreset("ring", "A drum that rings on, a plucked string that lasts.", ["sustain": 9]),
      UnitPreset(
        "soft", "Strokes that step back.", ["attack": -8, "attackTime": 0.03]),
    ])

  package struct Parameters: BitwiseCopyable {
    let attack: ParameterSignal
    let sustain: ParameterSignal
    let attackTime: ParameterSignal
    let sustainTime: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Transient.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Transient.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let readings: ReadingBoard
  private let levels = SampleBuffer(count: Self.chunk)
  private let gains = SampleBuffer(count: Self.chunk)
  private var peaks = PeakHold()
  private let holdSpeed: PeakHold.Speed
  private var envelopes = TransientEnvelopes()
  private var grid = ControlGrid()
  private var attackTime = ControlValue()
  private var sustainTime = ControlValue()
  private var speed = TransientEnvelopes.Speed(attack: 0, sustain: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    readings = preparation.readings
    // Half a cycle of 42 Hz.
    holdSpeed = PeakHold.Speed(hold: 0.012, fall: 0.01, sampleRate: sampleRate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: 2 * SampleBuffer.byteCount(count: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = parameters.attackTime.isModulated || parameters.sustainTime.isModulated
    var furthest: Float = 0
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated) {
        update(parameters, at: frame)
      }
      let isSettled =
        attackTime.isSettled(parameters.attackTime)
        && sustainTime.isSettled(parameters.sustainTime)
      let end =
        isSettled
        ? block.frameCount : grid.pieceEnd(block, after: frame, isModulated: isModulated)
      let count = min(end &- frame, Self.chunk)
      let octaves = process(block, parameters, from: frame, count: count)
      furthest = octaves.magnitude > furthest.magnitude ? octaves : furthest
      frame &+= count
    }
    readings[0] = furthest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, at frame: Int) {
    let hasAttack = attackTime.take(parameters.attackTime, frame)
    let hasSustain = sustainTime.take(parameters.sustainTime, frame)
    if hasAttack || hasSustain {
      speed = TransientEnvelopes.Speed(
        attack: Double(attackTime.value), sustain: Double(sustainTime.value),
        sampleRate: sampleRate)
    }
  }

  /// Shapes a chunk and returns the gain in octaves that is furthest from 0.
  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) -> Float {
    let (levels, gains) = (levels.samples, gains.samples)
    if channelCount == 0 { levels.update(repeating: 0, count: count) }
    for channel in 0..<channelCount {
      LevelDetector.peaks(
        block.inputs[channel] + frame, into: levels, count: count, keepsLarger: channel > 0)
    }
    peaks.follow(levels, count: count, speed: holdSpeed)
    envelopes.shares(levels, ends: gains, count: count, speed: speed)
    let octave = Float(1 / GainComputer.decibelsPerOctave)
    let (attack, sustain) = (parameters.attack, parameters.sustain)
    if attack.isConstant && sustain.isConstant {
      let (begin, end) = (octave * attack.value, octave * sustain.value)
      for index in 0..<count { gains[index] = begin * levels[index] + end * gains[index] }
    } else {
      for index in 0..<count {
        let begin = octave * attack[frame &+ index]
        let end = octave * sustain[frame &+ index]
        gains[index] = begin * levels[index] + end * gains[index]
      }
    }
    var furthest: Float = 0
    for index in 0..<count {
      furthest = gains[index].magnitude > furthest.magnitude ? gains[index] : furthest
      gains[index] = Math.exp2(gains[index])
    }
    for channel in 0..<channelCount {
      let (input, output) = (block.inputs[channel] + frame, block.outputs[channel] + frame)
      for index in 0..<count { output[index] = input[index] * gains[index] }
    }
    return furthest
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    peaks.clear()
    envelopes.clear()
  }
}
