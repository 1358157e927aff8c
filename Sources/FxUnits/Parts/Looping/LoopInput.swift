import FxAudio

/// The last frames of a looper's input.
///
/// `halved` is for a loop at half speed: two frames of input make one of the loop. It is the
/// half-band filter of `HalfBandStage` (A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal
/// Processing, chapter 7).
struct LoopInput: ~Copyable {
  private static var pairCount: Int { @_noLocks get { 16 } }
  /// The age in frames of the input that `halved` returns.
  static var halvedAge: Int { @_noLocks get { 2 &* pairCount } }

  private let channelCount: Int
  /// Frames, a power of two.
  private let capacity: Int
  private let ring: SampleBuffer
  private let taps: SampleBuffer
  /// The index of the newest frame.
  private var newest = 0

  /// - Parameter memory: Frames that `sample` can return.
  init(channelCount: Int, memory: Int) {
    self.channelCount = channelCount
    capacity = Self.capacity(memory)
    ring = SampleBuffer(count: capacity * channelCount)
    taps = SampleBuffer(count: Self.pairCount)
    for (index, tap) in HalfBandStage.design(Self.pairCount).enumerated() {
      taps.samples[index] = Float(tap)
    }
  }

  private static func capacity(_ memory: Int) -> Int {
    var capacity = 2 * halvedAge
    while capacity < memory { capacity *= 2 }
    return capacity
  }

  static func byteCount(channelCount: Int, memory: Int) -> Int {
    SampleBuffer.byteCount(count: capacity(memory) * channelCount)
      + SampleBuffer.byteCount(count: pairCount)
  }

  // MARK: - Realtime

  /// Takes a frame of a block.
  @_noLocks
  mutating func take(_ block: RenderBlock, _ frame: Int) {
    newest = (newest &+ 1) & (capacity &- 1)
    for channel in 0..<channelCount {
      // Adding 0 turns -0 into 0, so that silence has one sign.
      ring.samples[channel &* capacity &+ newest] = 0 + block.inputs[channel][frame].finiteSample
    }
  }

  /// The sample that is `age` frames old; 0 is the newest.
  @_noLocks @inline(__always)
  func sample(channel: Int, age: Int) -> Float {
    ring.samples[channel &* capacity &+ ((newest &- age) & (capacity &- 1))]
  }

  /// The sample that is `halvedAge` frames old, without what half the rate cannot hold.
  @_noLocks
  func halved(channel: Int) -> Float {
    var sum: Float = 0
    for index in 0..<Self.pairCount {
      let distance = 2 &* (Self.pairCount &- index) &- 1
      sum +=
        taps.samples[index]
        * (sample(channel: channel, age: Self.halvedAge &- distance)
          + sample(channel: channel, age: Self.halvedAge &+ distance))
    }
    return sum + 0.5 * sample(channel: channel, age: Self.halvedAge)
  }

  var isSilent: Bool { @_noLocks get { ring.isSilent } }

  @_noLocks
  mutating func clear() {
    ring.clear()
    newest = 0
  }
}
