import FxAudio

/// A band of the dynamic equalizer: it measures its part of the spectrum and moves the gain of its
/// filter.
struct DynamicBand: ~Copyable {
  /// The parameters of a band, in declared order.
  package struct Signals: BitwiseCopyable {
    let frequency: ParameterSignal
    let gain: ParameterSignal
    let q: ParameterSignal
    let threshold: ParameterSignal
    let ratio: ParameterSignal
    let range: ParameterSignal
    let attack: ParameterSignal
    let release: ParameterSignal
    let enabled: ParameterSignal

    /// The number of parameters.
    static var count: Int { MemoryLayout<Signals>.size / MemoryLayout<ParameterSignal>.size }

    /// True when control signals modulate parameters that otherwise follow the control grid.
    var isModulated: Bool {
      @_noLocks get {
        threshold.isModulated || ratio.isModulated || attack.isModulated || release.isModulated
      }
    }
  }

  private let sampleRate: Double
  /// True for a band whose detector reaches down to the lowest frequencies.
  private let hearsBass: Bool
  private let levels: SampleBuffer
  private var heard: BandLevel
  private var filter: LevelFilter
  private var peaks = PeakHold()
  private var envelope = EnvelopeFollower()

  private var frequency = ControlValue()
  private var q = ControlValue()
  private var threshold = ControlValue()
  private var ratio = ControlValue()
  private var attack = ControlValue()
  private var release = ControlValue()
  private var tuning = LevelFilter.Tuning(frequency: 1, quality: 1, sampleRate: 4)
  private var holdSpeed = PeakHold.Speed(hold: 0, fall: 0, sampleRate: 1)
  private var curve = GainComputer(threshold: 0, ratio: 1, knee: 0)
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)

  init(
    _ shape: FilterShape, channelCount: Int, keyCount: Int, maximumFrameCount: Int,
    sampleRate: Double
  ) {
    self.sampleRate = sampleRate
    if case .lowShelf = shape { hearsBass = true } else { hearsBass = false }
    levels = SampleBuffer(count: maximumFrameCount)
    heard = BandLevel(shape, channelCount: keyCount)
    filter = LevelFilter(
      shape, channelCount: channelCount, maximumFrameCount: maximumFrameCount)
  }

  static func byteCount(channelCount: Int, keyCount: Int, maximumFrameCount: Int) -> Int {
    MemoryLayout<DynamicBand>.stride + SampleBuffer.byteCount(count: maximumFrameCount)
      + BandLevel.byteCount(channelCount: keyCount)
      + LevelFilter.byteCount(channelCount: channelCount, maximumFrameCount: maximumFrameCount)
  }

  // MARK: - Realtime

  /// Updates the parameters that follow the control grid.
  @_noLocks
  mutating func update(_ signals: Signals, at frame: Int) {
    let hasThreshold = threshold.take(signals.threshold, frame)
    let hasRatio = ratio.take(signals.ratio, frame)
    if hasThreshold || hasRatio {
      curve = GainComputer(threshold: threshold.value, ratio: ratio.value, knee: 0)
    }
    let hasAttack = attack.take(signals.attack, frame)
    let hasRelease = release.take(signals.release, frame)
    if hasAttack || hasRelease {
      speed = EnvelopeFollower.Speed(
        attack: Double(attack.value), release: Double(release.value), sampleRate: sampleRate)
    }
  }

  /// Updates frequency and Q, which a filter follows frame by frame while they change.
  @_noLocks
  mutating func tune(_ signals: Signals, at frame: Int) {
    let hasFrequency = frequency.take(signals.frequency, frame)
    let hasQ = q.take(signals.q, frame)
    guard hasFrequency || hasQ else { return }
    let hertz = Double(frequency.value)
    tuning = LevelFilter.Tuning(
      frequency: hertz, quality: Double(q.value), sampleRate: sampleRate)
    // A cycle, to hold the peak of a tone: at least 1 ms, at most half a cycle of 20 Hz.
    let cycle = hearsBass ? 1 : 1 / hertz
    let hold = cycle < 0.025 ? (cycle > 0.001 ? cycle : 0.001) : 0.025
    holdSpeed = PeakHold.Speed(hold: hold, fall: 0.25 * hold, sampleRate: sampleRate)
  }

  @_noLocks
  func isTuned(_ signals: Signals) -> Bool {
    frequency.isSettled(signals.frequency) && q.isSettled(signals.q)
  }

  @_noLocks
  func isSettled(_ signals: Signals) -> Bool {
    threshold.isSettled(signals.threshold) && ratio.isSettled(signals.ratio)
      && attack.isSettled(signals.attack) && release.isSettled(signals.release)
  }

  /// Measures the key channels and designs the filter; returns the largest gain change in octaves.
  @_noLocks
  mutating func follow(
    _ keys: UnsafePointer<UnsafePointer<Float>>, _ signals: Signals, at frame: Int, count: Int
  ) -> Float {
    let levels = levels.samples
    heard.process(keys, at: frame, into: levels, count: count, tuning: tuning)
    peaks.follow(levels, count: count, speed: holdSpeed)
    curve.reduceAmplitudes(levels, count: count)
    share(signals.range, at: frame, count: count)
    _ = envelope.follow(levels, count: count, speed: speed)
    let largest = level(signals, at: frame, count: count)
    filter.design(levels, count: count, tuning: tuning)
    return largest
  }

  private static var octave: Float { @_noLocks get { Float(1 / GainComputer.decibelsPerOctave) } }

  /// Converts gain changes to shares of the range, so that a range that changes its sign passes
  /// through 0.
  @_noLocks
  private func share(_ range: ParameterSignal, at frame: Int, count: Int) {
    let levels = levels.samples
    if range.isConstant {
      let most = Self.octave * range.value.magnitude
      for index in 0..<count { levels[index] = Self.share(levels[index], of: most) }
    } else {
      for index in 0..<count {
        let most = Self.octave * range[frame &+ index].magnitude
        levels[index] = Self.share(levels[index], of: most)
      }
    }
  }

  @_noLocks @inline(__always)
  private static func share(_ move: Float, of most: Float) -> Float {
    let share = move / most
    let whole: Float = move > 0 ? 1 : 0
    return move < most ? share : whole
  }

  /// Converts shares to the levels of the filter, in octaves; returns the largest gain change.
  @_noLocks
  private func level(_ signals: Signals, at frame: Int, count: Int) -> Float {
    let levels = levels.samples
    let octave = Self.octave
    let (gain, range, enabled) = (signals.gain, signals.range, signals.enabled)
    var largest: Float = 0
    if gain.isConstant && range.isConstant && enabled.isConstant {
      let (still, most) = (octave * gain.value, octave * range.value)
      for index in 0..<count {
        let move = most * levels[index]
        largest = move.magnitude > largest ? move.magnitude : largest
        levels[index] = enabled.value * (still + move)
      }
    } else {
      for index in 0..<count {
        let move = octave * range[frame &+ index] * levels[index]
        largest = move.magnitude > largest ? move.magnitude : largest
        levels[index] = enabled[frame &+ index] * (octave * gain[frame &+ index] + move)
      }
    }
    return largest
  }

  /// Filters the frames that `follow` has measured.
  @_noLocks
  mutating func process(_ block: RenderBlock, readsOutputs: Bool, at frame: Int, count: Int) {
    filter.process(block, readsOutputs: readsOutputs, at: frame, count: count)
  }

  @_noLocks
  mutating func reset() {
    heard.clear()
    filter.clear()
    peaks.clear()
    envelope.clear()
    frequency.reset()
    q.reset()
  }
}
