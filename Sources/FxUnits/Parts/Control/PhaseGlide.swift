import FxAudio

/// Follows a phase, and smooths its jumps.
///
/// Render thread. After a jump, the difference in phase and in speed decays as a critically damped
/// oscillation. After two seconds the phase is exactly the followed one.
struct PhaseGlide: BitwiseCopyable {
  /// The speed of the decay, per second.
  private static let pull = 20.0

  /// The same, per frame.
  private let pull: Double
  /// The difference from the followed phase, and its change per frame.
  private var offset = 0.0
  private var speed = 0.0
  /// The last followed phase, and its step.
  private var last = Double.nan
  private var step = 0.0
  private var isResting = true
  private var hasJumped = false

  package init(sampleRate: Double) { pull = Self.pull / sampleRate }

  // MARK: - Realtime

  /// The phase of the next frame, from 0 to less than 1.
  ///
  /// - Parameters:
  ///   - phase: The followed phase, from 0 to less than 1.
  ///   - jumps: True when the followed phase has jumped to this value.
  @_noLocks
  package mutating func follow(_ phase: Double, jumps: Bool) -> Double {
    let move = last == last ? Self.wrapped(phase - last) : 0
    if jumps && last == last {
      offset = Self.wrapped(offset + step - move)
      isResting = false
      hasJumped = true
    } else {
      if hasJumped {
        speed += step - move
        offset += step - move
        hasJumped = false
      }
      step = move
    }
    last = phase
    if isResting { return phase }
    let sum = phase + offset
    speed -= pull * (2 * speed + pull * offset)
    offset += speed
    if !hasJumped && offset.magnitude < 1e-9 && speed.magnitude < 1e-12 { rest() }
    return sum < 0 ? sum + 1 : (sum < 1 ? sum : sum - 1)
  }

  /// Follows consecutive phases without jumps. When no earlier jump is still decaying, the phases
  /// are used as they are. Otherwise it does nothing and returns false.
  @_noLocks
  package mutating func follow(_ phases: UnsafePointer<Double>, count: Int) -> Bool {
    guard isResting, !hasJumped else { return false }
    if count == 0 { return true }
    let before = count > 1 ? phases[count &- 2] : last
    step = before == before ? Self.wrapped(phases[count &- 1] - before) : 0
    last = phases[count &- 1]
    return true
  }

  @_noLocks
  private mutating func rest() {
    offset = 0
    speed = 0
    isResting = true
  }

  /// The difference, wrapped to half a period on either side.
  @_noLocks
  private static func wrapped(_ difference: Double) -> Double {
    difference > 0.5 ? difference - 1 : (difference < -0.5 ? difference + 1 : difference)
  }

  /// Makes the next frame the first one.
  @_noLocks
  package mutating func reset() {
    rest()
    last = .nan
    step = 0
    hasJumped = false
  }
}
