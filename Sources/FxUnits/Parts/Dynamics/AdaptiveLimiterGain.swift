private import CKernels
import FxAudio

/// The gain of a brick-wall limiter with a programme-dependent release. After a single peak the
/// gain rises at once; after lasting loudness it rises with the release time.
///
/// Used on the render thread.
///
/// Two windows of 17 ms, with a gap of 1 ms between them, each have a least gain. A slow stage
/// follows the larger of the two. A single peak is never in both windows, so it does not move this
/// stage. The peaks of a tone from 30 Hz up are always in both, so the stage has no ripple to
/// follow. A fast stage falls at once to the least gain that the look-ahead needs. It rises to the
/// slow stage within a few milliseconds. Two moving averages as long as the look-ahead turn a fall
/// into a smooth curve. The curve ends at the output of the frame that needs it. A mean of gains
/// that are each low enough is low enough.
struct AdaptiveLimiterGain: ~Copyable {
  /// The speeds of the stages.
  struct Speed: BitwiseCopyable {
    fileprivate let fall: Double
    fileprivate let slowRise: Double
    fileprivate let fastRise: Double

    /// - Parameter release: Seconds until a rise after lasting loudness is 63 % complete.
    @_noLocks
    package init(release: Double, sampleRate: Double) {
      fall = Smoothing.coefficient(seconds: 0.015, sampleRate: sampleRate)
      slowRise = Smoothing.coefficient(seconds: release, sampleRate: sampleRate)
      fastRise = Smoothing.coefficient(
        seconds: release < 0.006 ? release : 0.006, sampleRate: sampleRate)
    }
  }

  /// The frames by which the signal must be delayed.
  package let latency: Int
  /// Frames from the end of one window to the end of the other.
  private let distance: Int
  private var minimum: SlidingMinimum
  private var window: SlidingMinimum
  /// The minima of the window, one window long.
  private var windows: DelayLine
  private var smoother: BoxSmoother
  private let lasting: SampleBuffer
  private let earlier: SampleBuffer
  private let targets: UnsafeMutablePointer<Double>
  private var slow = 1.0
  private var fast = 1.0
  /// The latest consecutive frames that needed no reduction, and the latest consecutive frames in
  /// which the smoother's input was 1.
  private var idleFrameCount = 0
  private var stillFrameCount = 0

  private static var windowSeconds: Double { 0.017 }
  /// A true peak extends over several frames. The gap keeps it out of one of the two windows.
  private static var gapSeconds: Double { 0.001 }

  /// - Parameter isBetween: True when the gain of a frame must also hold for the next one, because
  ///   the peak is between them.
  package init(latency: Int, isBetween: Bool, sampleRate: Double, maximumFrameCount: Int) {
    self.latency = LimiterGain.latency(latency)
    let windowLength = Self.frames(Self.windowSeconds, sampleRate)
    distance = windowLength + Self.frames(Self.gapSeconds, sampleRate)
    minimum = SlidingMinimum(length: self.latency + (isBetween ? 2 : 1), initialValue: 1)
    window = SlidingMinimum(length: windowLength, initialValue: 1)
    windows = DelayLine(
      channelCount: 1, maximumDelay: distance, maximumFrameCount: maximumFrameCount)
    smoother = BoxSmoother(length: self.latency + 1, initialValue: 1)
    lasting = SampleBuffer(count: maximumFrameCount)
    earlier = SampleBuffer(count: maximumFrameCount)
    targets = .allocate(capacity: maximumFrameCount)
    targets.initialize(repeating: 1, count: maximumFrameCount)
    clear()
  }

