import FxAudio

/// The gain of a gate: it opens in amplitude and closes in decibels.
///
/// Used on the render thread.
///
/// An opening reaches 99 % of the amplitude after the attack time. If it opened in decibels, it
/// would be inaudible for most of that time, and the beginning of a sound would be lost.
struct GateDoor: BitwiseCopyable {
  /// The speeds of a gate.
  struct Speed: BitwiseCopyable {
    fileprivate let rise: Double
    fileprivate let close: EnvelopeFollower.Speed

    /// Seconds to open to 99 % of the amplitude, and to close to 63 % of the decibels.
    @_noLocks
    package init(attack: Double, release: Double, sampleRate: Double) {
      rise = Smoothing.coefficient(
        seconds: attack / Smoothing.constantsToNearlyAll, sampleRate: sampleRate)
      close = EnvelopeFollower.Speed(attack: release, release: release, sampleRate: sampleRate)
    }
  }

  private var isOpening = false
  /// The gain while it opens.
  private var gain = 1.0
  /// The reduction in octaves while it closes.
  private var reduction = EnvelopeFollower()

  package init() {}

  // MARK: - Realtime

  /// Starts closed, with a reduction in octaves.
  @_noLocks
  package mutating func close(by octaves: Double) {
    isOpening = false
    reduction.start(at: octaves)
  }

  /// Replaces open (1) and closed (0) by gains; returns the largest reduction in octaves.
  ///
  /// - Parameter closed: The reduction to close to, in octaves.
  @_noLocks
  package mutating func move(
    _ gains: UnsafeMutablePointer<Float>, count: Int, closed: Float, speed: Speed
  ) -> Float {
    var largest: Float = 0
    var start = 0
    while start < count {
      let opens = gains[start] > 0
      var end = start &+ 1
      while end < count && (gains[end] > 0) == opens { end &+= 1 }
      if opens {
        let first = open(gains + start, count: end &- start, speed: speed)
        largest = first > largest ? first : largest
      } else {
        let most = shut(gains + start, count: end &- start, closed: closed, speed: speed)
        largest = most > largest ? most : largest
      }
      start = end
    }
    return largest
  }

  /// True when it is closed with this reduction in octaves, and stays closed.
  @_noLocks
  package func isAtRest(closed: Float, speed: Speed) -> Bool {
    !isOpening && reduction.isAtRest(at: closed, speed: speed.close)
  }

  @_noLocks
  private mutating func open(
    _ gains: UnsafeMutablePointer<Float>, count: Int, speed: Speed
  ) -> Float {
    if !isOpening {
      isOpening = true
      gain = Double(Math.exp2(-Float(reduction.value)))
    }
    var gain = gain
    for index in 0..<count {
      gain += speed.rise * (1 - gain)
      gains[index] = Float(gain)
    }
    self.gain = gain
    return gains[0] < 1 ? -Math.log2(gains[0]) : 0
  }

  @_noLocks
  private mutating func shut(
    _ gains: UnsafeMutablePointer<Float>, count: Int, closed: Float, speed: Speed
  ) -> Float {
    if isOpening {
      isOpening = false
      reduction.start(at: -Double(Math.log2(Float(gain))))
    }
    gains.update(repeating: closed, count: count)
    let largest = reduction.follow(gains, count: count, speed: speed.close)
    for index in 0..<count { gains[index] = Math.exp2(-gains[index]) }
    return largest
  }
}
