/// A part of a sound file, and when and how a player plays it.
package struct PlayerRegion: Sendable, Hashable {
  /// Where a region begins, without its offset.
  package enum Anchor: Sendable, Hashable {
    /// At the end of the region before it in the list; the first region at time 0.
    case previous
    case time(ScheduleTime)
    /// At the end of the region with this id.
    case after(String)
    /// At the start of the region with this id.
    case with(String)
  }

  /// The latest end of a region.
  package enum Limit: Sendable, Hashable {
    case time(ScheduleTime)
    /// The end of the region with this id.
    case end(String)
  }

  /// A fade's duration and curve.
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
  /// The start in the file.
  package var start: ScheduleTime?
  /// The length in the file; nil for the rest.
  package var duration: ScheduleTime?
  /// How often it is played; nil: repeated without end.
  package var playCount: Int? = 1
  /// Decibels.
  package var gain = 0.0
  package var fadeIn: Fade?
  package var fadeOut: Fade?
  /// The overlap with the region that it follows, as a crossfade.
  package var crossfade: Fade?
  package var isReversed = false
  /// The playing speed. The pitch follows, unless `keepsPitch` is set.
  package var speed = 1.0
  package var keepsPitch = false
  /// Channels of the file, from 1, in playing order; empty for all.
  package var channels: [Int] = []
  /// Plays the mean of these channels.
  package var isMono = false
  /// Warns when the file has channels that are not played.
  package var reportsOmissions = false

  package init(file: String) { self.file = file }

  /// The region with beats converted to seconds.
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

  /// True where a time is in beats or notes.
  package var hasBeats: Bool {
    var times = [offset, start, duration, fadeIn?.time, fadeOut?.time, crossfade?.time]
    if case .time(let time) = anchor { times.append(time) }
    if case .time(let time)? = until { times.append(time) }
    return times.contains { $0?.isInBeats ?? false }
  }
}

/// An error in a region of a schedule.
package struct RegionMistake: Sendable, Hashable {
  /// Its index in the list, from 0.
  package let region: Int
  /// The key with the error; nil for the whole region.
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
