package import FxAudio

/// Reduces the level above a threshold.
///
/// Feed-forward, in the logarithmic domain, with a soft knee and a smooth branching detector:
/// Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design: a tutorial and
/// analysis", J. Audio Eng. Soc. 60 (2012). After a step in level, the reduction in decibels has
/// made 63 % of its change when the attack or the release time has passed. `ProgramRelease` is its
/// automatic release.
package struct Compressor: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "compressor", name: "Compressor", summary: "Turns down what is louder than a threshold.",
    category: "dynamics",
    parameters: [
      ParameterSpec(
        "threshold", "The level above which the signal is turned down.", .decibels, -60...0,
        default: -18
      ).againstFullScale,
      ParameterSpec(
        "ratio",
        "The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the threshold.",
        .none,
        1...100, default: 4, smoothing: .glide(seconds: 0.02),
        choices: [.init("infinite", 100)], choicesAreExclusive: false),
      ParameterSpec(
        "knee", "How wide the bend around the threshold is.", .decibels, 0...24, default: 6),
      ParameterSpec(
        "attack", "Time to cover 63 % of an increase of the reduction.", .seconds, 0.0001...1,
        default: 0.005, smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "release", "Time to cover 63 % of a decrease of the reduction.", .seconds, 0.005...5,
        default: 0.1, smoothing: .glide(seconds: 0.02)),
      .gain("makeup", "The level change after compression.", -24...36),
      ParameterSpec(
        "range", "The largest reduction; at 100 dB there is no limit.", .decibels, 0...100,
        default: 100),
    ] + KeyFilter.parameters,
    options: [
      OptionSpec(
        "detector", "Whether the level is the peak or the root mean square.",
        .choice(["peak", "rms"]), default: .text("peak")),
      OptionSpec(
        "rmsTime", "The time over which the root mean square is taken, to 63 %.",
        .number(.seconds, 0.001...1), default: .number(0.01)),
      OptionSpec(
        "autoRelease",
        "Whether a short peak is released in an eighth of the release time, and a lasting level in all of it.",
        .flag, default: .flag(false)),
      OptionSpec(
        "lookahead", "The look-ahead of the detector; adds as much latency.",
        .number(.seconds, 0...0.02), default: .number(0)),
      OptionSpec(
        "link", "Whether all channels are turned down alike, by the loudest.", .flag,
        default: .flag(true)),
    ],
    inputs: [.main, .sidechain],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ],
    presets: [
      UnitPreset(
        "voice", "Evens out a voice.",
        ["threshold": -22, "ratio": 3, "knee": 8, "attack": 0.008, "release": 0.12, "makeup": 4]),
      UnitPreset(
        "drums", "Lets the stroke through and holds what follows.",
        ["threshold": -16, "ratio": 4, "knee": 3, "attack": 0.02, "release": 0.08, "makeup": 3]),
      UnitPreset(
        "bus", "Holds a mix together.",
        ["threshold": -12, "ratio": 2, "knee": 10, "attack": 0.03, "release": 0.25]),
      UnitPreset(
        "mix", "Holds a mix together and does not react to the bass drum alone.",
        [
          "threshold": -14, "ratio": 2, "knee": 12, "attack": 0.02, "release": 0.6, "range": 6,
          "keyHighPass": 120,
        ], options: ["autoRelease": .flag(true)]),
    ])

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let ratio: ParameterSignal
    let knee: ParameterSignal
    let attack: ParameterSignal
    let release: ParameterSignal
    let makeup: ParameterSignal
    let range: ParameterSignal
    let keyHighPass: ParameterSignal
    let keyLowPass: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Compressor.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Compressor.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Compressor.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Compressor.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let sampleRate: Double
  private let channelCount: Int
  private let firstKey: Int
  private let isLinked: Bool
  private let measuresPower: Bool
  private let powerCoefficient: Float
  private let readings: ReadingBoard
  private let gains = SampleBuffer(count: Self.chunk)
  /// The mean square of each key channel, or of the key channel for each channel.
  private let powers: SampleBuffer
  private let envelopes: UnsafeMutablePointer<EnvelopeFollower>
  private let envelopeCount: Int
  /// The slow envelopes of the automatic release; empty without it.
  private let releases: UnsafeMutablePointer<ProgramRelease>
  private let releasesByProgram: Bool
  private var key: KeyFilter
  private var line: LookaheadLine
  private var grid = ControlGrid()
  private var threshold = ControlValue()
  private var ratio = ControlValue()
  private var knee = ControlValue()
  private var attack = ControlValue()
  private var release = ControlValue()
  private var curve = GainComputer(threshold: 0, ratio: 1, knee: 0)
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)
  private var slowSpeed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    firstKey = preparation.keyChannels.lowerBound
    key = preparation.keyFilter(maximumFrameCount: Self.chunk)
    isLinked = preparation.flag("link") ?? true
    measuresPower = preparation.text("detector") == "rms"
    powerCoefficient = Float(
      Smoothing.coefficient(
        seconds: preparation.number("rmsTime") ?? 0.01, sampleRate: sampleRate))
    readings = preparation.readings
    powers = SampleBuffer(count: max(channelCount, preparation.keyChannels.count))
    envelopeCount = isLinked ? 1 : max(channelCount, 1)
    envelopes = .allocate(capacity: envelopeCount)
    envelopes.initialize(repeating: EnvelopeFollower(), count: envelopeCount)
    releasesByProgram = preparation.flag("autoRelease") ?? false
    releases = .allocate(capacity: envelopeCount)
    releases.initialize(repeating: ProgramRelease(), count: envelopeCount)
    line = preparation.lookaheadLine(maximumFrameCount: Self.chunk)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.channelCount
    let isLinked = preparation.flag("link") ?? true
    var traits = preparation.dynamicsTraits(maximumFrameCount: chunk)
    traits.memory +=
      SampleBuffer.byteCount(count: max(channels, preparation.keyChannels.count))
      + (isLinked ? 1 : max(channels, 1))
      * (MemoryLayout<EnvelopeFollower>.stride + MemoryLayout<ProgramRelease>.stride)
    return traits
  }

  deinit {
    envelopes.deallocate()
    releases.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = keys(parameters).isModulated
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
      let reduction = process(block, parameters, from: frame, count: count)
      largest = reduction > largest ? reduction : largest
      frame &+= count
    }
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private func keys(_ parameters: Parameters) -> KeyFilter.Signals {
    KeyFilter.Signals(parameters.keyHighPass, parameters.keyLowPass)
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, _ blockFrame: Int, at frame: Int) {
    let hasThreshold = threshold.take(parameters.threshold, frame)
    let hasRatio = ratio.take(parameters.ratio, frame)
    let hasKnee = knee.take(parameters.knee, frame)
    if hasThreshold || hasRatio || hasKnee {
      curve = GainComputer(threshold: threshold.value, ratio: ratio.value, knee: knee.value)
    }
    let hasAttack = attack.take(parameters.attack, frame)
    let hasRelease = release.take(parameters.release, frame)
    if hasAttack || hasRelease {
      let (attack, release) = (Double(attack.value), Double(release.value))
      speed = EnvelopeFollower.Speed(
        attack: attack, release: releasesByProgram ? ProgramRelease.short(release) : release,
        sampleRate: sampleRate)
      slowSpeed = ProgramRelease.speed(release: release, sampleRate: sampleRate)
    }
    key.update(keys(parameters), at: frame, absolute: blockFrame &+ frame)
  }

  @_noLocks
  private func isSettled(_ parameters: Parameters) -> Bool {
    threshold.isSettled(parameters.threshold) && ratio.isSettled(parameters.ratio)
      && knee.isSettled(parameters.knee) && attack.isSettled(parameters.attack)
      && release.isSettled(parameters.release) && key.isSettled(keys(parameters))
  }

  /// Compresses a chunk and returns its largest reduction in octaves.
  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) -> Float {
    key.process(block, first: firstKey, from: frame, count: count)
    let keys = UnsafePointer(key.channels)
    let keyCount = key.channelCount
    var largest: Float = 0
    for envelope in 0..<envelopeCount {
      let gains = gains.samples
      if isLinked {
        detect(keys, keyCount: keyCount, powers: powers.samples, count: count)
      } else {
        detect(
          keys + (keyCount > 0 ? envelope % keyCount : 0), keyCount: min(keyCount, 1),
          powers: powers.samples + envelope, count: count)
      }
      limit(parameters.range, from: frame, count: count)
      var reduction = envelopes[envelope].follow(gains, count: count, speed: speed)
      if releasesByProgram {
        reduction = releases[envelope].follow(gains, count: count, speed: slowSpeed)
      }
      largest = reduction > largest ? reduction : largest
      let makeup = parameters.makeup
      GainComputer.findGains(gains, makeup: makeup.isConstant ? makeup.value : 1, count: count)
      if let samples = makeup.samples {
        GainComputer.apply(samples + frame, gains, to: gains, count: count)
      }
      let channels = isLinked ? 0..<channelCount : envelope..<min(envelope &+ 1, channelCount)
      for channel in channels {
        let output = block.outputs[channel] + frame
        let input = line.delayed(block, channel, from: frame, count: count)
        GainComputer.apply(gains, input, to: output, count: count)
      }
    }
    line.advance(count)
    return largest
  }

  /// Fills the gains with the reductions for these key channels.
  @_noLocks
  private func detect(
    _ keys: UnsafePointer<UnsafePointer<Float>>, keyCount: Int,
    powers: UnsafeMutablePointer<Float>, count: Int
  ) {
    let gains = gains.samples
    if keyCount == 0 { gains.update(repeating: 0, count: count) }
    for key in 0..<keyCount {
      if measuresPower {
        LevelDetector.powers(
          keys[key], into: gains, count: count, mean: &powers[key],
          coefficient: powerCoefficient, keepsLarger: key > 0)
      } else {
        LevelDetector.peaks(
          keys[key], into: gains, count: count, keepsLarger: key > 0)
      }
    }
    if measuresPower {
      curve.reducePowers(gains, count: count)
    } else {
      curve.reduceAmplitudes(gains, count: count)
    }
  }

  /// Limits the reductions to the range.
  @_noLocks
  private func limit(_ range: ParameterSignal, from frame: Int, count: Int) {
    if range.isConstant && range.value >= 100 { return }
    let gains = gains.samples
    let octave = Float(1 / GainComputer.decibelsPerOctave)
    for index in 0..<count {
      let decibels = range[frame &+ index]
      let most = decibels < 100 ? octave * decibels : .infinity
      gains[index] = gains[index] < most ? gains[index] : most
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    guard isSettled(block.parameterStorage.load(as: Parameters.self)), key.isAtRest,
      line.isSilent, powers.isSilent
    else { return false }
    gains.samples[0] = 0
    if measuresPower {
      curve.reducePowers(gains.samples, count: 1)
    } else {
      curve.reduceAmplitudes(gains.samples, count: 1)
    }
    return gains.samples[0] == 0
  }

  /// Releases the remaining reduction, which is not audible in silence.
  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    var largest: Float = 0
    for envelope in 0..<envelopeCount {
      let reduction =
        releasesByProgram
        ? releaseByProgram(envelope, block.frameCount)
        : envelopes[envelope].release(count: block.frameCount, speed: speed)
      largest = reduction > largest ? reduction : largest
    }
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private mutating func releaseByProgram(_ envelope: Int, _ frameCount: Int) -> Float {
    if envelopes[envelope].value == 0, releases[envelope].isAtRest { return 0 }
    var largest: Float = 0
    var frame = 0
    while frame < frameCount {
      let count = min(frameCount &- frame, Self.chunk)
      gains.samples.update(repeating: 0, count: count)
      _ = envelopes[envelope].follow(gains.samples, count: count, speed: speed)
      let reduction = releases[envelope].follow(gains.samples, count: count, speed: slowSpeed)
      largest = reduction > largest ? reduction : largest
      frame &+= count
    }
    return largest
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    powers.clear()
    line.clear()
    key.reset()
    for index in 0..<envelopeCount {
      envelopes[index].clear()
      releases[index].clear()
    }
  }
}
