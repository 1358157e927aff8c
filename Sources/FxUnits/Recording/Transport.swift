import FxAudio
import FxDSP

/// What moves a tape or a record past its reader: never quite evenly.
///
/// Its wow is a sine of a known rate, its flutter random and faster. Both are kept as times, of which
/// the speed is the slope. Allocated on the control thread, used on the render thread.
struct Transport: ~Copyable {
  /// The most that the speed wavers, as a share of itself.
  static let mostWow = 0.02
  static let mostFlutter = 0.01

  static let wow = ParameterSpec(
    "wow", "How far the speed wavers slowly, to either side.", .ratio, 0...mostWow, default: 0.001,
    smoothing: .glide(seconds: 0.2))
  static let flutter = ParameterSpec(
    "flutter", "How far it wavers fast, at most.", .ratio, 0...mostFlutter, default: 0.001,
    smoothing: .glide(seconds: 0.2))

  /// Frames of one call at most.
  static var chunk: Int { @_noLocks get { 64 } }
  /// Of the two random movements that make the flutter.
  private static var flutterRates: (Double, Double) { @_noLocks get { (7, 13) } }
  /// The slope in the middle of a smooth step from -1 to 1.
  private static var steepest: Double { @_noLocks get { 3.75 } }

  /// Frames by which the sound is late where the speed is even.
  let latency: Int
  private let sampleRate: Double
  private let channelCount: Int
  /// Of the wow, in hertz.
  private let rate: Double
  private let noise: ValueNoise
  private let table = SincTable(isPassive: false)
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
      + chunk * MemoryLayout<FractionalDelay>.stride
      + DelayLine.byteCount(
        channelCount: preparation.channelCount, maximumDelay: longest, maximumFrameCount: chunk)
  }

  // MARK: - Realtime

  /// Sets the times of frames from one of a block on, before they are moved.
  @_noLocks
  func place(
    _ block: RenderBlock, from start: Int, count: Int, wow: ParameterSignal,
    flutter: ParameterSignal
  ) {
    for index in 0..<count {
      let seconds = Double(block.frame &+ start &+ index) / sampleRate
      let slow = Double(wow[start &+ index])
      let fast = Double(flutter[start &+ index])
      var late = 0.0
      if slow > 0 { late -= slow * sway(seconds) }
      if fast > 0 { late -= fast * shake(seconds) }
      delays[index] = FractionalDelay(
        frames: Double(latency) + late * sampleRate, atLeast: SincTable.reach, atMost: 2 &* latency)
    }
  }

  /// Seconds that a wow of 1 is ahead.
  @_noLocks
  private func sway(_ seconds: Double) -> Double {
    let turn = 2 * Double.pi * rate
    return Math.sin(2 * Double.pi * Self.split(seconds * rate).share) / turn
  }

  /// Seconds that a flutter of 1 is ahead.
  @_noLocks
  private func shake(_ seconds: Double) -> Double {
    let (first, second) = Self.flutterRates
    return 0.5 * random(seconds * first, 0) / (Self.steepest * first)
      + 0.5 * random(seconds * second, 1 &<< 60) / (Self.steepest * second)
  }

  @_noLocks
  private func random(_ place: Double, _ offset: Int) -> Double {
    let parts = Self.split(place)
    return noise.value(parts.whole &+ offset, at: parts.share, way: 1)
  }

  @_noLocks
  private static func split(_ place: Double) -> (whole: Int, share: Double) {
    var whole = Int(place)
    if Double(whole) > place { whole -= 1 }
    return (whole, place - Double(whole))
  }

  /// Moves frames of one channel, in place.
  @_noLocks
  func move(_ samples: UnsafeMutablePointer<Float>, channel: Int, count: Int) {
    line.write(samples, channel: channel, frameCount: count)
    line.readSinc(
      into: samples, channel: channel, delays: delays, table: table, frameCount: count)
  }

  /// To be called after all channels have moved.
  @_noLocks
  mutating func advance(_ count: Int) { line.advance(count) }

  @_noLocks
  mutating func reset() { line.clear() }
}
