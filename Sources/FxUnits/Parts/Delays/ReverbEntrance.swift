import FxAudio

/// The gain of what enters a reverb's network.
///
/// When the losses grow, more must enter, but the sound of the past still leaves the lines. The
/// power that enters therefore rises only as fast as the lines lose the old sound: from none to all
/// in the time of the longest line.
///
/// Render thread.
struct ReverbEntrance: BitwiseCopyable {
  /// The largest rise of `power` in a stretch.
  private let rise: Float
  /// The power that enters, after the losses of one pass, as a share of the power of the output.
  private var power: Float = 0

  /// - Parameter longestLine: In frames; nil when the gain follows the losses at once.
  init(longestLine: Int?) {
    rise = longestLine.map { Float(ReverbNetwork.stretch) / Float(max($0, 1)) } ?? .infinity
  }

  // MARK: - Realtime

  /// True when the gain does not change as long as the losses do not.
  @_noLocks
  func isStill(_ losses: borrowing ReverbLosses) -> Bool { power == losses.enteringPower }

  /// The gain at the end of a stretch.
  @_noLocks
  mutating func gain(_ losses: borrowing ReverbLosses, isFirst: Bool) -> Float {
    let target = losses.enteringPower
    guard !isFirst, target - power > rise else {
      power = target
      return losses.inputGain
    }
    power += rise
    return losses.inputGain * Math.squareRoot(power / target)
  }
}
