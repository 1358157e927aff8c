import FxAudio

/// The delays of the echoes, frame by frame, for the left and the right channels.
///
/// Render thread. A new time is reached by a glide or by a crossfade. A crossfade starts once the
/// time is constant, or after a maximum wait, and lasts `fade`.
struct DelayTimes: ~Copyable {
  /// How the delays change within a piece of a block.
  enum Motion: BitwiseCopyable {
    /// One delay for all frames: the first.
    case still
    /// One delay per frame.
    case moving
    /// Two delays per frame.
    case fading
  }

  private static let fade = 0.05
  private static let longestWait = 0.2

  private let sampleRate: Double
  private let minimum: Int
  private let maximum: Int
  private let fades: Bool
  private let fadeLength: Int
  private let waitLength: Int
  private let capacity: Int
  /// By side: the current delays, then the targets of a crossfade.
  private let delays: UnsafeMutablePointer<FractionalDelay>
  /// The share of the target in a crossfade.
  let shares: SampleBuffer
  private var clock: PeriodClock
  /// The current time, the target of a crossfade, and the latest value of the parameter.
  private var current = Float.nan
  private var target = Float.nan
  private var latest = Float.nan
  /// Elapsed frames of a crossfade; 0 between crossfades.
  private var progress = 0
  private var waited = 0
  private var rate = Float.nan

  init(_ preparation: Preparation, minimum: Int, maximum: Int, capacity: Int) {
    let rate = preparation.sampleRate
    sampleRate = rate
    self.minimum = minimum
    self.maximum = maximum
    self.capacity = capacity
    fades = preparation.text("change") == "crossfade"
    fadeLength = max(1, Int(Self.fade * rate))
    waitLength = max(1, Int(Self.longestWait * rate))
    delays = .allocate(capacity: 4 * capacity)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: minimum, atMost: maximum),
      count: 4 * capacity)
    shares = SampleBuffer(count: capacity)
    let values = preparation.parameters
    clock = PeriodClock(
      sampleRate: rate, writtenRate: values.count > 5 ? values[5] : 0.5)
  }

  static func byteCount(capacity: Int) -> Int {
    4 * capacity * MemoryLayout<FractionalDelay>.stride + SampleBuffer.byteCount(count: capacity)
  }

  deinit { delays.deallocate() }

  // MARK: - Realtime

  /// The delays of a side, or the targets of a crossfade.
  @_noLocks
  func delays(side: Int, isTarget: Bool = false) -> UnsafePointer<FractionalDelay> {
    UnsafePointer(delays + (isTarget ? side &+ 2 : side) &* capacity)
  }

  /// Must be called before the frames of a block.
  @_noLocks
  mutating func begin() { clock.begin() }

  /// Sets the delays of a piece of a block.
  @_noLocks
  mutating func set(
    _ block: RenderBlock, _ parameters: Delay.Parameters, from frame: Int, count: Int
  ) -> Motion {
    let (time, ratio, depth) = (parameters.time, parameters.rightTime, parameters.modulationDepth)
    let isSwaying = !depth.isConstant || depth.value > 0
    let keepsTime =
      time.isConstant && ratio.isConstant
      && (!fades || current != current || progress == 0 && time.value == current)
    // While the rate changes, the clock must count even without modulation.
    let keepsRate =
      parameters.modulationRate.isConstant
      && (rate != rate || rate == parameters.modulationRate.value)
    if !isSwaying && keepsTime && keepsRate {
      if rate != rate { _ = sway(block, parameters, at: frame) }
      current = time.value
      latest = time.value
      waited = 0
      delays[0] = delay(time.value)
      delays[capacity] = delay(time.value * ratio.value)
      return .still
    }
    var isFading = false
    for index in 0..<count {
      let now = frame &+ index
      if fades { follow(time[now], index) } else { current = time[now] }
      isFading = isFading || progress > 0
      let sway = sway(block, parameters, at: now)
      delays[index] = delay(current, plus: sway.left)
      delays[capacity &+ index] = delay(current * ratio[now], plus: sway.right)
      if fades {
        delays[2 &* capacity &+ index] = delay(target, plus: sway.left)
        delays[3 &* capacity &+ index] = delay(target * ratio[now], plus: sway.right)
      }
      if progress > fadeLength { arrive() }
    }
    return isFading ? .fading : .moving
  }

  /// Advances a crossfade by a frame, or begins one.
  @_noLocks
  private mutating func follow(_ time: Float, _ index: Int) {
    if current != current { current = time }
    if progress == 0 {
      target = current
      waited = time == current ? 0 : waited &+ 1
      if waited > 0 && (time == latest || waited >= waitLength) {
        target = time
        progress = 1
        waited = 0
      }
    }
    latest = time
    guard progress > 0 else {
      shares.samples[index] = 0
      return
    }
    shares.samples[index] = Float(SmoothStep.share(Double(progress) / Double(fadeLength &+ 1)))
    progress &+= 1
  }

  @_noLocks
  private mutating func arrive() {
    current = target
    progress = 0
  }

  /// The frames that the modulation adds: a sine, with 90 degrees between the two sides.
  @_noLocks
  private mutating func sway(
    _ block: RenderBlock, _ parameters: Delay.Parameters, at frame: Int
  ) -> (left: Double, right: Double) {
    rate = parameters.modulationRate[frame]
    let place = clock.place(
      of: block.frame &+ frame, rate: rate, beats: 0, phase: 0, in: block.time)
    let depth = Double(parameters.modulationDepth[frame]) * sampleRate
    let (sine, cosine) = Math.sinCos(2 * .pi * place.share)
    return (depth * sine, depth * cosine)
  }

  /// True when neither a delay time nor the rate is changing.
  @_noLocks
  func isSettled(_ parameters: Delay.Parameters) -> Bool {
    progress == 0 && waited == 0 && current == parameters.time.value && latest == current
      && rate == parameters.modulationRate.value
  }

  @_noLocks
  private func delay(_ time: Float, plus frames: Double = 0) -> FractionalDelay {
    FractionalDelay(
      frames: Double(time) * sampleRate + frames, atLeast: minimum, atMost: maximum)
  }

  @_noLocks
  mutating func reset() {
    clock.reset()
    current = .nan
    target = .nan
    latest = .nan
    progress = 0
    waited = 0
    rate = .nan
  }
}
