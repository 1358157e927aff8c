import FxAudio

/// Reduces the level below a threshold: noise between words, bleed between beats.
///
/// It opens when the level exceeds the threshold. It stays open until the level has been below the
/// threshold, less the hysteresis, for the hold time. It starts closed. It opens in amplitude,
/// exponentially, with 99 % after the attack time, because an opening in decibels would leave the
/// first milliseconds nearly closed. It closes in decibels, with 63 % after the release time.
struct Gate: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gate", name: "Gate", summary: "Turns down what is quieter than a threshold.",
    category: "dynamics", revision: 2,
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
        "attack", "Time to open to 99 %, in amplitude.", .seconds, 0.0001...0.5, default: 0.001,
        smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "hold", "Time that the gate stays open after the level has fallen.", .seconds, 0...2,
        default: 0.05),
      ParameterSpec(
        "release", "Time to close to 63 %, in decibels.", .seconds, 0.005...5, default: 0.1,
        smoothing: .glide(seconds: 0.02)),
    ] + KeyFilter.parameters,
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
        [
          "threshold": -45, "range": 12, "attack": 0.005, "hold": 0.15, "release": 0.2,
          "keyHighPass": 80,
        ]),
      UnitPreset(
        "drums", "Cuts off bleed between strokes.",
        ["threshold": -30, "range": 80, "attack": 0.0005, "hold": 0.04, "release": 0.06]),
      UnitPreset(
        "kick", "Opens for the kick drum alone and shuts out cymbals and snare.",
        [
          "threshold": -28, "range": 60, "attack": 0.001, "hold": 0.08, "release": 0.1,
          "keyLowPass": 150,
        ]),
      UnitPreset(
        "guitar", "Silences the hum of a pickup in rests.",
        ["threshold": -58, "range": 70, "attack": 0.001, "hold": 0.1, "release": 0.15]),
    ])

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let hysteresis: ParameterSignal
    let range: ParameterSignal
    let attack: ParameterSignal
    let hold: ParameterSignal
    let release: ParameterSignal
    let keyHighPass: ParameterSignal
    let keyLowPass: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Gate.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Gate.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Gate.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let firstKey: Int
  private let readings: ReadingBoard
  private let gains = SampleBuffer(count: Self.chunk)
  private var key: KeyFilter
  private var line: LookaheadLine
  private var door = GateDoor()
  private var hasBegun = false
  private var decision = GateDecision()

  private var grid = ControlGrid()
  private var threshold = ControlValue()
  private var hysteresis = ControlValue()
  private var range = ControlValue()
  private var attack = ControlValue()
  private var hold = ControlValue()
  private var release = ControlValue()
  private var speed = GateDoor.Speed(attack: 0, release: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

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
    var largest: Float = 0
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated) {
        update(parameters, block.frame, at: frame)
      }
      let end =
        isSettled(parameters)
        ? block.frameCount : grid.pieceEnd(block, after: frame, isModulated: isModulated)
      let count = min(end &- frame, Self.chunk)
      let reduction = process(block, from: frame, count: count)
      largest = reduction > largest ? reduction : largest
      frame &+= count
    }
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private static func isModulated(_ parameters: Parameters) -> Bool {
    parameters.threshold.isModulated || parameters.hysteresis.isModulated
      || parameters.range.isModulated || parameters.attack.isModulated
      || parameters.hold.isModulated || parameters.release.isModulated
      || keys(parameters).isModulated
  }

  @_noLocks
  private static func keys(_ parameters: Parameters) -> KeyFilter.Signals {
    KeyFilter.Signals(parameters.keyHighPass, parameters.keyLowPass)
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, _ blockFrame: Int, at frame: Int) {
    let hasThreshold = threshold.take(parameters.threshold, frame)
    let hasHysteresis = hysteresis.take(parameters.hysteresis, frame)
    if hasThreshold || hasHysteresis {
      decision.set(threshold: threshold.value, hysteresis: hysteresis.value)
    }
    let hasAttack = attack.take(parameters.attack, frame)
    let hasRelease = release.take(parameters.release, frame)
    if hasAttack || hasRelease {
      speed = GateDoor.Speed(
        attack: Double(attack.value), release: Double(release.value), sampleRate: sampleRate)
    }
    _ = range.take(parameters.range, frame)
    if !hasBegun {
      door.close(by: Double(range.value) / GainComputer.decibelsPerOctave)
      hasBegun = true
    }
    _ = hold.take(parameters.hold, frame)
    key.update(Self.keys(parameters), at: frame, absolute: blockFrame &+ frame)
  }

  @_noLocks
  private func isSettled(_ parameters: Parameters) -> Bool {
    threshold.isSettled(parameters.threshold) && hysteresis.isSettled(parameters.hysteresis)
      && range.isSettled(parameters.range) && attack.isSettled(parameters.attack)
      && hold.isSettled(parameters.hold) && release.isSettled(parameters.release)
      && key.isSettled(Self.keys(parameters))
  }

  /// Gates a chunk and returns its largest reduction in octaves.
  @_noLocks
  private mutating func process(_ block: RenderBlock, from frame: Int, count: Int) -> Float {
    let gains = gains.samples
    key.findPeaks(block, first: firstKey, from: frame, into: gains, count: count)
    decision.decide(
      gains, count: count, hold: hold.value, sampleRate: sampleRate, open: 1, closed: 0)
    let closed = range.value / Float(GainComputer.decibelsPerOctave)
    let largest = door.move(gains, count: count, closed: closed, speed: speed)
    line.apply(gains, block, from: frame, count: count)
    return largest
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    // A closed gate still counts the frames that are too quiet, which changes nothing.
    isSettled(block.parameterStorage.load(as: Parameters.self)) && key.isAtRest && line.isSilent
      && !decision.isOpen
      && door.isAtRest(
        closed: range.value / Float(GainComputer.decibelsPerOctave), speed: speed)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    hasBegun = false
    line.clear()
    key.reset()
    decision.reset()
  }
}
