import FxAudio
import FxEngine
import FxMedia

/// Converts chapter times of the main input to times of the rendered sound.
struct ChapterTimes {
  /// The time of the file's start on the render's timeline, in seconds; negative if it is before
  /// the render.
  private var origin = 0.0
  private var speed = 1.0
  /// The part of the render in which the file plays, in seconds.
  private var begin = 0.0
  private var end = Double.infinity
  /// The setting that makes chapters impossible; nil if they are kept.
  private(set) var obstacle: String?

  /// - Parameter source: the main input, with the request's own edits.
  init(_ source: SourceEndpoint?, _ request: RenderRequest, sampleRate: Double) {
    if let source { read(source, sampleRate) }
    if source?.options["cutSilence"] != nil {
      obstacle = request.mainInput.cut == nil ? "'cutSilence'" : "--cut-silence"
    }
    if request.mainInput.isReversed { obstacle = "--reverse" }
    if request.mainInput.playCount != 1 { obstacle = "--repeat" }
    if request.loop != nil { obstacle = "--loop" }
    origin -= request.start
    begin = max(begin - request.start, 0)
    end -= request.start
    if let duration = request.duration { end = min(end, duration) }
  }

  private mutating func read(_ source: SourceEndpoint, _ sampleRate: Double) {
    guard source.regions.count < 2 else {
      obstacle = "a player of several regions"
      return
    }
    guard let region = source.regions.first else { return }
    func seconds(_ time: ScheduleTime?) -> Double? {
      time?.frame(sampleRate: sampleRate).map { Double($0) / sampleRate }
    }
    if region.isReversed { obstacle = "'reverse'" }
    if region.playCount != 1 { obstacle = "'loop'" }
    speed = region.speed
    if case .time(let time) = region.anchor { begin = seconds(time) ?? 0 }
    begin += seconds(region.offset) ?? 0
    origin = begin - (seconds(region.start) ?? 0) / speed
    if let duration = seconds(region.duration) { end = begin + duration / speed }
    if case .time(let time)? = region.until, let limit = seconds(time) { end = min(end, limit) }
  }

  /// The times of the file for a piece of the rendered sound, which `padding` seconds of silence
  /// precede. Silence around the file's sound has the time of its nearest end.
  func source(
    _ from: Double, _ to: Double, padding: Double, length: Double?
  ) -> (start: Double, end: Double)? {
    guard obstacle == nil else { return nil }
    func time(_ moment: Double) -> Double {
      let played = min(max(moment - padding, begin), end)
      return min(max((played - origin) * speed, 0), length ?? .infinity)
    }
    return (time(from), time(to))
  }

  /// The chapters that are played, moved by `padding` seconds of silence before the sound. A
  /// chapter that begins with the render includes that silence.
  func moved(_ chapters: [SoundTags.Chapter], padding: Double) -> [SoundTags.Chapter] {
    guard obstacle == nil else { return [] }
    return chapters.compactMap { chapter in
      let start = max(origin + chapter.start / speed, begin)
      let last = min(chapter.end.map { origin + $0 / speed } ?? .infinity, end)
      guard start < end, last > begin else { return nil }
      var moved = chapter
      moved.start = start > 0 ? start + padding : 0
      moved.end = last.isFinite ? last + padding : nil
      return moved
    }
  }
}
