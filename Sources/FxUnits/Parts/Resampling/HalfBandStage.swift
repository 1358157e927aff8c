private import CKernels
import FxAudio

/// Doubles the sample rate and halves it again, with a linear-phase half-band filter.
///
/// Every second tap of a half-band filter, except the middle one, is 0. So doubling computes one of
/// two samples and copies the other. The filter is a sinc with Kaiser's window: A. V. Oppenheim and
/// R. W. Schafer, "Discrete-Time Signal Processing", chapter 7.
struct HalfBandStage: ~Copyable {
  /// The non-zero taps on each side of the middle one.
  let pairCount: Int
  /// The extra delay of `down`, in samples of the doubled rate.
  let padding: Int
  private let vectorLevel: Int32
  private let taps: SampleBuffer
  private let doubledTaps: SampleBuffer
  private let maximumFrameCount: Int
  /// For each channel, earlier input of `up`.
  private let rising: SampleBuffer
  /// For each channel, earlier samples for the outer taps of `down`.
  private let filtered: SampleBuffer
  /// For each channel, earlier samples for the middle tap of `down`.
  private let copied: SampleBuffer
  private let scratch: SampleBuffer

  /// The latency of `up` and `down` together, in samples of the doubled rate.
  var latency: Int { 2 * (2 * pairCount - 1) + padding }

  private static var beta: Double { 11 }

  init(
    pairCount: Int, padding: Int, channelCount: Int, maximumFrameCount: Int, vectorLevel: Int32
  ) {
    self.pairCount = pairCount
    self.padding = padding
    self.vectorLevel = vectorLevel
    self.maximumFrameCount = maximumFrameCount
    let row = 2 * pairCount + maximumFrameCount
    taps = SampleBuffer(count: pairCount)
    doubledTaps = SampleBuffer(count: pairCount)
    rising = SampleBuffer(count: row * channelCount)
    filtered = SampleBuffer(count: row * channelCount)
    copied = SampleBuffer(count: row * channelCount)
    scratch = SampleBuffer(count: maximumFrameCount)
    let designed = Self.design(pairCount)
    for (index, tap) in designed.enumerated() {
      taps.samples[index] = Float(tap)
      doubledTaps.samples[index] = Float(2 * tap)
    }
  }

  /// The taps from the outermost to the innermost. The taps of both sides sum to a half.
  static func design(_ pairCount: Int) -> [Double] {
    let edge = Double(2 * pairCount)
    let taps = (0..<pairCount).map { index -> Double in
      let distance = Double(2 * (pairCount - index) - 1)
      let share = distance / edge
      let window =
        Kaiser.bessel(beta * Math.squareRoot(1 - share * share)) / Kaiser.bessel(beta)
      let sign = (pairCount - index) % 2 == 1 ? 1.0 : -1.0
      return sign * window / (Double.pi * distance)
    }
    let sum = 4 * taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  static func byteCount(pairCount: Int, channelCount: Int, maximumFrameCount: Int) -> Int {
    let row = 2 * pairCount + maximumFrameCount
    return 2 * SampleBuffer.byteCount(count: pairCount)
      + 3 * SampleBuffer.byteCount(count: row * channelCount)
      + SampleBuffer.byteCount(count: maximumFrameCount)
  }

  // MARK: - Realtime

  private var past: Int { @_noLocks get { 2 &* pairCount } }
  private var row: Int { @_noLocks get { past &+ maximumFrameCount } }

  /// Writes `2 * frameCount` samples for `frameCount` input samples.
  @_noLocks
  func up(
    _ input: UnsafePointer<Float>, channel: Int, frameCount: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    let start = rising.samples + channel &* row
    let samples = start + past
    samples.update(copying: input, count: frameCount)
    let even = scratch.samples
    fx_fir_symmetric(vectorLevel, doubledTaps.samples, pairCount, samples, even, frameCount)
    let odd = samples - (pairCount &- 1)
    for frame in 0..<frameCount {
      output[2 &* frame] = even[frame]
      output[2 &* frame &+ 1] = odd[frame]
    }
    keepPast(start, frameCount)
  }

  /// Writes `frameCount` samples for `2 * frameCount` input samples.
  @_noLocks
  func down(
    _ input: UnsafePointer<Float>, channel: Int, frameCount: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    let filteredStart = filtered.samples + channel &* row
    let copiedStart = copied.samples + channel &* row
    let (taken, middle) = (filteredStart + past, copiedStart + past)
    let (first, second) = padding == 0 ? (taken, middle) : (middle, taken)
    for frame in 0..<frameCount {
      first[frame] = input[2 &* frame]
      second[frame] = input[2 &* frame &+ 1]
    }
    let sums = scratch.samples
    fx_fir_symmetric(
      vectorLevel, taps.samples, pairCount, taken - padding, sums, frameCount)
    let late = middle - pairCount
    for frame in 0..<frameCount { output[frame] = sums[frame] + 0.5 * late[frame] }
    keepPast(filteredStart, frameCount)
    keepPast(copiedStart, frameCount)
  }

  /// True when all stored samples are zeros.
  var isAtRest: Bool {
    @_noLocks get {
      var start = 0
      while start &+ past <= rising.count {
        guard rising.isZero(from: start, count: past), filtered.isZero(from: start, count: past),
          copied.isZero(from: start, count: past)
        else { return false }
        start &+= row
      }
      return true
    }
  }

  /// Moves the newest samples to the place where the next block reads the past.
  @_noLocks
  private func keepPast(_ start: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    for index in 0..<past { start[index] = start[index &+ frameCount] }
  }

  @_noLocks
  func clear() {
    rising.clear()
    filtered.clear()
    copied.clear()
  }
}
