import FxAudio

/// A time of a schedule, as the chain gives it.
package enum ScheduleTime: Sendable, Hashable {
  case seconds(Double)
  /// Frames of the player.
  case frames(Int)
  /// Beats of the chain's tempo.
  case beats(Double)

  /// The nearest frame; nil for beats, which a tempo has to turn into seconds first.
  package func frame(sampleRate: Double) -> Int? {
    switch self {
    case .seconds(let seconds):
      let frame = (seconds * sampleRate).rounded()
      return abs(frame) < 1e15 ? Int(frame) : nil
    case .frames(let count): return count
    case .beats: return nil
    }
  }

  /// Seconds in place of beats: of a moment that counts from the beginning, or of a length, which goes
  /// by the first tempo.
  func timed(_ tempo: TempoMap, isMoment: Bool) -> ScheduleTime {
    guard case .beats(let beats) = self else { return self }
    return .seconds(
      isMoment ? tempo.seconds(atBeat: beats) : beats * 60 / tempo.initialTempo)
  }

  var isInBeats: Bool { if case .beats = self { true } else { false } }
}
