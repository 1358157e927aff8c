/// A time in a schedule, in the chain's unit.
package enum ScheduleTime: Sendable, Hashable {
  case seconds(Double)
  /// Frames of the player.
  case frames(Int)
  /// Beats of the chain's tempo.
  case beats(Double)

  /// The nearest frame; nil for beats, which must first be converted to seconds.
  package func frame(sampleRate: Double) -> Int? {
    switch self {
    case .seconds(let seconds):
      let frame = (seconds * sampleRate).rounded()
      return abs(frame) < 1e15 ? Int(frame) : nil
    case .frames(let count): return count
    case .beats: return nil
    }
  }

  /// Converts beats to seconds. A moment counts from the beginning; a length uses the first tempo.
  func timed(_ tempo: TempoMap, isMoment: Bool) -> ScheduleTime {
    guard case .beats(let beats) = self else { return self }
    return .seconds(
      isMoment ? tempo.seconds(atBeat: beats) : beats * 60 / tempo.initialTempo)
  }

  var isInBeats: Bool { if case .beats = self { true } else { false } }
}
