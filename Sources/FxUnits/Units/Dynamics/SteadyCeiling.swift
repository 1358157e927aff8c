import FxAudio

/// Counts the frames for which the ceiling in a limiter's delay line has been constant: once the
/// whole line has one value, it need not be read.
struct SteadyCeiling: BitwiseCopyable {
  private var value: Float = 0
  private var frameCount = 0

  // MARK: - Realtime

  @_noLocks init() {}

  /// Continues from a line that holds this many frames of one value.
  @_noLocks
  mutating func begin(_ value: Float, frameCount: Int) {
    self.value = value
    self.frameCount = frameCount
  }

  /// Writes the ceilings of a chunk; true when the previous `latency` frames had the same ceiling.
  @_noLocks
  mutating func take(
    _ ceiling: ParameterSignal, from frame: Int, into ceilings: UnsafeMutablePointer<Float>,
    count: Int, latency: Int
  ) -> Bool {
    guard ceiling.isConstant else {
      for index in 0..<count { ceilings[index] = ceiling[frame &+ index] }
      begin(ceilings[count &- 1], frameCount: 0)
      return false
    }
    ceilings.update(repeating: ceiling.value, count: count)
    if ceiling.value != value { begin(ceiling.value, frameCount: 0) }
    let isSteady = frameCount >= latency
    if !isSteady { frameCount &+= count }
    return isSteady
  }
}
