import FxAudio

/// The volume of what is heard: a level and a mute, each of which is reached on an S-curve.
///
/// Nothing but the changes and the frames between them decides what a frame is multiplied by, so
/// that who has both can do the same again. At 0 dB, not muted, samples stay as they are to the bit.
package struct OutputLevel: BitwiseCopyable, Sendable {
  /// The amplitude of 0 dB is exactly 1.
  package private(set) var amplitude: Float
  package private(set) var isMuted = false
  private var start: Float
  private var target: Float
  private var length = 0
  private var done = 0
  /// The slope at the beginning, times the length.
  private var carried = 0.0

  package init(amplitude: Float = 1) {
    self.amplitude = amplitude
    start = amplitude
    target = amplitude
  }

  /// What a level given in decibels multiplies by.
  package static func amplitude(decibels: Double) -> Float {
    Float(Math.amplitude(decibels: decibels))
  }

  /// Frames that a change takes by itself: 20 ms.
  package static func rampFrameCount(sampleRate: Double) -> Int { max(1, Int(sampleRate / 50)) }

  // MARK: - Realtime

  /// True while nothing has to be multiplied.
  package var isUnity: Bool {
    @_noLocks get { done >= length && target == 1 }
  }

  /// What the next frame is multiplied by.
  private var gain: Float {
    @_noLocks get { done < length ? level(after: done &+ 1) : target }
  }

  /// What the frame before is multiplied by when so many frames of the change are done.
  @_noLocks
  private func level(after count: Int) -> Float {
    guard count < length else { return target }
    let time = Double(count) / Double(length)
    let change = Double(target) - Double(start)
    return Float(
      Double(start) + change * SmoothStep.share(time) + carried * SmoothStep.carry(time))
  }

  /// How far the level moves a frame.
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
  package mutating func setAmplitude(_ amplitude: Float, frameCount: Int) {
    self.amplitude = amplitude
    go(frameCount)
  }

  @_noLocks
  package mutating func setMuted(_ isMuted: Bool, frameCount: Int) {
    self.isMuted = isMuted
    go(frameCount)
  }

  @_noLocks
  private mutating func go(_ frameCount: Int) {
    // From what the last frame was multiplied by, and as it was moving.
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

  /// Multiplies frames on their way from one place to another, which may be the same.
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

  /// Goes on by so many frames that nobody hears.
  @_noLocks
  package mutating func skip(_ frameCount: Int) {
    let left = length &- done
    done = done &+ (frameCount < left ? frameCount : left)
  }
}
