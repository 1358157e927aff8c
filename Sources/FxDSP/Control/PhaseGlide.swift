import FxAudio

/// Lets a phase that jumps get to its new place smoothly.
///
/// Render thread. What is left of a jump, of the phase and of its speed, dies away as a critically
/// damped oscillation; after two seconds the phase is exactly the one that is followed.
package struct PhaseGlide: BitwiseCopyable {
  /// How fast it gets there, per second.
  private static let pull = 20.0

  /// The pull of a frame.
  private let pull: Double
  /// What the phase is away from the one that is followed, and how that changes by the frame.
  private var offset = 0.0
  private var speed = 0.0
  /// The last phase that was followed, and its step.
  private var last = Double.nan
  private var step = 0.0
  private var isResting = true
  private var hasJumped = false

  package init(sampleRate: Double) { pull = Self.pull / sampleRate }

  // MARK: - Realtime

  /// The phase of the next frame, from 0 to less than 1.
  ///
  /// - Parameters:
  ///   - phase: The one that is followed, from 0 to less than 1.
  ///   - jumps: Whether it has come here by a jump.
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

  /// Follows phases in a row, none of them reached by a jump, where no earlier jump is left to glide
  /// over: the phases are then its own. Returns false, and does nothing, where one is left.
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

  /// Within half a period to either side.
  @_noLocks
  private static func wrapped(_ difference: Double) -> Double {
    difference > 0.5 ? difference - 1 : (difference < -0.5 ? difference + 1 : difference)
  }

  /// Makes the next frame a first one.
  @_noLocks
  package mutating func reset() {
    rest()
    last = .nan
    step = 0
    hasJumped = false
  }
}
