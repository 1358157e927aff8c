package import FxAudio

/// A piece of a sound file, and when and how a player plays it.
package struct PlayerRegion: Sendable, Hashable {
  /// Where a region begins, before its offset.
  package enum Anchor: Sendable, Hashable {
    /// At the end of the region before it in the list; the first at the beginning.
    case previous
    case time(ScheduleTime)
    /// At the end of the region of this id.
    case after(String)
    /// With the beginning of the region of this id.
    case with(String)
  }

  /// Where a region ends at the latest.
  package enum Limit: Sendable, Hashable {
    case time(ScheduleTime)
    /// The end of the region of this id.
    case end(String)
  }

  /// How the level goes up or down over a time.
  package struct Fade: Sendable, Hashable {
    package var time: ScheduleTime
    package var curve: FadeCurve

    package init(_ time: ScheduleTime, _ curve: FadeCurve) {
      self.time = time
      self.curve = curve
    }
  }

  package var id: String?
  /// A path, or the name of an input.
  package var file: String
  package var anchor = Anchor.previous
  package var offset: ScheduleTime?
  package var until: Limit?
  /// Where the piece begins in the file.
  package var start: ScheduleTime?
  /// How long the piece is, in the file; nil for the rest.
  package var duration: ScheduleTime?
  /// How often the piece is played; nil for ever.
  package var playCount: Int? = 1
  /// Decibels.
  package var gain = 0.0
  package var fadeIn: Fade?
  package var fadeOut: Fade?
  /// Overlaps the region that it comes after, and fades over from it.
  package var crossfade: Fade?
  package var isReversed = false
  /// How fast the piece is played; its pitch follows, or is kept.
  package var speed = 1.0
  package var keepsPitch = false
  /// Channels of the file, from 1, in the order in which they are played; empty for all.
  package var channels: [Int] = []

  package init(file: String) { self.file = file }

  /// With seconds in place of beats.
  package func timed(_ tempo: TempoMap) -> PlayerRegion {
    var region = self
    if case .time(let time) = anchor { region.anchor = .time(time.timed(tempo, isMoment: true)) }
    if case .time(let time)? = until { region.until = .time(time.timed(tempo, isMoment: true)) }
    region.offset = offset?.timed(tempo, isMoment: false)
    region.start = start?.timed(tempo, isMoment: false)
    region.duration = duration?.timed(tempo, isMoment: false)
    for path in [\PlayerRegion.fadeIn, \.fadeOut, \.crossfade] {
      if let fade = self[keyPath: path] {
        region[keyPath: path] = Fade(fade.time.timed(tempo, isMoment: false), fade.curve)
      }
    }
    return region
  }

  /// True where a time is in beats.
  package var hasBeats: Bool {
    var times = [offset, start, duration, fadeIn?.time, fadeOut?.time, crossfade?.time]
    if case .time(let time) = anchor { times.append(time) }
    if case .time(let time)? = until { times.append(time) }
    return times.contains { $0?.isInBeats ?? false }
  }
}

/// What is wrong with a region of a schedule.
package struct RegionMistake: Sendable, Hashable {
  /// Its place in the list, from 0.
  package let region: Int
  /// The key that it is about; nil for the region as a whole.
  package let key: String?
  package let message: String
  package let hint: String?

  package init(_ region: Int, _ key: String?, _ message: String, hint: String? = nil) {
    self.region = region
    self.key = key
    self.message = message
    self.hint = hint
  }
}
