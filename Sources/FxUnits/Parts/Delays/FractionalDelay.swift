/// A delay of whole frames and a fraction, which may change from frame to frame.
///
/// Used on the render thread.
struct FractionalDelay: BitwiseCopyable {
  package let frames: Int
  /// From 0 to less than 1.
  package let fraction: Float

  // MARK: - Realtime

  /// A delay, limited to a range of whole frames.
  ///
  /// A delay that single precision cannot distinguish from a whole number of frames is rounded to
  /// it. Such a delay needs no interpolation.
  @_noLocks
  package init(frames delay: Double, atLeast minimum: Int, atMost maximum: Int) {
    let bounded = Self.bounded(delay, minimum, maximum)
    self.init(bounded, near: 1.2e-7 * bounded)
  }

  /// The same, but a delay within a hundredth of a frame of a whole number is rounded to it.
  @_noLocks
  package init(coarse delay: Double, atLeast minimum: Int, atMost maximum: Int) {
    self.init(Self.bounded(delay, minimum, maximum), near: 0.01)
  }

  /// Sets delays from numbers of frames, each as `init(frames:atLeast:atMost:)` does.
  @_noLocks
  package static func set(
    _ delays: UnsafeMutablePointer<FractionalDelay>, to frames: UnsafePointer<Double>, count: Int,
    atLeast minimum: Int, atMost maximum: Int
  ) {
    for index in 0..<count {
      delays[index] = FractionalDelay(
        frames: frames[index], atLeast: minimum, atMost: maximum)
    }
  }

  @_noLocks
  private static func bounded(_ delay: Double, _ minimum: Int, _ maximum: Int) -> Double {
    let low = delay > Double(minimum) ? delay : Double(minimum)
    return low < Double(maximum) ? low : Double(maximum)
  }

  @_noLocks
  private init(_ bounded: Double, near: Double) {
    let whole = Int(bounded)
    let fraction = bounded - Double(whole)
    let isWhole = fraction < near || fraction > 1 - near
    frames = fraction > 1 - near ? whole &+ 1 : whole
    self.fraction = isWhole ? 0 : Float(fraction)
  }
}

extension DelayLine {
  /// Reads one channel at a delay for each frame, with a cubic through the four nearest frames.
  ///
  /// Whole delays are exact. The delay must be at least 1 frame longer than the frame's index in
  /// the block. Source: Catmull and Rom's spline, "4-point, third-order Hermite" in O. Niemitalo,
  /// "Polynomial interpolators for high-quality resampling of oversampled audio" (2001).
  @_noLocks
  func readCubic(
    into output: UnsafeMutablePointer<Float>, channel: Int,
    delays: UnsafePointer<FractionalDelay>, frameCount: Int
  ) {
    for frame in 0..<frameCount {
      let delay = delays[frame]
      let now = sample(channel: channel, frame: frame, delay: delay.frames)
      guard delay.fraction > 0 else {
        output[frame] = now
        continue
      }
      let newer = sample(channel: channel, frame: frame, delay: delay.frames &- 1)
      let older = sample(channel: channel, frame: frame, delay: delay.frames &+ 1)
      let oldest = sample(channel: channel, frame: frame, delay: delay.frames &+ 2)
      let slope = 0.5 * (older - newer)
      let bend = newer - 2.5 * now + 2 * older - 0.5 * oldest
      let twist = 0.5 * (oldest - newer) + 1.5 * (now - older)
      output[frame] =
        ((twist * delay.fraction + bend) * delay.fraction + slope)
        * delay.fraction + now
    }
  }

  /// Reads one channel at a delay for each frame, on a line between the two nearest frames.
  @_noLocks
  func readLinear(
    into output: UnsafeMutablePointer<Float>, channel: Int,
    delays: UnsafePointer<FractionalDelay>, frameCount: Int
  ) {
    for frame in 0..<frameCount {
      let delay = delays[frame]
      let now = sample(channel: channel, frame: frame, delay: delay.frames)
      guard delay.fraction > 0 else {
        output[frame] = now
        continue
      }
      let older = sample(channel: channel, frame: frame, delay: delay.frames &+ 1)
      output[frame] = now + delay.fraction * (older - now)
    }
  }
}