  private static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
    max(1, Int((seconds * sampleRate).rounded()))
  }

  /// The bytes that a gain of this size allocates.
  package static func byteCount(latency: Int, sampleRate: Double, maximumFrameCount: Int) -> Int {
    let length = LimiterGain.latency(latency) + 2
    let windowLength = frames(windowSeconds, sampleRate)
    let distance = windowLength + frames(gapSeconds, sampleRate)
    return SlidingMinimum.byteCount(length: length)
      + SlidingMinimum.byteCount(length: windowLength)
      + DelayLine.byteCount(
        channelCount: 1, maximumDelay: distance, maximumFrameCount: maximumFrameCount)
      + BoxSmoother.byteCount(length: length)
      + 2 * SampleBuffer.byteCount(count: maximumFrameCount)
      + maximumFrameCount * MemoryLayout<Double>.stride
  }

  deinit { targets.deallocate() }

  // MARK: - Realtime

  /// Replaces the gain that each frame needs, between 0 and 1, by the gain to apply to the frame
  /// `latency` frames earlier.
  @_noLocks
  package mutating func process(
    _ gains: UnsafeMutablePointer<Float>, frameCount: Int, speed: Speed
  ) {
    let isIdle = fx_are_all_one(fx_vector_level(), gains, frameCount) != 0
    // Nothing changes when the windows and the smoother contain only 1.
    if isIdle, isAtRest { return }
    let windowFrameCount = window.length &+ distance
    idleFrameCount = isIdle ? min(idleFrameCount &+ frameCount, windowFrameCount) : 0
    findLasting(gains, frameCount: frameCount)
    minimum.process(gains, count: frameCount)
    if slow == 1, fast == 1, fx_are_all_one(fx_vector_level(), gains, frameCount) != 0,
      fx_are_all_one(fx_vector_level(), earlier.samples, frameCount) != 0
    {
      for index in 0..<frameCount { targets[index] = 1 }
      stillFrameCount = min(stillFrameCount &+ frameCount, smoother.length)
    } else {
      move(gains, to: earlier.samples, frameCount: frameCount, speed: speed)
      stillFrameCount = 0
    }
    smoother.process(targets, into: gains, count: frameCount)
  }

  /// Writes the larger of the two windows' least gains to `earlier`.
  @_noLocks
  private mutating func findLasting(_ gains: UnsafePointer<Float>, frameCount: Int) {
    let lasting = lasting.samples
    let earlier = earlier.samples
    // The delay line holds 1 minus the minimum, so that it holds 0 when no reduction was needed.
    lasting.update(copying: gains, count: frameCount)
    window.process(lasting, count: frameCount)
    for index in 0..<frameCount { lasting[index] = 1 - lasting[index] }
    windows.write(lasting, channel: 0, frameCount: frameCount)
    windows.read(into: earlier, channel: 0, delay: distance, frameCount: frameCount)
    windows.advance(frameCount)
    for index in 0..<frameCount {
      let least = lasting[index] < earlier[index] ? lasting[index] : earlier[index]
      earlier[index] = 1 - least
    }
  }

  /// Moves both stages frame by frame.
  @_noLocks
  private mutating func move(
    _ needed: UnsafePointer<Float>, to lasting: UnsafePointer<Float>, frameCount: Int, speed: Speed
  ) {
    // A rise aims slightly above the target, so that it reaches the target.
    let slowRise = speed.slowRise * 1.001
    let slowKeep = 1 - speed.slowRise
    let fastRise = speed.fastRise * 1.001
    let fastKeep = 1 - speed.fastRise
    let fallKeep = 1 - speed.fall
    var (slow, fast) = (slow, fast)
    for index in 0..<frameCount {
      let target = Double(lasting[index])
      let risen = slowRise * target + slowKeep * slow
      let fallen = speed.fall * target + fallKeep * slow
      let bounded = risen < target ? risen : target
      slow = slow > target ? fallen : bounded
      let limit = Double(needed[index])
      let toward = fastRise * slow + fastKeep * fast
      let below = toward < slow ? toward : slow
      // When the fast stage is above the slow one, it approaches it from above.
      let next = fast > slow ? toward : below
      fast = next < limit ? next : limit
      targets[index] = fast
    }
    (self.slow, self.fast) = (slow, fast)
  }

  /// True when the gain is 1 and stays 1 as long as no reduction is needed.
  package var isAtRest: Bool {
    @_noLocks get {
      idleFrameCount >= window.length &+ distance && stillFrameCount >= smoother.length
    }
  }

  @_noLocks
  package mutating func clear() {
    minimum.clear()
    window.clear()
    windows.clear()
    smoother.clear()
    slow = 1
    fast = 1
    idleFrameCount = 0
    stillFrameCount = 0
  }
}
