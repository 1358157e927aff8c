import FxAudio

/// Reduces sibilance: frequencies above a given one, while they are louder than a threshold.
///
/// The detector filters the sound with a fourth-order Butterworth high-pass and holds its peaks
/// (see `PeakHold`). In split mode a high shelf lowers the high frequencies by the reduction, so
/// there is no crossover: below the threshold every sample is unchanged, and above it the low
/// frequencies are.
struct DeEsser: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "deEsser", name: "De-esser", summary: "Turns down sibilance while it is loud.",
    category: "dynamics",
    parameters: [
      .frequency(
        "frequency", "Where sibilance begins; a split shelf has half its reduction here.",
        1000...16000, default: 4500),
      ParameterSpec(
        "threshold", "The level of the sibilance above which it is turned down.", .decibels,
        -60...0, default: -30
      ).againstFullScale,
      ParameterSpec(
        "ratio",
        "The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the threshold.",
        .none,
        1...100, default: 5, smoothing: .glide(seconds: 0.02),
        choices: [.init("infinite", 100)], choicesAreExclusive: false),
      ParameterSpec("range", "The largest reduction.", .decibels, 0...48, default: 12),
      ParameterSpec(
        "attack", "Time to cover 63 % of an increase of the reduction.", .seconds, 0.0001...0.1,
        default: 0.001, smoothing: .glide(seconds: 0.02)),
      ParameterSpec(
        "release", "Time to cover 63 % of a decrease of the reduction.", .seconds, 0.005...1,
        default: 0.05, smoothing: .glide(seconds: 0.02)),
      .toggle("listen", "Whether the output is the detector's signal alone."),
    ],
    options: [
      OptionSpec(
        "mode", "Whether the treble alone is turned down, or all of the sound.",
        .choice(["split", "wide"]), default: .text("split"))
    ],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ],
    presets: [
      UnitPreset(
        "voice", "A speaking voice near the microphone.",
        ["frequency": 4500, "threshold": -32, "ratio": 4, "range": 8]),
      UnitPreset(
        "bright voice", "A high voice, whose sibilance lies higher too.",
        ["frequency": 6500, "threshold": -34, "ratio": 4, "range": 10]),
      UnitPreset(
        "cymbals", "Cymbals that hide the rest of a kit.",
        ["frequency": 7000, "threshold": -28, "ratio": 3, "range": 8, "release": 0.12]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let threshold: ParameterSignal
    let ratio: ParameterSignal
    let range: ParameterSignal
    let attack: ParameterSignal
    let release: ParameterSignal
    let listen: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(DeEsser.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(DeEsser.self)?.pointee.reset() },
    isAtRest: { $0.kernel(DeEsser.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(DeEsser.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let sampleRate: Double
  private let channelCount: Int
  private let isWide: Bool
  private let readings: ReadingBoard
  /// The input of the detector.
  private let heard: SampleBuffer
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let gains = SampleBuffer(count: Self.chunk)
  private var cascade: FilterCascade
  private var shelf: LevelFilter
  private var peaks = PeakHold()
  private var envelope = EnvelopeFollower()

  private var grid = ControlGrid()
  private var frequency = ControlValue()
  /// The frequency of the shelf, which is updated at every frame while it changes.
  private var shelfFrequency = ControlValue()
  private var threshold = ControlValue()
  private var ratio = ControlValue()
  private var range = ControlValue()
  private var attack = ControlValue()
  private var release = ControlValue()
  private var curve = GainComputer(threshold: 0, ratio: 1, knee: 0)
  private var mostReduction: Float = 0
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)
  private var tuning = LevelFilter.Tuning(frequency: 1, quality: 1, sampleRate: 4)
  private let holdSpeed: PeakHold.Speed

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { @_noLocks get { 128 } }
  private static var order: Int { @_noLocks get { 4 } }
  /// The shelf's Q: steep, with less than 0.5 dB of overshoot.
  private static var quality: Double { @_noLocks get { 0.85 } }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    isWide = preparation.text("mode") == "wide"
    readings = preparation.readings
    heard = SampleBuffer(count: channelCount * Self.chunk)
    rows = .allocate(capacity: max(1, channelCount))
    sources = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      let row = heard.samples + channel * Self.chunk
      (rows + channel).initialize(to: row)
      (sources + channel).initialize(to: UnsafePointer(row))
    }
    cascade = FilterCascade(
      sectionCount: Butterworth.sectionCount(order: Self.order), channelCount: channelCount,
      sampleRate: sampleRate)
    shelf = LevelFilter(
      .highShelf, channelCount: channelCount, maximumFrameCount: Self.chunk)
    holdSpeed = PeakHold.Speed(hold: 0.003, fall: 0.003, sampleRate: sampleRate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (channels, sampleRate) = (preparation.channelCount, preparation.sampleRate)
    var frames = FilterSection(
      .highShelf, frequency: preparation.initial(0), quality: quality, amplitude: 0.5,
      sampleRate: sampleRate
    ).ringingFrames
    for section in 0..<Butterworth.sectionCount(order: order) {
      frames +=
        FilterSection(
          .highPass, frequency: preparation.initial(0),
          quality: Butterworth.q(section: section, order: order), sampleRate: sampleRate
        ).ringingFrames
    }
    return UnitTraits(
      tail: .ringing(frames: frames, sampleRate: sampleRate),
      memory: SampleBuffer.byteCount(count: channels * chunk)
        + SampleBuffer.byteCount(count: chunk)
        + 2 * max(1, channels) * MemoryLayout<UnsafePointer<Float>>.stride
        + FilterCascade.byteCount(
          sectionCount: Butterworth.sectionCount(order: order), channelCount: channels,
          sampleRate: sampleRate)
        + LevelFilter.byteCount(channelCount: channels, maximumFrameCount: chunk))
  }

  deinit {
    rows.deallocate()
    sources.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = Self.isModulated(parameters)
    var largest: Float = 0
    var frame = 0
    while frame < block.frameCount {
      let isPoint = grid.isDue(block.frame &+ frame)
      if isPoint || isModulated { update(parameters, at: frame) }
      if isPoint || parameters.frequency.isModulated { tune(parameters.frequency, at: frame) }
      if shelfFrequency.take(parameters.frequency, frame) {
        tuning = LevelFilter.Tuning(
          frequency: Double(shelfFrequency.value), quality: Self.quality, sampleRate: sampleRate)
      }
      let isStill = shelfFrequency.isSettled(parameters.frequency)
      let end =
        isStill && isSettled(parameters)
        ? block.frameCount
        : grid.pieceEnd(block, after: frame, isModulated: isModulated || !isStill)
      let count = min(end &- frame, Self.chunk)
      let reduction = process(block, from: frame, count: count, listen: parameters.listen)
      largest = reduction > largest ? reduction : largest
      frame &+= count
    }
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  private static func isModulated(_ parameters: Parameters) -> Bool {
    parameters.frequency.isModulated || parameters.threshold.isModulated
      || parameters.ratio.isModulated || parameters.range.isModulated
      || parameters.attack.isModulated || parameters.release.isModulated
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, at frame: Int) {
    let hasThreshold = threshold.take(parameters.threshold, frame)
    let hasRatio = ratio.take(parameters.ratio, frame)
    if hasThreshold || hasRatio {
      curve = GainComputer(threshold: threshold.value, ratio: ratio.value, knee: 0)
    }
    if range.take(parameters.range, frame) {
      mostReduction = Float(Double(range.value) / GainComputer.decibelsPerOctave)
    }
    let hasAttack = attack.take(parameters.attack, frame)
    let hasRelease = release.take(parameters.release, frame)
    if hasAttack || hasRelease {
      speed = EnvelopeFollower.Speed(
        attack: Double(attack.value), release: Double(release.value), sampleRate: sampleRate)
    }
  }

  /// Tunes the detector.
  @_noLocks
  private mutating func tune(_ signal: ParameterSignal, at frame: Int) {
    if frequency.take(signal, frame) {
      for index in 0..<cascade.sectionCount {
        let section = FilterSection(
          .highPass, frequency: Double(frequency.value),
          quality: Butterworth.q(section: index, order: Self.order), sampleRate: sampleRate)
        if signal.isModulated {
          cascade.follow(index, section)
        } else {
          cascade.set(index, section)
        }
      }
    }
    if !signal.isModulated { cascade.startPiece() }
  }

  @_noLocks
  private func isSettled(_ parameters: Parameters) -> Bool {
    !cascade.isMoving && frequency.isSettled(parameters.frequency)
      && threshold.isSettled(parameters.threshold) && ratio.isSettled(parameters.ratio)
      && range.isSettled(parameters.range) && attack.isSettled(parameters.attack)
      && release.isSettled(parameters.release)
  }

  /// De-esses a chunk and returns its largest reduction in octaves.
  @_noLocks
  private mutating func process(
    _ block: RenderBlock, from frame: Int, count: Int, listen: ParameterSignal
  ) -> Float {
    let gains = gains.samples
    hear(block, from: frame, count: count)
    peaks.follow(gains, count: count, speed: holdSpeed)
    curve.reduceAmplitudes(gains, count: count)
    for index in 0..<count {
      gains[index] = gains[index] < mostReduction ? gains[index] : mostReduction
    }
    let largest = envelope.follow(gains, count: count, speed: speed)
    if isWide {
      for index in 0..<count { gains[index] = Math.exp2(-gains[index]) }
      for channel in 0..<channelCount {
        let (input, output) = (block.inputs[channel] + frame, block.outputs[channel] + frame)
        for index in 0..<count { output[index] = input[index] * gains[index] }
      }
    } else {
      for index in 0..<count { gains[index] = -gains[index] }
      shelf.design(gains, count: count, tuning: tuning)
      shelf.process(block, at: frame, count: count)
    }
    if listen.isConstant && listen.value == 0 { return largest }
    for channel in 0..<channelCount {
      let (row, output) = (rows[channel], block.outputs[channel] + frame)
      for index in 0..<count {
        output[index] += listen[frame &+ index] * (row[index] - output[index])
      }
    }
    return largest
  }

  /// Filters the detector's input and measures its level.
  @_noLocks
  private mutating func hear(_ block: RenderBlock, from frame: Int, count: Int) {
    let gains = gains.samples
    for channel in 0..<channelCount { sources[channel] = block.inputs[channel] + frame }
    let piece = RenderBlock(
      inputs: UnsafePointer(sources), inputCount: channelCount, outputs: UnsafePointer(rows),
      outputCount: channelCount, frameCount: count, frame: block.frame &+ frame,
      parameters: block.parameters)
    cascade.render(piece, from: 0, to: count)
    if channelCount == 0 { gains.update(repeating: 0, count: count) }
    for channel in 0..<channelCount {
      LevelDetector.peaks(rows[channel], into: gains, count: count, keepsLarger: channel > 0)
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    guard isSettled(parameters), shelfFrequency.isSettled(parameters.frequency),
      cascade.isAtRest, shelf.isAtRest, peaks.isAtRest
    else { return false }
    gains.samples[0] = 0
    curve.reduceAmplitudes(gains.samples, count: 1)
    // The sign of zeros from the shelf depends on its level, and no longer changes once the shelf
    // is flat.
    return gains.samples[0] == 0 && (isWide || envelope.value < 1e-12)
  }

  /// Releases the remaining reduction, which is not audible in silence.
  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    let largest = envelope.release(count: block.frameCount, speed: speed)
    readings[0] = largest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    cascade.reset()
    shelf.clear()
    peaks.clear()
    envelope.clear()
    frequency.reset()
    shelfFrequency.reset()
  }
}
