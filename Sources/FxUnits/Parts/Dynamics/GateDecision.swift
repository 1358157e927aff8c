import FxAudio

/// Decides when a gate is open: above one level it opens, and below a lower one for a time it
/// closes.
struct GateDecision: BitwiseCopyable {
  private(set) var isOpen = false
  /// Frames for which the level of an open gate has been too low.
  private var quietCount = 0.0
  private var openLevel: Float = 0
  private var closeLevel: Float = 0

  // MARK: - Realtime

  /// Takes levels in dB.
  @_noLocks
  mutating func set(threshold: Float, hysteresis: Float) {
    openLevel = Math.amplitude(decibels: threshold)
    closeLevel = Math.amplitude(decibels: threshold - hysteresis)
  }

  /// Replaces levels by `open` where the gate is open, otherwise by `closed`.
  ///
  /// - Parameter hold: in seconds.
  @_noLocks @inline(__always)
  mutating func decide(
    _ levels: UnsafeMutablePointer<Float>, count: Int, hold: Float, sampleRate: Double,
    open: Float, closed: Float
  ) {
    // Rounding in single precision may miss a whole number of frames by a little.
    let holdFrames = Double(hold) * sampleRate + 0.01
    for index in 0..<count {
      let level = levels[index]
      if level > openLevel {
        isOpen = true
        quietCount = 0
      } else if level >= closeLevel {
        quietCount = 0
      } else {
        quietCount += 1
        if quietCount > holdFrames { isOpen = false }
      }
      levels[index] = isOpen ? open : closed
    }
  }

  @_noLocks
  mutating func reset() {
    isOpen = false
    quietCount = 0
  }
}
