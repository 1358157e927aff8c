import FxAudio

/// A slow gain that keeps a continuous sound near a target loudness.
///
/// Ten times a second the gain moves towards the difference between the target and the loudness of
/// the last 3 s. It moves by at most 1.5 dB a second up and 6 dB a second down. It does not change
/// in pauses: below -50 LUFS, or 20 LU below the last 3 s. Between two points it moves on a
/// straight line. Any split into blocks gives the same bits.
///
/// Allocated on the control thread, used on the render thread.
struct AutomaticGain: ~Copyable {
  private static var rise: Double { @_noLocks get { 0.15 } }
  private static var fall: Double { @_noLocks get { 0.6 } }
  private static var deepest: Double { @_noLocks get { -30 } }

  private var meter: LoudnessMeter
  private let stepLength: Int
  /// The gain at the end of this step, in decibels.
  package private(set) var decibels = 0.0
  private var start: Float = 1
  private var end: Float = 1

  package init(channelCount: Int, layout: ChannelLayout, sampleRate: Double) {
    meter = LoudnessMeter(channelCount: channelCount, layout: layout, sampleRate: sampleRate)
    stepLength = meter.stepLength
  }

  package static func byteCount(channelCount: Int) -> Int {
    LoudnessMeter.byteCount(channelCount: channelCount)
  }

  // MARK: - Realtime

  /// The loudness of the last 3 s of input, in LUFS; the momentary loudness if that is higher.
  package var loudness: Double {
    @_noLocks get { meter.shortTerm > meter.momentary ? meter.shortTerm : meter.momentary }
  }

  /// Frames until the next point. A call of `process` takes at most this many.
  var remainingCount: Int { @_noLocks get { stepLength &- meter.frameCount } }

  /// Writes frames `from` to `from + count - 1` of some channels.
  ///
  /// - Parameters:
  ///   - target: The target loudness in LUFS.
  ///   - boost: The largest gain in decibels.
  @_noLocks
  package mutating func process(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, from first: Int,
    count: Int, target: Double, boost: Double
  ) {
    let place = meter.frameCount
    meter.take(inputs, from: first, frameCount: count)
    let slope = (end - start) / Float(stepLength)
    for channel in 0..<channelCount {
      let (input, output) = (inputs[channel] + first, outputs[channel] + first)
      for frame in 0..<count {
        output[frame] = input[frame] * (start + slope * Float(place &+ frame))
      }
    }
    if meter.frameCount == 0 { turn(target: target, boost: boost) }
  }

  @_noLocks
  private mutating func turn(target: Double, boost: Double) {
    start = end
    let (now, loudness) = (meter.momentary, loudness)
    guard now > -50, now > loudness - 20 else { return }
    let wanted = target - loudness
    let limited = wanted > boost ? boost : (wanted < Self.deepest ? Self.deepest : wanted)
    let change = limited - decibels
    decibels += change > Self.rise ? Self.rise : (change < -Self.fall ? -Self.fall : change)
    end = Float(Math.amplitude(decibels: decibels))
  }

  @_noLocks
  package mutating func clear() {
    meter.clear()
    decibels = 0
    start = 1
    end = 1
  }
}
