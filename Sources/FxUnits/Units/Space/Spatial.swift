package import FxAudio

/// Places a sound around the listener's head.
///
/// Each ear has its own delay, level and filter. All three are interpolated linearly over 32
/// frames.
package struct Spatial: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "spatial", name: "Spatial",
    summary: "Places a sound around the head: to the side, up, and far away.",
    category: "space",
    parameters: [
      ParameterSpec(
        "azimuth",
        "To the right from the front: 90 is right, 180 behind, -90 left; 360 is once around.",
        .degrees, -3600...3600, default: 0),
      ParameterSpec(
        "elevation",
        "Up; -90 is below. The model of a head hears no height, and front and back alike.",
        .degrees, -90...90, default: 0),
      ParameterSpec(
        "distance", "In metres. At 1 the level is as it was; twice as far is 6 dB less.", .none,
        0.1...1000, default: 1, smoothing: .glide(seconds: 0.05)),
    ],
    options: [
      OptionSpec(
        "method",
        "How the ears differ: `head` by the time, the level and the shadow of a head, for headphones; "
          + "`power` by level alone, for loudspeakers.",
        .choice(["head", "power"]), default: .text("head")),
      OptionSpec(
        "hrtf",
        "A SOFA file with the responses of real ears, in place of `method`; libmysofa comes with one.",
        .sound(.directions), default: .text("")),
      OptionSpec(
        "doppler",
        "Whether sound takes its time from the distance, so that the pitch follows movement.",
        .flag, default: .flag(false)),
      OptionSpec(
        "farthest", "The distance in metres up to which the time follows it.",
        .number(.none, 1...1000), default: .number(100)),
    ],
    inputs: [InputBusSpec("in", width: .upToOutput)],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("left loudspeaker", "30 degrees to the left.", ["azimuth": -30]),
      UnitPreset("right loudspeaker", "30 degrees to the right.", ["azimuth": 30]),
      UnitPreset("whisper", "Close to the right ear.", ["azimuth": 80, "distance": 0.3]),
    ])

  package struct Parameters: BitwiseCopyable {
    let azimuth: ParameterSignal
    let elevation: ParameterSignal
    let distance: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Spatial.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Spatial.self)?.pointee.reset() })

  /// Frames of one linear interpolation.
  private static var pieceCount: Int { @_noLocks get { 32 } }

  private let farthest: Double
  private let sampleRate: Double
  private let followsDistance: Bool
  private let place: EarPlaces
  private var line: DelayLine
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  private let mono: SampleBuffer
  private let heard: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var left: EarFilter
  private var right: EarFilter
  private var position = 0
  private var isFresh = true

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    followsDistance = preparation.flag("doppler") ?? false
    farthest = preparation.number("farthest") ?? 100
    place = EarPlaces(preparation)
    let tapCount = place.tapCount
    left = EarFilter(tapCount: tapCount, sampleRate: preparation.sampleRate)
    right = EarFilter(tapCount: tapCount, sampleRate: preparation.sampleRate)
    line = DelayLine(
      channelCount: 1, maximumDelay: Self.longestDelay(preparation) + SincTable.reach,
      maximumFrameCount: Self.pieceCount)
    copy = SampleBuffer(count: Self.pieceCount + 2 * SincTable.reach)
    mono = SampleBuffer(count: Self.pieceCount)
    heard = SampleBuffer(count: Self.pieceCount)
    delays = .allocate(capacity: Self.pieceCount)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: 0, atMost: 0), count: Self.pieceCount)
  }

  deinit { delays.deallocate() }

  /// In frames.
  private static func longestDelay(_ preparation: Preparation) -> Int {
    let follows = preparation.flag("doppler") ?? false
    let farthest = follows ? preparation.number("farthest") ?? 100 : 0
    let seconds = farthest / SphericalHead.soundSpeed + EarPlaces.longestDelay
    return Int(seconds * preparation.sampleRate) + SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = longestDelay(preparation)
    let tapCount = EarPlaces.tapCount(preparation)
    return UnitTraits(
      latency: EarPlaces.latency(preparation), tail: .frames(longest + tapCount + 64),
      recall: longest,
      memory: EarPlaces.byteCount(preparation) + 2 * EarFilter.byteCount(tapCount: tapCount)
        + DelayLine.byteCount(
          channelCount: 1, maximumDelay: longest + SincTable.reach, maximumFrameCount: pieceCount)
        + SincTable.byteCount() + SampleBuffer.byteCount(count: pieceCount + 2 * SincTable.reach)
        + pieceCount * MemoryLayout<FractionalDelay>.stride
        + 2 * SampleBuffer.byteCount(count: pieceCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      if position == 0 || isFresh { move(parameters, frame) }
      let count = min(Self.pieceCount &- position, block.frameCount &- frame)
      takeInput(block, from: frame, count: count)
      line.write(mono.samples, channel: 0, frameCount: count)
      listen(to: block.outputs[0] + frame, count: count, ear: 0)
      listen(to: block.outputs[1] + frame, count: count, ear: 1)
      line.advance(count)
      position = (position &+ count) & (Self.pieceCount &- 1)
      frame &+= count
    }
  }

  /// Sets the targets of the ears' delays, levels and filters at the end of the piece.
  @_noLocks
  private mutating func move(_ parameters: Parameters, _ frame: Int) {
    let distance = Double(parameters.distance[frame])
    let far = distance < farthest ? distance : farthest
    let way = followsDistance ? far / SphericalHead.soundSpeed * sampleRate : 0
    let source = EarPlaces.Source(
      azimuth: Double(parameters.azimuth[frame]), elevation: Double(parameters.elevation[frame]),
      level: Float(1 / distance), delay: Double(SincTable.reach) + way)
    place.aim(&left, ear: 0, source)
    place.aim(&right, ear: 1, source)
    if isFresh {
      left.settle()
      right.settle()
    }
    isFresh = false
  }

  @_noLocks
  private func takeInput(_ block: RenderBlock, from frame: Int, count: Int) {
    let isMono = block.inputCount < 2
    for index in 0..<count {
      let first = block.inputCount > 0 ? block.inputs[0][frame &+ index].finiteSample : 0
      mono.samples[index] =
        isMono ? first : 0.5 * (first + block.inputs[1][frame &+ index].finiteSample)
    }
  }

  @_noLocks
  private mutating func listen(to output: UnsafeMutablePointer<Float>, count: Int, ear: Int) {
    let longest = line.capacity &- Self.pieceCount &- SincTable.reach
    let isStill = ear == 0 ? left.isStill : right.isStill
    for index in 0..<(isStill ? 1 : count) {
      let share = Double(position &+ index &+ 1) / Double(Self.pieceCount)
      let frames = ear == 0 ? left.delay(at: share) : right.delay(at: share)
      delays[index] = FractionalDelay(frames: frames, atLeast: SincTable.reach, atMost: longest)
    }
    line.readSinc(
      into: heard.samples, channel: 0, delays: delays, isStill: isStill, table: table,
      copy: copy.samples, frameCount: count)
    if ear == 0 {
      left.render(heard.samples, to: output, from: position, of: Self.pieceCount, count: count)
    } else {
      right.render(heard.samples, to: output, from: position, of: Self.pieceCount, count: count)
    }
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    left.forget()
    right.forget()
    position = 0
    isFresh = true
  }
}
