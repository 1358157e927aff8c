/// A time in a schedule, in the chain's unit.
package enum ScheduleTime: Sendable, Hashable {
  case seconds(Double)
  /// Frames of the player.
  case frames(Int)
  /// Beats of the chain's tempo.
  case beats(Double)
  /// Whole notes of the chain's tempo.
  case wholeNotes(Double)

  /// The nearest frame; nil for beats and notes, which must first be converted to seconds.
  package func frame(sampleRate: Double) -> Int? {
    switch self {
    case .seconds(let seconds):
      let frame = (seconds * sampleRate).rounded()
      return abs(frame) < 1e15 ? Int(frame) : nil
    case .frames(let count): return count
    case .beats, .wholeNotes: return nil
    }
  }

  /// Converts beats and notes to seconds. A moment counts from the beginning; a length uses the first
  /// tempo. Notes stay as they are where the note that is a beat changes.
  func timed(_ tempo: TempoMap, isMoment: Bool) -> ScheduleTime {
    let beats: Double
    switch self {
    case .beats(let count): beats = count
    case .wholeNotes(let count):
      guard let unit = tempo.beatUnit else { return self }
      beats = count * Double(unit)
    case .seconds, .frames: return self
    }
    return .seconds(
      isMoment ? tempo.seconds(atBeat: beats) : beats * 60 / tempo.initialTempo)
  }

  var isInBeats: Bool {
    switch self {
    case .beats, .wholeNotes: true
    case .seconds, .frames: false
    }
  }
}
