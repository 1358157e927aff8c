private import CKernels

/// The gain of a brick-wall limiter: at every frame it keeps the frame from `latency` frames ago
/// under the ceiling.
///
/// Used on the render thread.
///
/// The gain falls at once to the least gain that any frame of the look-ahead needs, and rises
/// exponentially. Two moving averages as long as the look-ahead turn a fall into a smooth curve.
/// The curve ends at the output of the frame that needs it. A mean of gains that are each low
/// enough is low enough.
struct LimiterGain: ~Copyable {
  /// The frames by which the signal must be delayed.
  package let latency: Int
  private var minimum: SlidingMinimum
  private var smoother: BoxSmoother
  private let targets: UnsafeMutablePointer<Double>
  private let maximumFrameCount: Int
  private var value = 1.0
  /// The latest consecutive frames in which the smoother's input was 1.
  private var stillFrameCount = 0

  package init(latency: Int, maximumFrameCount: Int) {
    self.latency = Self.latency(latency)
    self.maximumFrameCount = maximumFrameCount
    minimum = SlidingMinimum(length: self.latency + 1, initialValue: 1)
    smoother = BoxSmoother(length: self.latency + 1, initialValue: 1)
    targets = .allocate(capacity: maximumFrameCount)
    targets.initialize(repeating: 1, count: maximumFrameCount)
  }

  /// The actual latency for a requested one.
  package static func latency(_ latency: Int) -> Int {
    min(max(latency, 0), BoxSmoother.maximumLength - 1)
  }

  /// The bytes that a gain of this latency allocates.
  package static func byteCount(latency: Int, maximumFrameCount: Int) -> Int {
    let length = self.latency(latency) + 1
    return SlidingMinimum.byteCount(length: length) + BoxSmoother.byteCount(length: length)
      + maximumFrameCount * MemoryLayout<Double>.stride
  }

  deinit {
    targets.deallocate()
  }

  // MARK: - Realtime

  /// Replaces the gain that each frame needs, between 0 and 1, by the gain to apply to the frame
  /// `latency` frames earlier.
  ///
  /// `release` is the share of a rise per frame.
  @_noLocks
  package mutating func process(
    _ gains: UnsafeMutablePointer<Float>, frameCount: Int, release: Double
  ) {
    // Nothing changes when the smoother and the minimum contain only 1.
    let isStill = stillFrameCount >= smoother.length
    if isStill, fx_are_all_one(fx_vector_level(), gains, frameCount) != 0 { return }
    minimum.process(gains, count: frameCount)
    if value == 1, fx_are_all_one(fx_vector_level(), gains, frameCount) != 0 {
      for index in 0..<frameCount { targets[index] = 1 }
      stillFrameCount = min(stillFrameCount &+ frameCount, smoother.length)
    } else {
      rise(to: gains, frameCount: frameCount, release: release)
      stillFrameCount = 0
    }
    smoother.process(targets, into: gains, count: frameCount)
  }

  /// Follows the minimum: down at once, up with the release.
  @_noLocks
  private mutating func rise(
    to gains: UnsafePointer<Float>, frameCount: Int, release: Double
  ) {
    // The rise aims slightly above the target, so that it reaches the target.
    let rise = release * 1.001
    let keep = 1 - release
    var value = value
    for index in 0..<frameCount {
      let target = Double(gains[index])
      let risen = rise * target + keep * value
      value = risen < target ? risen : target
      targets[index] = value
    }
    self.value = value
  }

  @_noLocks
  package mutating func clear() {
    minimum.clear()
    smoother.clear()
    value = 1
    stillFrameCount = 0
  }
}
