import FxAudio

/// The uneven speed of a tape or a record.
///
/// Its wow is a sine at a fixed rate, its flutter is random and faster. Both are calculated as
/// delays; the speed is their slope. Allocated on the control thread, used on the render thread.
struct Transport: ~Copyable {
  /// The largest speed deviations, as a share of the speed.
  static let mostWow = 0.02
  static let mostFlutter = 0.01

  static let wow = ParameterSpec(
    "wow", "How far the speed wavers slowly, to either side.", .ratio, 0...mostWow, default: 0.001,
    smoothing: .glide(seconds: 0.2))
  static let flutter = ParameterSpec(
    "flutter", "How far it wavers fast, at most.", .ratio, 0...mostFlutter, default: 0.001,
    smoothing: .glide(seconds: 0.2))

  /// The maximum number of frames in a call.
  static var chunk: Int { @_noLocks get { 64 } }
  /// The rates of the two random movements that make the flutter, in hertz.
  private static var flutterRates: (Double, Double) { @_noLocks get { (7, 13) } }
  /// The slope in the middle of a smooth step from -1 to 1.
  private static var steepest: Double { @_noLocks get { 3.75 } }

  /// The latency in frames at an even speed.
  let latency: Int
  private let sampleRate: Double
  private let channelCount: Int
  /// The rate of the wow, in hertz.
  private let rate: Double
  private let noise: ValueNoise
  private let table = SincTable(isPassive: false)
  /// The sines of the wow, then the delays.
  private let sways = NumberBuffer(count: Self.chunk)
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine

  init(_ preparation: Preparation, rate: Double) {
    self.rate = rate
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    noise = ValueNoise(preparation)
    latency = Self.latency(preparation, rate: rate)
    delays = .allocate(capacity: Self.chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: SincTable.reach, atMost: 2 * latency),
      count: Self.chunk)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: 2 * latency + SincTable.reach,
      maximumFrameCount: Self.chunk)
  }

  deinit { delays.deallocate() }

  static func latency(_ preparation: Preparation, rate: Double) -> Int {
    let slow = mostWow / (2 * Double.pi * rate)
    let fast = mostFlutter / steepest / flutterRates.0
    return Int((slow + fast) * preparation.sampleRate) + SincTable.reach + 1
  }

  static func byteCount(_ preparation: Preparation, rate: Double) -> Int {
    let longest = 2 * latency(preparation, rate: rate) + SincTable.reach
    return SincTable.byteCount()
      + chunk * MemoryLayout<FractionalDelay>.stride + NumberBuffer.byteCount(count: chunk)
      + DelayLine.byteCount(
        channelCount: preparation.channelCount, maximumDelay: longest, maximumFrameCount: chunk)
  }

  // MARK: - Realtime

  /// Calculates the delays of frames of a block, before `move`.
  @_noLocks
  func place(
    _ block: RenderBlock, from start: Int, count: Int, wow: ParameterSignal,
    flutter: ParameterSignal
  ) {
    findSways(from: block.frame &+ start, count: count)
    let turn = 2 * Double.pi * rate
    let (first, second) = Self.flutterRates
    var (slower, faster) = (RandomWay(), RandomWay())
    let frames = sways.numbers
    for index in 0..<count {
      let slow = Double(wow[start &+ index])
      let fast = Double(flutter[start &+ index])
      var late = 0.0
      if slow > 0 { late -= slow * (sways.numbers[index] / turn) }
      if fast > 0 {
        let seconds = Double(block.frame &+ start &+ index) / sampleRate
        let shake =
          0.5 * slower.value(seconds * first, noise) / (Self.steepest * first)
          + 0.5 * faster.value(seconds * second, from: 1 &<< 60, noise) / (Self.steepest * second)
        late -= fast * shake
      }
      frames[index] = Double(latency) + late * sampleRate
    }
    FractionalDelay.set(
      delays, to: frames, count: count, atLeast: SincTable.reach, atMost: 2 &* latency)
  }

  /// Calculates the sines of the wow in `sways`.
  @_noLocks
  private func findSways(from frame: Int, count: Int) {
    for index in 0..<count {
      let seconds = Double(frame &+ index) / sampleRate
      sways.numbers[index] = 2 * Double.pi * RandomWay.split(seconds * rate).share
    }
    sways.takeSines(count: count)
  }

  /// Applies the delays to frames of one channel, in place.
  @_noLocks
  func move(_ samples: UnsafeMutablePointer<Float>, channel: Int, count: Int) {
    line.write(samples, channel: channel, frameCount: count)
    line.readSinc(
      into: samples, channel: channel, delays: delays, table: table, frameCount: count)
  }

  /// Must be called after `move` for all channels.
  @_noLocks
  mutating func advance(_ count: Int) { line.advance(count) }

  @_noLocks
  mutating func reset() { line.clear() }
}

/// A smooth curve through random numbers. It caches the two current numbers for successive frames.
private struct RandomWay: BitwiseCopyable {
  private var index = Int.min
  private var start = 0.0
  private var target = 0.0

  // MARK: - Realtime

  @_noLocks
  init() {}

  /// The value at a position between two random numbers; numbers count from `offset`.
  @_noLocks
  mutating func value(_ place: Double, from offset: Int = 0, _ noise: ValueNoise) -> Double {
    let (whole, share) = Self.split(place)
    if whole &+ offset != index {
      index = whole &+ offset
      start = noise.value(index &- 1)
      target = noise.value(index)
    }
    return share < 1 ? start + (target - start) * SmoothStep.share(share) : target
  }

  @_noLocks
  static func split(_ place: Double) -> (whole: Int, share: Double) {
    var whole = Int(place)
    if Double(whole) > place { whole -= 1 }
    return (whole, place - Double(whole))
  }
}
