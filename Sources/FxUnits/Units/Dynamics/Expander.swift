import FxAudio

/// Reduces the level below a threshold; quieter signals are reduced more.
///
/// Downward expansion with the curve of `ExpansionCurve`. The level is the peak, held for the hold
/// time (see `PeakHold`). The gain moves in amplitude both ways, exponentially, with 99 % of a step
/// after the attack or the release time, like that of the gate when it opens.
struct Expander: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "expander", name: "Expander",
    summary: "Turns down what is quieter than a threshold, the more the quieter it is.",
    category: "dynamics",
    parameters: [
      ParameterSpec(
        "threshold", "The level below which the signal is turned down.", .decibels, -80...0,
        default: -40
      ).againstFullScale,
      ParameterSpec(
        "ratio", "How many decibels a level falls for each one that it lies below the threshold.",
        .none, 1...20, default: 2, smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "knee", "How wide the bend around the threshold is.", .decibels, 0...24, default: 6),
      ParameterSpec(
        "range", "The largest reduction.", .decibels, 0...96, default: 24),
      ParameterSpec(
        "attack", "Time to cover 99 % of the way up, in amplitude.", .seconds, 0.0001...0.5,
        default: 0.002, smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "hold", "Time for which a peak counts as the level.", .seconds, 0...2, default: 0.02),
      ParameterSpec(
        "release", "Time to cover 99 % of the way down, in amplitude.", .seconds, 0.005...5,
        default: 0.2, smoothing: .glide(seconds: 0.02)),
    ] + KeyFilter.parameters,
    options: [
      OptionSpec(
        "lookahead", "The look-ahead of the expander; adds as much latency.",
        .number(.seconds, 0...0.02), default: .number(0))
    ],
    inputs: [.main, .sidechain],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ],
    presets: [
      UnitPreset(
        "voice", "Lowers the room between words so gently that nobody hears it work.",
        [
          "threshold": -42, "ratio": 1.8, "knee": 10, "range": 15, "attack": 0.005, "hold": 0.08,
          "release": 0.3, "keyHighPass": 80,
        ]),
      UnitPreset(
        "drums", "Makes strokes stand out from bleed, and keeps their ends.",
        [
          "threshold": -26, "ratio": 3, "knee": 6, "range": 40, "attack": 0.001, "hold": 0.02,
          "release": 0.12,
        ]),
      UnitPreset(
        "dry room", "Shortens the reverberation of a room.",
        [
          "threshold": -24, "ratio": 1.5, "knee": 12, "range": 18, "attack": 0.003, "hold": 0.02,
          "release": 0.25,
        ]),
    ])

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let ratio: ParameterSignal
    let knee: ParameterSignal
    let range: ParameterSignal
    let attack: ParameterSignal
    let hold: ParameterSignal
    let release: ParameterSignal
    let keyHighPass: ParameterSignal
    let keyLowPass: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Expander.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Expander.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Expander.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let firstKey: Int
  private let readings: ReadingBoard
  private let gains = SampleBuffer(count: Self.chunk)
  private var key: KeyFilter
  private var line: LookaheadLine
  private var peaks = PeakHold()
  /// The gain as an amplitude: its attack is upwards.
  private var gain = EnvelopeFollower()
  private var hasBegun = false

  private var grid = ControlGrid()
  private var threshold = ControlValue()
  private var ratio = ControlValue()
  private var knee = ControlValue()
  private var range = ControlValue()
  private var attack = ControlValue()
  private var hold = ControlValue()
  private var release = ControlValue()
  private var curve = ExpansionCurve(threshold: 0, ratio: 1, knee: 0, range: 0)
  private var holdSpeed = PeakHold.Speed(hold: 0, fall: 0, sampleRate: 1)
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }
  /// The time for a held peak to fall to 37 %, in seconds.
  private static var fall: Double { @_noLocks get { 0.005 } }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    firstKey = preparation.keyChannels.lowerBound
    key = preparation.keyFilter(maximumFrameCount: Self.chunk)
    readings = preparation.readings
    line = preparation.lookaheadLine(maximumFrameCount: Self.chunk)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    preparation.dynamicsTraits(maximumFrameCount: chunk)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = Self.isModulated(parameters)
    var least: Float = 1
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated) {
        update(parameters, block.frame, at: frame)
      }
      let end =
        isSettled(parameters)
        ? block.frameCount : grid.pieceEnd(block, after: frame, isModulated: isModulated)
      let count = min(end &- frame, Self.chunk)
      let gain = process(block, from: frame, count: count)
      least = gain < least ? gain : least
      frame &+= count
    }
    readings[0] = least < 1 ? -Math.decibels(amplitude: least) : 0
  }

  @_noLocks
  private static func isModulated(_ parameters: Parameters) -> Bool {
    parameters.threshold.isModulated || parameters.ratio.isModulated
      || parameters.knee.isModulated || parameters.range.isModulated
      || parameters.attack.isModulated || parameters.hold.isModulated
      || parameters.release.isModulated || keys(parameters).isModulated
  }

  @_noLocks
  private static func keys(_ parameters: Parameters) -> KeyFilter.Signals {
    KeyFilter.Signals(parameters.keyHighPass, parameters.keyLowPass)
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, _ blockFrame: Int, at frame: Int) {
    let hasThreshold = threshold.take(parameters.threshold, frame)
    let hasRatio = ratio.take(parameters.ratio, frame)
    let hasKnee = knee.take(parameters.knee, frame)
    let hasRange = range.take(parameters.range, frame)
    if hasThreshold || hasRatio || hasKnee || hasRange {
      curve = ExpansionCurve(
        threshold: threshold.value, ratio: ratio.value, knee: knee.value, range: range.value)
    }
    let hasAttack = attack.take(parameters.attack, frame)
    let hasRelease = release.take(parameters.release, frame)
    if hasAttack || hasRelease {
      let constants = Smoothing.constantsToNearlyAll
      speed = EnvelopeFollower.Speed(
        attack: Double(attack.value) / constants, release: Double(release.value) / constants,
        sampleRate: sampleRate)
    }
    if hold.take(parameters.hold, frame) {
      holdSpeed = PeakHold.Speed(
        hold: Double(hold.value), fall: Self.fall, sampleRate: sampleRate)
    }
    if !hasBegun {
      gain.start(at: Double(Math.exp2(-curve.range)))
      hasBegun = true
    }
    key.update(Self.keys(parameters), at: frame, absolute: blockFrame &+ frame)
  }

  @_noLocks
  private func isSettled(_ parameters: Parameters) -> Bool {
    threshold.isSettled(parameters.threshold) && ratio.isSettled(parameters.ratio)
      && knee.isSettled(parameters.knee) && range.isSettled(parameters.range)
      && attack.isSettled(parameters.attack) && hold.isSettled(parameters.hold)
      && release.isSettled(parameters.release) && key.isSettled(Self.keys(parameters))
  }

  /// Expands a chunk and returns its least gain.
  @_noLocks
  private mutating func process(_ block: RenderBlock, from frame: Int, count: Int) -> Float {
    let gains = gains.samples
    key.findPeaks(block, first: firstKey, from: frame, into: gains, count: count)
    peaks.follow(gains, count: count, speed: holdSpeed)
    curve.reduceAmplitudes(gains, count: count)
    for index in 0..<count { gains[index] = Math.exp2(-gains[index]) }
    _ = gain.follow(gains, count: count, speed: speed)
    var least: Float = 1
    for index in 0..<count { least = gains[index] < least ? gains[index] : least }
    line.apply(gains, block, from: frame, count: count)
    return least
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    guard isSettled(block.parameterStorage.load(as: Parameters.self)), key.isAtRest,
      line.isSilent, peaks.isAtRest
    else { return false }
    gains.samples[0] = 0
    curve.reduceAmplitudes(gains.samples, count: 1)
    return gain.isAtRest(at: Math.exp2(-gains.samples[0]), speed: speed)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    hasBegun = false
    line.clear()
    key.reset()
    peaks.clear()
  }
}
