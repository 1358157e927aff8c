import FxAudio

/// Renders surround sound for headphones: each channel comes from the direction of its loudspeaker.
struct Binaural: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "binaural", name: "Binaural",
    summary: "Lets headphones sound like the loudspeakers of stereo, 5.1 or 7.1.",
    category: "space",
    parameters: [
      .gain("gain", "The output level.", -48...24),
      .gain(
        "lfe", "The level of the low-frequency channel, which both ears hear alike.",
        -(.infinity)...12),
    ],
    options: [
      OptionSpec(
        "hrtf",
        "A SOFA file with the responses of real ears, in place of the model of a head; libmysofa comes with one.",
        .sound(.directions), default: .text(""))
    ],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)], rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
    let lfe: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Binaural.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Binaural.self)?.pointee.reset() })

  private static var pieceCount: Int { @_noLocks get { 32 } }

  private let channelCount: Int
  private let latency: Int
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  private let mono: SampleBuffer
  private let heard: SampleBuffer
  private let filtered: SampleBuffer
  private var line: DelayLine
  /// For each channel, the left ear first; unused for the low-frequency channel.
  private let ears: UnsafeMutablePointer<EarFilter>
  private let isLowFrequency: UnsafeMutablePointer<Bool>

  package init(_ preparation: Preparation) {
    let channels = Self.channels(preparation)
    channelCount = preparation.channelCount
    latency = EarPlaces.latency(preparation)
    copy = SampleBuffer(count: Self.pieceCount + 2 * SincTable.reach)
    mono = SampleBuffer(count: Self.pieceCount)
    heard = SampleBuffer(count: Self.pieceCount)
    filtered = SampleBuffer(count: Self.pieceCount)
    line = DelayLine(
      channelCount: max(channelCount, 1), maximumDelay: Self.longestDelay(preparation),
      maximumFrameCount: Self.pieceCount)
    ears = .allocate(capacity: max(2 * channelCount, 1))
    isLowFrequency = .allocate(capacity: max(channelCount, 1))
    let places = EarPlaces(preparation)
    for channel in 0..<channelCount {
      let place = SpeakerPlace(channels[channel], in: channels)
      (isLowFrequency + channel).initialize(to: channels[channel] == .lowFrequency)
      for ear in 0..<2 {
        var filter = EarFilter(tapCount: places.tapCount, sampleRate: preparation.sampleRate)
        places.aim(
          &filter, ear: ear,
          EarPlaces.Source(
            azimuth: place.azimuth, elevation: place.elevation, level: 1,
            delay: Double(SincTable.reach)))
        filter.settle()
        (ears + 2 * channel + ear).initialize(to: filter)
      }
    }
  }

  deinit {
    ears.deinitialize(count: 2 * channelCount)
    ears.deallocate()
    isLowFrequency.deallocate()
  }

  /// The channels by name; channels without names get the usual layout, or are all in the middle.
  private static func channels(_ preparation: Preparation) -> [ChannelName] {
    let count = preparation.channelCount
    let layout = preparation.layout.isNamed ? preparation.layout : .usual(count)
    let names = layout.channels
    return (0..<count).map { $0 < names.count ? names[$0] : .frontCentre }
  }

  private static func longestDelay(_ preparation: Preparation) -> Int {
    Int(EarPlaces.longestDelay * preparation.sampleRate) + 2 * SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = longestDelay(preparation)
    let tapCount = EarPlaces.tapCount(preparation)
    let channels = max(preparation.channelCount, 1)
    let filter = MemoryLayout<EarFilter>.stride + EarFilter.byteCount(tapCount: tapCount)
    return UnitTraits(
      latency: EarPlaces.latency(preparation), tail: .frames(longest + tapCount + 64),
      memory: 2 * channels * filter + channels * MemoryLayout<Bool>.stride
        + DelayLine.byteCount(
          channelCount: channels, maximumDelay: longest, maximumFrameCount: pieceCount)
        + SincTable.byteCount() + SampleBuffer.byteCount(count: pieceCount + 2 * SincTable.reach)
        + 3 * SampleBuffer.byteCount(count: pieceCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(Self.pieceCount, block.frameCount &- frame)
      for ear in 0..<2 {
        let output = block.outputs[ear] + frame
        for index in 0..<count { output[index] = 0 }
      }
      for channel in 0..<channelCount {
        let input = block.inputs[channel] + frame
        for index in 0..<count { mono.samples[index] = input[index].finiteSample }
        line.write(mono.samples, channel: channel, frameCount: count)
        for ear in 0..<2 { add(channel, ear, block, parameters, from: frame, count: count) }
      }
      for ear in 0..<2 {
        let output = block.outputs[ear] + frame
        for index in 0..<count { output[index] *= parameters.gain[frame &+ index] }
      }
      line.advance(count)
      frame &+= count
    }
  }

  /// Adds a channel's signal at an ear.
  @_noLocks
  private func add(
    _ channel: Int, _ ear: Int, _ block: RenderBlock, _ parameters: Parameters, from frame: Int,
    count: Int
  ) {
    let output = block.outputs[ear] + frame
    if isLowFrequency[channel] {
      line.read(
        into: heard.samples, channel: channel, delay: latency, frameCount: count)
      for index in 0..<count {
        output[index] += parameters.lfe[frame &+ index] * heard.samples[index]
      }
      return
    }
    let filter = ears + (2 &* channel &+ ear)
    let longest = line.capacity &- Self.pieceCount &- SincTable.reach
    let delay = FractionalDelay(
      frames: filter.pointee.delay(at: 1), atLeast: SincTable.reach, atMost: longest)
    line.readSinc(
      into: heard.samples, channel: channel, delay: delay, table: table, copy: copy.samples,
      frameCount: count)
    filter.pointee.render(
      heard.samples, to: filtered.samples, from: 0, of: Self.pieceCount, count: count)
    for index in 0..<count { output[index] += filtered.samples[index] }
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    for index in 0..<2 &* channelCount { ears[index].forget() }
  }
}

/// The position of a channel's loudspeaker, in degrees: ITU-R BS.775-3 and BS.2051-3.
private struct SpeakerPlace {
  let azimuth: Double
  let elevation: Double

  /// Back channels are further to the front in a layout without side channels.
  init(_ channel: ChannelName, in layout: [ChannelName]) {
    let back = layout.contains(.sideLeft) ? 135.0 : 110
    (azimuth, elevation) =
      switch channel {
      case .frontLeft: (-30, 0)
      case .frontRight: (30, 0)
      case .frontCentre, .lowFrequency: (0, 0)
      case .backLeft: (-back, 0)
      case .backRight: (back, 0)
      case .frontLeftOfCentre: (-15, 0)
      case .frontRightOfCentre: (15, 0)
      case .backCentre: (180, 0)
      case .sideLeft: (-90, 0)
      case .sideRight: (90, 0)
      case .topCentre: (0, 90)
      case .topFrontLeft: (-45, 45)
      case .topFrontCentre: (0, 45)
      case .topFrontRight: (45, 45)
      case .topBackLeft: (-135, 45)
      case .topBackCentre: (180, 45)
      case .topBackRight: (135, 45)
      }
  }
}
