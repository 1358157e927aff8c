import FxAudio

/// Finds the pitch of a single voice or string, from 25 Hz to 1.6 kHz.
///
/// It compares the signal, at a quarter of its sample rate, with itself. The period is at the first
/// high peak of the normalised square difference. A parabola through the peak, and the last peak at
/// a multiple of it, refine the result. Source: P. McLeod and G. Wyvill, "A smarter way to find
/// pitch", ICMC 2005. Allocated on the control thread, used on the render thread.
struct PitchDetector: ~Copyable {
  /// In hertz; 0 when there is no pitch.
  package private(set) var frequency = 0.0
  /// The similarity of two periods, 0...1.
  package private(set) var clarity = 0.0

  private static var factor: Int { @_noLocks get { 4 } }
  /// The length of the window and of the longest period (25 Hz), in samples at the low rate.
  private let length: Int
  private let longest: Int
  private let lowRate: Double
  private let decimator: Oversampler
  private let pending: SampleBuffer
  private var pendingCount = 0
  private let samples: SampleBuffer
  private var filled = 0
  private let likeness: SampleBuffer

  package init(sampleRate: Double) {
    lowRate = sampleRate / Double(Self.factor)
    longest = Self.longest(sampleRate)
    length = 3 * longest
    decimator = Oversampler(factor: Self.factor, channelCount: 1, maximumFrameCount: 16)
    pending = SampleBuffer(count: Self.factor * 16)
    samples = SampleBuffer(count: length + 16)
    likeness = SampleBuffer(count: longest + 1)
  }

  private static func longest(_ sampleRate: Double) -> Int {
    max(32, Int(min(sampleRate / Double(factor) / 25, 4096)))
  }

  package static func byteCount(sampleRate: Double) -> Int {
    let longest = longest(sampleRate)
    return Oversampler.byteCount(factor: factor, channelCount: 1, maximumFrameCount: 16)
      + SampleBuffer.byteCount(count: factor * 16)
      + SampleBuffer.byteCount(count: 3 * longest + 16)
      + SampleBuffer.byteCount(count: longest + 1)
  }

  // MARK: - Realtime

  /// Takes the next sample; true when the pitch has been measured again.
  @_noLocks
  package mutating func take(_ sample: Float) -> Bool {
    pending.samples[pendingCount] = sample.finiteSample
    pendingCount &+= 1
    guard pendingCount == Self.factor &* 16 else { return false }
    pendingCount = 0
    decimator.down(pending.samples, channel: 0, frameCount: 16, to: samples.samples + filled)
    filled &+= 16
    guard filled >= length else { return false }
    find()
    // The next window overlaps this one by two thirds.
    let kept = filled &- longest
    samples.samples.update(copying: UnsafePointer(samples.samples + longest), count: kept)
    filled = kept
    return true
  }

  @_noLocks
  private mutating func find() {
    frequency = 0
    clarity = 0
    let window = length &- longest
    compare(window)
    guard let lag = firstPeak() else { return }
    let peak = refined(lag)
    var period = peak.lag
    // The last peak near a multiple of the period gives the most precise result.
    var multiple = Int(Double(longest &- 1) / period)
    while multiple > 1 {
      let near = Int(Double(multiple) * period + 0.5)
      if let place = localPeak(around: near) {
        period = refined(place).lag / Double(multiple)
        break
      }
      multiple &-= 1
    }
    frequency = lowRate / period
    clarity = peak.value < 1 ? peak.value : 1
  }

  /// The normalised square difference at every lag: 2 Σ x(t) x(t + lag), divided by the sum of both
  /// energies.
  @_noLocks
  private func compare(_ window: Int) {
    let x = samples.samples
    var energy = 0.0
    for frame in 0..<window { energy += Double(x[frame]) * Double(x[frame]) }
    var later = energy
    for lag in 0...longest {
      var sums = SIMD8<Float>(repeating: 0)
      var frame = 0
      while frame &+ 8 <= window {
        let here = UnsafeRawPointer(x + frame).loadUnaligned(as: SIMD8<Float>.self)
        let there = UnsafeRawPointer(x + (frame &+ lag)).loadUnaligned(as: SIMD8<Float>.self)
        sums += here * there
        frame &+= 8
      }
      var sum: Float = 0
      for lane in 0..<8 { sum += sums[lane] }
      while frame < window {
        sum += x[frame] * x[frame &+ lag]
        frame &+= 1
      }
      let whole = energy + later
      likeness.samples[lag] = whole > 1e-9 ? Float(2 * Double(sum) / whole) : 0
      let (gone, come) = (Double(x[lag]), Double(x[lag &+ window]))
      later += come * come - gone * gone
    }
  }

  /// The first peak after the first zero crossing that is nearly as high as the highest peak.
  @_noLocks
  private func firstPeak() -> Int? {
    let n = likeness.samples
    var lag = 1
    while lag < longest && n[lag] > 0 { lag &+= 1 }
    let start = lag
    var highest = 0.0
    while lag < longest {
      if isPeak(lag) { highest = max(highest, refined(lag).value) }
      lag &+= 1
    }
    guard highest > 0.6 else { return nil }
    lag = start
    while lag < longest {
      if isPeak(lag) && refined(lag).value > 0.88 * highest { return lag }
      lag &+= 1
    }
    return nil
  }

  @_noLocks
  private func isPeak(_ lag: Int) -> Bool {
    let n = likeness.samples
    return n[lag] > 0 && n[lag] >= n[lag &- 1] && n[lag] >= n[lag &+ 1]
  }

  /// A clear peak within two samples of a lag; nil when there is none.
  @_noLocks
  private func localPeak(around near: Int) -> Int? {
    let n = likeness.samples
    for lag in max(near &- 2, 1)..<min(near &+ 3, longest)
    where isPeak(lag) && n[lag] > 0.8 {
      return lag
    }
    return nil
  }

  /// The maximum of the parabola through a peak and its neighbours.
  @_noLocks
  private func refined(_ lag: Int) -> (lag: Double, value: Double) {
    let n = likeness.samples
    let (left, top, right) = (Double(n[lag &- 1]), Double(n[lag]), Double(n[lag &+ 1]))
    let bend = left - 2 * top + right
    guard bend < 0 else { return (Double(lag), top) }
    let offset = 0.5 * (left - right) / bend
    return (Double(lag) + offset, top - 0.25 * (left - right) * offset)
  }

  @_noLocks
  package mutating func clear() {
    frequency = 0
    clarity = 0
    pendingCount = 0
    filled = 0
    decimator.reset()
  }
}
