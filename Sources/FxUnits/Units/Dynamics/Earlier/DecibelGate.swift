import FxAudio

/// Revision 1 of the gate: it opens and closes in decibels, which cuts the beginning of a sound.
///
/// It opens when the level exceeds the threshold. It stays open until the level has been below the
/// threshold, less the hysteresis, for the hold time. The gain then moves exponentially in
/// decibels, with 63 % of a change after the attack or the release time. It starts closed.
struct DecibelGate: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gate", name: "Gate", summary: "Turns down what is quieter than a threshold.",
    category: "dynamics",
    parameters: [
      ParameterSpec(
        "threshold", "The level above which the gate opens.", .decibels, -80...0, default: -40
      ).againstFullScale,
      ParameterSpec(
        "hysteresis", "How far below the threshold the level must fall to close it.", .decibels,
        0...24, default: 4),
      ParameterSpec(
        "range", "How much a closed gate turns down.", .decibels, 0...96, default: 60),
      ParameterSpec(
        "attack", "Time to open to 63 %, in decibels.", .seconds, 0.0001...0.5, default: 0.001,
        smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "hold", "Time that the gate stays open after the level has fallen.", .seconds, 0...2,
        default: 0.05),
      ParameterSpec(
        "release", "Time to close to 63 %, in decibels.", .seconds, 0.005...5, default: 0.1,
        smoothing: .glide(seconds: 0.02)),
    ],
    options: [
      OptionSpec(
        "lookahead", "The look-ahead of the gate; adds as much latency.",
        .number(.seconds, 0...0.02), default: .number(0))
    ],
    inputs: [.main, .sidechain],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ],
    presets: [
      UnitPreset(
        "voice", "Lowers the room between words.",
        ["threshold": -45, "range": 12, "attack": 0.002, "hold": 0.15, "release": 0.2]),
      UnitPreset(
        "drums", "Cuts off bleed between strokes.",
        ["threshold": -30, "range": 80, "attack": 0.0002, "hold": 0.04, "release": 0.06]),
    ])

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let hysteresis: ParameterSignal
    let range: ParameterSignal
    let attack: ParameterSignal
    let hold: ParameterSignal
    let release: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(DecibelGate.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(DecibelGate.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let keyCount: Int
  private let readings: ReadingBoard
  private let gains = SampleBuffer(count: Self.chunk)
  private var line: LookaheadLine
  private var envelope = EnvelopeFollower()
  private var hasBegun = false
  private var decision = GateDecision()

  private var grid = ControlGrid()
  private var threshold = ControlValue()
  private var hysteresis = ControlValue()
  private var range = ControlValue()
  private var attack = ControlValue()
  private var hold = ControlValue()
  private var release = ControlValue()
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    let inputWidths = preparation.inputWidths
    keyCount = inputWidths.count > 1 ? inputWidths[1] : 0
    readings = preparation.readings
    line = LookaheadLine(
      channelCount: channelCount, latency: Self.latency(preparation), maximumFrameCount: Self.chunk)
  }

  private static func latency(_ preparation: Preparation) -> Int {
    let seconds = min(max(preparation.number("lookahead") ?? 0, 0), 1)
    return Int((seconds * preparation.sampleRate).rounded())
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let latency = latency(preparation)
    return UnitTraits(
      latency: latency,
      memory: SampleBuffer.byteCount(count: chunk)
        + LookaheadLine.byteCount(
          channelCount: preparation.channelCount, latency: latency, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var largest: Float = 0
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame) { update(parameters, at: frame) }
      let end = isSettled(parameters) ? block.frameCount : grid.pieceEnd(block, after: frame)
      let count = min(end &- frame, Self.chunk)
      let reduction = process(block, from: frame, count: count)
      largest = reduction > largest ? reduction : largest
      frame &+= count
    }
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, at frame: Int) {
    let hasThreshold = threshold.take(parameters.threshold, frame)
    let hasHysteresis = hysteresis.take(parameters.hysteresis, frame)
    if hasThreshold || hasHysteresis {
      decision.set(threshold: threshold.value, hysteresis: hysteresis.value)
    }
    let hasAttack = attack.take(parameters.attack, frame)
    let hasRelease = release.take(parameters.release, frame)
    if hasAttack || hasRelease {
      // Opening decreases the reduction.
      speed = EnvelopeFollower.Speed(
        attack: Double(release.value), release: Double(attack.value), sampleRate: sampleRate)
    }
    _ = range.take(parameters.range, frame)
    if !hasBegun {
      envelope.start(at: Double(range.value) / GainComputer.decibelsPerOctave)
      hasBegun = true
    }
    _ = hold.take(parameters.hold, frame)
  }

  @_noLocks
  private func isSettled(_ parameters: Parameters) -> Bool {
    threshold.isSettled(parameters.threshold) && hysteresis.isSettled(parameters.hysteresis)
      && range.isSettled(parameters.range) && attack.isSettled(parameters.attack)
      && hold.isSettled(parameters.hold) && release.isSettled(parameters.release)
  }

  /// Gates a chunk and returns its largest reduction in octaves.
  @_noLocks
  private mutating func process(_ block: RenderBlock, from frame: Int, count: Int) -> Float {
    let gains = gains.samples
    let hasKey = keyCount > 0 && block.inputCount >= channelCount + keyCount
    let keys = hasKey ? block.inputs + channelCount : block.inputs
    let keyCount = hasKey ? keyCount : channelCount
    if keyCount == 0 { gains.update(repeating: 0, count: count) }
    for key in 0..<keyCount {
      LevelDetector.peaks(keys[key] + frame, into: gains, count: count, keepsLarger: key > 0)
    }
    decision.decide(
      gains, count: count, hold: hold.value, sampleRate: sampleRate, open: 0,
      closed: range.value / Float(GainComputer.decibelsPerOctave))
    let largest = envelope.follow(gains, count: count, speed: speed)
    for index in 0..<count { gains[index] = Math.exp2(-gains[index]) }
    line.apply(gains, block, from: frame, count: count)
    return largest
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    hasBegun = false
    line.clear()
    envelope.clear()
    decision.reset()
  }
}
