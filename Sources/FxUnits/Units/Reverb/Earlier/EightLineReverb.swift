import FxAudio

/// The first reverb.
///
/// A pre-delay, six diffusers per side, and a network of eight delay lines
/// (`FeedbackDelayNetwork`), in the arrangement of J. Dattorro, "Effect design, part 1:
/// reverberator and other filters", J. Audio Eng. Soc. 45 (1997). The left and the right input feed
/// different lines, and each output sums lines of its own side, so a stereo image is kept. The
/// sides of a surround sound follow its channel numbers (`ReverbChannels`). The output has
/// only the reverberation; the node's `wet` adds the dry signal. With little damping, noise has
/// about the same level at the output as at the input, for any decay.
struct EightLineReverb: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "reverb", name: "Reverb", summary: "Adds the sound of a room.", category: "space",
    revision: 1,
    parameters: [
      ParameterSpec(
        "decay", "Time in which the bass falls by 60 dB; what lies above falls faster.", .seconds,
        0.1...20, default: 1.8,
        smoothing: .glide(seconds: 0.05)),
      ParameterSpec(
        "preDelay", "Time before the room answers.", .seconds, 0...0.25, default: 0.02,
        smoothing: .ramp(seconds: 0.1)),
      .frequency(
        "damping", "The frequency that decays twice as fast as the bass.", 500...20000,
        default: 5000),
      .frequency(
        "lowCut", "Below it little of the signal reaches the room.", 10...1000, default: 60),
      ParameterSpec(
        "width", "From 0, the same on every channel, to 1, as wide as the room.", .ratio, 0...1,
        default: 1),
    ],
    options: [
      OptionSpec(
        "size", "The size of the room: 0.3 is a chamber, 1 a hall.",
        .number(.ratio, 0.2...2), default: .number(1))
    ],
    presets: [
      UnitPreset(
        "room", "A furnished room.", ["decay": 0.5, "preDelay": 0.004, "damping": 3500],
        options: ["size": .number(0.4)]),
      UnitPreset(
        "chamber", "A chamber with hard walls.",
        ["decay": 1.1, "preDelay": 0.01, "damping": 7000], options: ["size": .number(0.5)]),
      UnitPreset(
        "plate", "Dense and bright, without the distance of a hall.",
        ["decay": 1.6, "preDelay": 0, "damping": 9000, "lowCut": 120],
        options: ["size": .number(0.35)]),
      UnitPreset(
        "large hall", "A large hall, heard from far back.",
        ["decay": 3.2, "preDelay": 0.035, "damping": 4000], options: ["size": .number(1.4)]),
    ],
    wet: 0.3)

  package struct Parameters: BitwiseCopyable {
    let decay: ParameterSignal
    let preDelay: ParameterSignal
    let damping: ParameterSignal
    let lowCut: ParameterSignal
    let width: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(EightLineReverb.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(EightLineReverb.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channels: ReverbChannels
  private let maximumPreDelay: Int
  /// Frames that are processed together, no more than the shortest line.
  private let chunk: Int
  /// The two sides of the input.
  private let sides: SampleBuffer
  private let scratch: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private let leftDiffuser: Diffuser
  private let rightDiffuser: Diffuser
  private var preDelay: DelayLine
  private var network: FeedbackDelayNetwork
  private var cut = OnePoleCut()
  private var edges: OnePoleCut.Edges
  private var losses = FeedbackDelayNetwork.Damping()
  private var inputGain: Float = 0
  private var grid = ControlGrid()
  private var decay = ControlValue()
  private var damping = ControlValue()
  private var lowCut = ControlValue()

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channels = ReverbChannels(preparation)
    let size = Self.size(preparation)
    let gains: [Float] = [0.7, 0.7, 0.65, 0.65, 0.6, 0.6]
    leftDiffuser = Diffuser(
      lengths: EightLineLengths.leftDiffusers(size: size, sampleRate: sampleRate), gains: gains)
    rightDiffuser = Diffuser(
      lengths: EightLineLengths.rightDiffusers(size: size, sampleRate: sampleRate), gains: gains)
    network = FeedbackDelayNetwork(
      lengths: EightLineLengths.lines(size: size, sampleRate: sampleRate), sampleRate: sampleRate,
      maximumFrameCount: Self.longestChunk)
    chunk = network.maximumFrameCount
    maximumPreDelay = Self.maximumPreDelay(sampleRate)
    preDelay = DelayLine(
      channelCount: 2, maximumDelay: maximumPreDelay + 2, maximumFrameCount: chunk)
    sides = SampleBuffer(count: 2 * chunk)
    scratch = SampleBuffer(count: 2 * chunk)
    delays = .allocate(capacity: chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: 0, atMost: maximumPreDelay), count: chunk)
    edges = OnePoleCut.Edges(highCut: nil, lowCut: 0, sampleRate: sampleRate)
  }

  private static var longestChunk: Int { 128 }
  private static func maximumPreDelay(_ sampleRate: Double) -> Int { Int(0.25 * sampleRate) + 1 }

  private static func size(_ preparation: Preparation) -> Double {
    min(max(preparation.number("size") ?? 1, 0.05), 10)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let rate = preparation.sampleRate
    let size = size(preparation)
    let values = preparation.parameters
    let decay = values.count > 0 ? values[0] : spec.parameters[0].defaultValue
    let wait = values.count > 1 ? values[1] : spec.parameters[1].defaultValue
    let seconds = min(max(wait + 1.5 * decay, 0), 60)
    let left = EightLineLengths.leftDiffusers(size: size, sampleRate: rate)
    let right = EightLineLengths.rightDiffusers(size: size, sampleRate: rate)
    let lines = EightLineLengths.lines(size: size, sampleRate: rate)
    let chunk = min(longestChunk, lines.min() ?? 1)
    return UnitTraits(
      tail: .frames(Int((seconds * rate).rounded(.up))), recall: maximumPreDelay(rate),
      memory: Diffuser.byteCount(lengths: left) + Diffuser.byteCount(lengths: right)
        + FeedbackDelayNetwork.byteCount(lengths: lines, maximumFrameCount: chunk)
        + DelayLine.byteCount(
          channelCount: 2, maximumDelay: maximumPreDelay(rate) + 2, maximumFrameCount: chunk)
        + 2 * SampleBuffer.byteCount(count: 2 * chunk)
        + chunk * MemoryLayout<FractionalDelay>.stride
        + ReverbChannels.byteCount(channelCount: preparation.channelCount))
  }

  deinit {
    delays.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame) { update(parameters, at: frame) }
      let isSettled =
        decay.isSettled(parameters.decay) && damping.isSettled(parameters.damping)
        && lowCut.isSettled(parameters.lowCut)
      let end = isSettled ? block.frameCount : grid.pieceEnd(block, after: frame)
      let count = min(end &- frame, chunk)
      process(block, parameters, from: frame, count: count)
      frame &+= count
    }
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, at frame: Int) {
    if lowCut.take(parameters.lowCut, frame) {
      edges = OnePoleCut.Edges(highCut: nil, lowCut: lowCut.value, sampleRate: sampleRate)
    }
    let hasDecay = decay.take(parameters.decay, frame)
    let hasDamping = damping.take(parameters.damping, frame)
    guard hasDecay || hasDamping else { return }
    losses = network.damping(decay: Double(decay.value), halving: Double(damping.value))
    // A network whose lines keep a share p of their power accumulates 1 / (1 - p) of its input.
    // Each side feeds four lines and is output from four lines after one more pass. The extra 2.5
    // dB compensate for the damping.
    let passed = losses.meanPower > 0.0001 ? losses.meanPower : 0.0001
    inputGain = 0.67 * Math.squareRoot((1 - passed) / passed)
  }

  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    let left = sides.samples
    let right = sides.samples + chunk
    channels.gather(block, side: 0, gain: inputGain, into: left, from: frame, count: count)
    channels.gather(block, side: 1, gain: inputGain, into: right, from: frame, count: count)
    wait(parameters.preDelay, from: frame, count: count)
    cut.process(left, right, count: count, edges: edges)
    leftDiffuser.process(left, count: count, diffusion: 1, step: 0, place: 0)
    rightDiffuser.process(right, count: count, diffusion: 1, step: 0, place: 0)
    var done = 0
    while done < count {
      let stretch = network.stretch(count &- done)
      network.read(frameCount: stretch, damping: losses)
      spread(block, parameters.width, from: frame &+ done, count: stretch)
      network.write(left: left + done, right: right + done, frameCount: stretch)
      done &+= stretch
    }
  }

  /// Delays both sides.
  @_noLocks
  private mutating func wait(_ time: ParameterSignal, from frame: Int, count: Int) {
    let left = sides.samples
    let right = sides.samples + chunk
    preDelay.write(left, channel: 0, frameCount: count)
    preDelay.write(right, channel: 1, frameCount: count)
    let first = delay(of: time.value)
    if time.isConstant && first.fraction == 0 {
      preDelay.read(into: left, channel: 0, delay: first.frames, frameCount: count)
      preDelay.read(into: right, channel: 1, delay: first.frames, frameCount: count)
    } else {
      for index in 0..<count {
        delays[index] = time.isConstant ? first : delay(of: time[frame &+ index])
      }
      preDelay.readLinear(into: left, channel: 0, delays: delays, frameCount: count)
      preDelay.readLinear(into: right, channel: 1, delays: delays, frameCount: count)
    }
    preDelay.advance(count)
  }

  @_noLocks
  private func delay(of time: Float) -> FractionalDelay {
    FractionalDelay(coarse: Double(time) * sampleRate, atLeast: 0, atMost: maximumPreDelay)
  }

  /// Writes the outputs: each channel sums the four lines of its side, and every pair of channels
  /// has its own polarities.
  @_noLocks
  private func spread(
    _ block: RenderBlock, _ width: ParameterSignal, from frame: Int, count: Int
  ) {
    for index in 0..<channels.rowCount {
      let row = channels.rows[index]
      let output = block.outputs[row.first] + frame
      switch row.kind {
      case .pair:
        let right = block.outputs[row.second] + frame
        hear(row, into: output, right, count: count)
        ReverbWidth.cross(output, right, width, from: frame, count: count)
      case .middle:
        let (left, right) = (scratch.samples, scratch.samples + chunk)
        hear(row, into: left, right, count: count)
        for index in 0..<count { output[index] = 0.707_106_77 * (left[index] + right[index]) }
      case .silent: output.update(repeating: 0, count: count)
      }
    }
  }

  @_noLocks @inline(__always)
  private func hear(
    _ row: ReverbChannels.Row, into left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let pattern = row.number & 3
    network.sum(side: 0, pattern: pattern, into: left, frameCount: count)
    network.sum(side: 1, pattern: pattern, into: right, frameCount: count)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    preDelay.clear()
    network.clear()
    leftDiffuser.clear()
    rightDiffuser.clear()
    cut.clear()
  }
}
