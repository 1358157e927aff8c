package import FxAudio

/// Adds the sound of a room.
///
/// A pre-delay, six diffusers per side, and a network of sixteen delay lines (`ReverbNetwork`),
/// four of them modulated slowly, so that no single tone rings. The output of the diffusers is the
/// early part and is output at once; the network follows one wall distance later. The left and the
/// right input feed different lines, and each output sums lines of its own side, so a stereo image
/// is kept. The sides of a surround sound follow the names of its channels (`ReverbChannels`). The
/// output has only the reverberation; the node's `wet` adds the dry signal. Pink noise has about
/// the same level at the output of the network as at its input, for any decay and damping.
package struct Reverb: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "reverb", name: "Reverb", summary: "Adds the sound of a room.", category: "space",
    revision: 4,
    parameters: [
      ParameterSpec(
        "decay", "Time in which the middle falls by 60 dB.", .seconds, 0.1...20, default: 1.8,
        smoothing: .glide(seconds: 0.05)),
      ParameterSpec(
        "preDelay", "Time before the room answers.", .seconds, 0...0.25, default: 0.02,
        smoothing: .ramp(seconds: 0.1)),
      .frequency(
        "damping", "The frequency that decays in `highDecay` of the time; off from 20 kHz on.",
        500...20000, default: 5000),
      .frequency(
        "lowCut", "Below it little of the signal reaches the room.", 10...1000, default: 60),
      ParameterSpec(
        "width", "From 0, the same on every channel, to 1, as wide as the room.", .ratio, 0...1,
        default: 1),
      ParameterSpec(
        "highDecay", "The decay of the damping frequency, as a share of `decay`.", .ratio, 0.1...1,
        default: 0.5),
      ParameterSpec(
        "lowDecay", "The decay of the bass, as a multiple of `decay`.", .ratio, 0.25...2.5,
        default: 1),
      .frequency("crossover", "Below it is the bass.", 50...1000, default: 250),
      .gain("early", "The level of the early reflections.", -(.infinity)...12, default: 0),
      ParameterSpec(
        "diffusion", "How dense the early reflections are: 0 leaves single echoes.", .ratio, 0...1,
        default: 1),
      ParameterSpec(
        "modulation", "The modulation of the reflections: 0 is static and rings more.", .ratio,
        0...1,
        default: 1),
    ],
    options: [
      OptionSpec(
        "size", "The size of the room: 0.3 is a chamber, 1 a hall.",
        .number(.ratio, 0.2...2), default: .number(1))
    ],
    presets: ReverbPresets.all, wet: 0.3)

  /// The same, but with changed parameters the sound that rings gets louder too.
  static var third: UnitSpec {
    var third = spec
    third.revision = 3
    return third
  }

  package struct Parameters: BitwiseCopyable {
    let decay: ParameterSignal
    let preDelay: ParameterSignal
    let damping: ParameterSignal
    let lowCut: ParameterSignal
    let width: ParameterSignal
    let highDecay: ParameterSignal
    let lowDecay: ParameterSignal
    let crossover: ParameterSignal
    let early: ParameterSignal
    let diffusion: ParameterSignal
    let modulation: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Reverb.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Reverb.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Reverb.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Reverb.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let sampleRate: Double
  private let channels: ReverbChannels
  private let output: ReverbOutput
  private var preDelay: ReverbPreDelay
  /// The two sides of the input, and the input of the network.
  private let sides: SampleBuffer
  private let sent: SampleBuffer
  private let leftDiffuser: Diffuser
  private let rightDiffuser: Diffuser
  private var network: ReverbNetwork
  private var losses: ReverbLosses
  private var cut = OnePoleCut()
  private var edges: OnePoleCut.Edges
  private var hasStarted = false
  private var entrance: ReverbEntrance
  private var inputGain = StretchRamp()
  private var diffusion = StretchRamp()
  private var decay = ControlValue()
  private var damping = ControlValue()
  private var lowCut = ControlValue()
  private var highDecay = ControlValue()
  private var lowDecay = ControlValue()
  private var crossover = ControlValue()

  package init(_ preparation: Preparation) {
    let rate = preparation.sampleRate
    sampleRate = rate
    channels = ReverbChannels(preparation)
    output = ReverbOutput()
    preDelay = ReverbPreDelay(sampleRate: rate, maximumFrameCount: Self.chunk)
    let gains: [Float] = [0.7, 0.7, 0.65, 0.65, 0.6, 0.6]
    leftDiffuser = Diffuser(lengths: RoomLengths.leftDiffusers(sampleRate: rate), gains: gains)
    rightDiffuser = Diffuser(lengths: RoomLengths.rightDiffusers(sampleRate: rate), gains: gains)
    let lines = RoomLengths.lines(size: Self.size(preparation), sampleRate: rate)
    let changesRinging = Self.changesRinging(preparation)
    network = ReverbNetwork(lengths: lines, sampleRate: rate, changesRinging: changesRinging)
    entrance = ReverbEntrance(longestLine: changesRinging ? nil : lines.max())
    losses = ReverbLosses(sampleRate: rate)
    sides = SampleBuffer(count: 2 * Self.chunk)
    sent = SampleBuffer(count: 2 * Self.chunk)
    edges = OnePoleCut.Edges(highCut: nil, lowCut: 0, sampleRate: rate)
  }

  /// The maximum number of frames that are processed together before the network.
  private static var chunk: Int { @_noLocks get { 4 &* ReverbNetwork.stretch } }

  private static func changesRinging(_ preparation: Preparation) -> Bool {
    preparation.revision < 4
  }

  private static func size(_ preparation: Preparation) -> Double {
    min(max(preparation.number("size") ?? 1, 0.05), 10)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let rate = preparation.sampleRate
    let values = preparation.parameters
    func value(_ index: Int) -> Double {
      values.count > index ? values[index] : spec.parameters[index].defaultValue
    }
    let lines = RoomLengths.lines(size: size(preparation), sampleRate: rate)
    let falling = value(1) + 1.5 * value(0) * max(value(6), 1)
    // Before it decays, the sound is in the diffusers, which ring for 0.3 s, and in the lines.
    let seconds =
      changesRinging(preparation)
      ? min(max(falling, 0), 60) : max(falling, 0) + 0.3 + Double(lines.max() ?? 0) / rate
    return UnitTraits(
      tail: .frames(Int((seconds * rate).rounded(.up))),
      recall: ReverbPreDelay.maximum(sampleRate: rate),
      memory: Diffuser.byteCount(lengths: RoomLengths.leftDiffusers(sampleRate: rate))
        + Diffuser.byteCount(lengths: RoomLengths.rightDiffusers(sampleRate: rate))
        + ReverbNetwork.byteCount(
          lengths: lines, sampleRate: rate, changesRinging: changesRinging(preparation))
        + ReverbLosses.byteCount()
        + ReverbPreDelay.byteCount(sampleRate: rate, maximumFrameCount: chunk)
        + ReverbOutput.byteCount()
        + 2 * SampleBuffer.byteCount(count: 2 * chunk)
        + ReverbChannels.byteCount(channelCount: preparation.channelCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let stretch = ReverbNetwork.stretch
    var frame = 0
    while frame < block.frameCount {
      beginIfDue(block, parameters, frame)
      // While no parameter changes, the part before the network does not depend on stretches.
      let rest = block.frameCount &- frame
      let count =
        isStill(parameters)
        ? min(rest, Self.chunk) : min(rest, stretch &- place(block, frame))
      takeIn(block, parameters, from: frame, count: count)
      var done = 0
      while done < count {
        if done > 0 { beginIfDue(block, parameters, frame &+ done) }
        let piece = min(count &- done, stretch &- place(block, frame &+ done))
        spread(block, parameters, from: frame &+ done, offset: done, count: piece)
        done &+= piece
      }
      frame &+= count
    }
  }

  /// The position of a frame in its stretch.
  @_noLocks
  private func place(_ block: RenderBlock, _ frame: Int) -> Int {
    // For a negative frame too, the low bits are the remainder of floored division.
    (block.frame &+ frame) & (ReverbNetwork.stretch &- 1)
  }

  @_noLocks
  private mutating func beginIfDue(
    _ block: RenderBlock, _ parameters: Parameters, _ frame: Int
  ) {
    let place = place(block, frame)
    if place == 0 || !hasStarted {
      begin(parameters, frame, at: block.frame &+ frame &- place)
    }
  }

  /// True while the part before the network is the same in every stretch of the block.
  @_noLocks
  private func isStill(_ parameters: Parameters) -> Bool {
    lowCut.isSettled(parameters.lowCut) && decay.isSettled(parameters.decay)
      && damping.isSettled(parameters.damping) && highDecay.isSettled(parameters.highDecay)
      && lowDecay.isSettled(parameters.lowDecay) && crossover.isSettled(parameters.crossover)
      && parameters.diffusion.isConstant && parameters.diffusion.value == diffusion.value
      && diffusion.isStill && inputGain.isStill && entrance.isStill(losses)
  }

  /// Starts a stretch: parameter changes up to its first frame take full effect at its end.
  @_noLocks
  private mutating func begin(_ parameters: Parameters, _ frame: Int, at start: Int) {
    if lowCut.take(parameters.lowCut, frame) {
      edges = OnePoleCut.Edges(highCut: nil, lowCut: lowCut.value, sampleRate: sampleRate)
    }
    let hasDecay = decay.take(parameters.decay, frame)
    let hasDamping = damping.take(parameters.damping, frame)
    let hasHigh = highDecay.take(parameters.highDecay, frame)
    let hasLow = lowDecay.take(parameters.lowDecay, frame)
    let hasCrossover = crossover.take(parameters.crossover, frame)
    let haveChanged = hasDecay || hasDamping || hasHigh || hasLow || hasCrossover
    if haveChanged {
      let times = ReverbLosses.Times(
        decay: decay.value, high: highDecay.value, damping: damping.value, low: lowDecay.value,
        crossover: crossover.value)
      losses.update(times, for: network)
    }
    network.begin(
      at: start, losses: losses, haveChanged: haveChanged,
      modulation: parameters.modulation[frame])
    inputGain.begin(entrance.gain(losses, isFirst: !hasStarted), isFirst: !hasStarted)
    diffusion.begin(parameters.diffusion[frame], isFirst: !hasStarted)
    hasStarted = true
  }

  /// Processes the input up to the network: within one stretch, or while nothing changes.
  @_noLocks
  private mutating func takeIn(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    let place = place(block, frame)
    let (left, right) = (sides.samples, sides.samples + Self.chunk)
    channels.gather(block, side: 0, gain: 1, into: left, from: frame, count: count)
    channels.gather(block, side: 1, gain: 1, into: right, from: frame, count: count)
    preDelay.process(left, right, time: parameters.preDelay, from: frame, count: count)
    cut.process(left, right, count: count, edges: edges)
    leftDiffuser.process(
      left, count: count, diffusion: diffusion.value, step: diffusion.step, place: place)
    rightDiffuser.process(
      right, count: count, diffusion: diffusion.value, step: diffusion.step, place: place)
    let (sentLeft, sentRight) = (sent.samples, sent.samples + Self.chunk)
    if inputGain.isStill {
      let gain = inputGain.value
      for index in 0..<count {
        sentLeft[index] = gain * left[index]
        sentRight[index] = gain * right[index]
      }
      return
    }
    for index in 0..<count {
      let gain = inputGain.value + Float(place &+ index) * inputGain.step
      sentLeft[index] = gain * left[index]
      sentRight[index] = gain * right[index]
    }
  }

  /// Renders the network within one stretch; its input is at `offset`.
  @_noLocks
  private mutating func spread(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, offset: Int, count: Int
  ) {
    network.read(place: place(block, frame), frameCount: count)
    output.write(
      block, channels, network,
      early: (sides.samples + offset, sides.samples + (Self.chunk &+ offset)),
      level: parameters.early, width: parameters.width, from: frame, count: count)
    network.write(
      left: sent.samples + offset, right: sent.samples + (Self.chunk &+ offset), frameCount: count)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    return hasStarted && isStill(parameters) && cut.isAtRest && preDelay.isSilent
      && leftDiffuser.isAtRest && rightDiffuser.isAtRest
      && network.isAtRest(modulation: parameters.modulation.value)
  }

  /// Begins the stretch in which the block ends.
  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    let last = block.frameCount &- 1
    let frame = last &- place(block, last)
    guard frame >= 0 else { return }
    begin(block.parameterStorage.load(as: Parameters.self), frame, at: block.frame &+ frame)
  }

  @_noLocks
  package mutating func reset() {
    hasStarted = false
    decay.reset()
    damping.reset()
    lowCut.reset()
    highDecay.reset()
    lowDecay.reset()
    crossover.reset()
    preDelay.clear()
    network.clear()
    leftDiffuser.clear()
    rightDiffuser.clear()
    cut.clear()
  }
}
