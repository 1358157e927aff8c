import FxAudio

/// The volume and the mute of the played output. Each change follows an S-curve.
///
/// The gain of a frame depends only on the changes and the number of frames since them. A replay
/// with the same changes therefore gives the same gains. At 0 dB and not muted, samples stay
/// identical to the bit.
package struct OutputLevel: BitwiseCopyable, Sendable {
  /// The amplitude of 0 dB is exactly 1.
  package private(set) var amplitude: Float
  package private(set) var isMuted = false
  private var start: Float
  private var target: Float
  private var length = 0
  private var done = 0
  /// The slope at the start of the change, times its length.
  private var carried = 0.0

  package init(amplitude: Float = 1) {
    self.amplitude = amplitude
    start = amplitude
    target = amplitude
  }

  /// The amplitude of a level in decibels.
  package static func amplitude(decibels: Double) -> Float {
    Float(Math.amplitude(decibels: decibels))
  }

  /// The default length of a change in frames: 20 ms.
  package static func rampFrameCount(sampleRate: Double) -> Int { max(1, Int(sampleRate / 50)) }

  // MARK: - Realtime

  /// True while the gain is exactly 1.
  var isUnity: Bool {
    @_noLocks get { done >= length && target == 1 }
  }

  /// The gain of the next frame.
  private var gain: Float {
    @_noLocks get { done < length ? level(after: done &+ 1) : target }
  }

  /// The gain after `count` frames of the change.
  @_noLocks
  private func level(after count: Int) -> Float {
    guard count < length else { return target }
    let time = Double(count) / Double(length)
    let change = Double(target) - Double(start)
    return Float(
      Double(start) + change * SmoothStep.share(time) + carried * SmoothStep.carry(time))
  }

  /// The change of the gain in one frame.
  private var slope: Double {
    @_noLocks get {
      guard done < length else { return 0 }
      let time = Double(done) / Double(length)
      let change = Double(target) - Double(start)
      return (change * SmoothStep.rate(time) + carried * SmoothStep.carryRate(time))
        / Double(length)
    }
  }

  @_noLocks
  mutating func setAmplitude(_ amplitude: Float, frameCount: Int) {
    self.amplitude = amplitude
    go(frameCount)
  }

  @_noLocks
  mutating func setMuted(_ isMuted: Bool, frameCount: Int) {
    self.isMuted = isMuted
    go(frameCount)
  }

  @_noLocks
  private mutating func go(_ frameCount: Int) {
    // Starts at the gain of the last frame, with its slope.
    let slope = slope
    if done > 0 {
      start = level(after: done)
    } else if length == 0 {
      start = target
    }
    target = isMuted ? 0 : amplitude
    length = frameCount > 0 ? frameCount : 0
    done = 0
    carried = SmoothStep.carried(
      slope * Double(length), over: Double(target) - Double(start))
  }

  /// Applies the gain to frames and writes them to `targets`, which may be the same memory.
  @_noLocks
  package mutating func apply(
    _ sources: UnsafePointer<UnsafePointer<Float>>,
    to targets: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    let before = done
    for channel in 0..<channelCount {
      let source = sources[channel]
      let output = targets[channel]
      done = before
      for frame in 0..<frameCount {
        output[frame] = source[frame] * gain
        if done < length { done = done &+ 1 }
      }
    }
    if channelCount == 0 { skip(frameCount) }
  }

  /// Advances by frames that are not played.
  @_noLocks
  package mutating func skip(_ frameCount: Int) {
    let left = length &- done
    done = done &+ (frameCount < left ? frameCount : left)
  }
}
