package import FxAudio

/// Divides a sound into files. Each file gets its final name when its part ends. Together the files
/// have the samples of a single file.
package final class SplitSink: AudioSink {
  /// A file that was written.
  package struct Part: Sendable, Hashable {
    package let name: String
    /// Counted from 1.
    package let number: Int
    package let title: String?
    /// The first frame in the whole sound.
    package let startFrame: Int
    /// The levels of its file.
    package let statistics: SinkStatistics
    /// True if the part is incomplete.
    package let isPartial: Bool

    package var frameCount: Int { statistics.frameCount }
    package var peak: Float { statistics.peak }
  }

  /// What a part is called.
  private struct Label {
    var title: String?
    /// Tags of its own, by key.
    var texts: [String: String] = [:]
  }

  private typealias Cut = (frame: Int, label: Label)

  /// The settings for dividing a sound, in addition to those of the file format.
  package struct Plan {
    package var rule: SplitRule
    package var silence = SilenceRule()
    package var names: PartNames
    /// For `SplitRule.chapters`.
    package var chapters: [SoundTags.Chapter] = []
    /// The tags of the whole sound; nil if the parts have none.
    package var tags: SoundTags?

    package init(_ rule: SplitRule, _ names: PartNames) {
      self.rule = rule
      self.names = names
    }
  }

  /// Opens the file of a part, which continues where the previous part ended.
  package typealias Opener = (
    _ path: String, _ previous: (part: FileSink, frameCount: Int)?
  ) throws(Failure) -> FileSink

  package let name: String
  package let format: StreamFormat
  /// Of the complete parts and the current one.
  package var statistics: SinkStatistics {
    var statistics = finished
    if !isEnded { statistics.append(current.statistics) }
    return statistics
  }
  /// The complete parts. After `finish` or `abandon` also the last one, even if it is incomplete.
  package private(set) var parts: [Part] = []
  package var nextFrame: Int { position }

  private var finished: SinkStatistics
  private var isEnded = false
  private var plan: Plan
  private let open: Opener
  private let divider: SilenceDivider?
  /// The frames at which parts begin, sorted.
  private var cuts: ArraySlice<Cut> = []
  private var current: FileSink
  private var path: String
  /// Of the current part.
  private var label = Label()
  private var start: Int?
  private var position = 0
  private var isCutDue = false
  private var due = Label()
  private let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Frames between two checks of the file size.
  private static let sizeStep = 1024

  /// Opens the first part, so that an error is reported at once.
  package init(_ plan: Plan, _ format: StreamFormat, _ open: @escaping Opener) throws(Failure) {
    self.format = format
    self.open = open
    name = plan.names.template.text
    finished = SinkStatistics(channelCount: format.channelCount)
    divider = plan.rule == .silence ? SilenceDivider(plan.silence, format) : nil
    var cuts: [Cut] = []
    switch plan.rule {
    case .times(let times): cuts = times.map { (Self.frame($0, format), Label()) }
    case .chapters:
      cuts = plan.chapters.map {
        (Self.frame($0.start, format), Label(title: $0.title, texts: $0.texts))
      }
    case .silence, .every, .size: break
    }
    if let first = cuts.first, first.frame == 0 {
      label = first.label
      cuts.removeFirst()
    } else if cuts.first?.label.texts["tracknumber"] != nil {
      // Sound before the first track of an album.
      label.texts["tracknumber"] = "0"
    }
    self.cuts = cuts[...]
    var plan = plan
    path = plan.names.name(1, title: label.title)
    self.plan = plan
    current = try Self.opened(path, nil, open)
    cursors = .allocate(capacity: max(format.channelCount, 1))
  }

  deinit { cursors.deallocate() }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    if let divider {
      return try divider.take(channels, frameCount: frameCount) { (step) throws(Failure) in
        try follow(step)
      }
    }
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, framesToCut())
      try put(channels, from: done, count)
      done += count
    }
  }

  package func rest() throws(Failure) { try current.rest() }

  package func complete() throws(Failure) {
    try divider?.finish { (step) throws(Failure) in try follow(step) }
    current.tags = tags(of: position)
    try current.complete()
  }

  package func finish() throws(Failure) {
    try complete()
    try current.finish()
    remember(path)
    isEnded = true
  }

  /// Complete parts are kept.
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    if keepingPartial { try? divider?.finish { (step) throws(Failure) in try follow(step) } }
    current.tags = tags(of: position)
    let partial = try current.abandon(keepingPartial: keepingPartial)
    if let partial {
      remember(partial, isPartial: true)
      isEnded = true
    }
    return partial
  }

  private func follow(_ step: SilenceDivider.Step) throws(Failure) {
    switch step {
    case .write(let channels, let offset, let count): try put(channels, from: offset, count)
    case .skip(let count): position += count
    case .cut: isCutDue = true
    }
  }

  private static func frame(_ seconds: Double, _ format: StreamFormat) -> Int {
    Int(min(seconds * format.sampleRate, 1e15).rounded())
  }

  /// Frames to write before the next check, at least one. Marks a cut that is due here.
  private func framesToCut() -> Int {
    let written = position - (start ?? position)
    switch plan.rule {
    case .every(let seconds):
      var next = Self.frame(Double(parts.count + 1) * seconds, format)
      if next <= position, written > 0 {
        isCutDue = true
        next = Self.frame(Double(parts.count + 2) * seconds, format)
      }
      return max(next - position, 1)
    case .times, .chapters:
      while let cut = cuts.first, cut.frame <= position {
        isCutDue = true
        due = cut.label
        cuts.removeFirst()
      }
      return cuts.first.map { $0.frame - position } ?? .max
    case .size(let bytes):
      let step = written % Self.sizeStep
      if step == 0, written > 0, current.byteCount + current.reserve(Self.sizeStep) > bytes {
        isCutDue = true
      }
      return Self.sizeStep - step
    case .silence: return .max
    }
  }

  private func put(
    _ channels: UnsafePointer<UnsafePointer<Float>>, from offset: Int, _ frameCount: Int
  ) throws(Failure) {
    guard frameCount > 0 else { return }
    if isCutDue { try beginPart() }
    if start == nil { start = position }
    for channel in 0..<format.channelCount {
      (cursors + channel).initialize(to: channels[channel] + offset)
    }
    try current.write(UnsafePointer(cursors), frameCount: frameCount)
    position += frameCount
  }

  private func beginPart() throws(Failure) {
    isCutDue = false
    current.tags = tags(of: position)
    try current.finish()
    remember(path)
    label = due
    due = Label()
    start = nil
    path = plan.names.name(parts.count + 1, title: label.title)
    current = try Self.opened(path, (current, finished.frameCount), open)
  }

  private static func opened(
    _ path: String, _ previous: (part: FileSink, frameCount: Int)?, _ open: Opener
  ) throws(Failure) -> FileSink {
    let part = try open(path, previous)
    guard part.isFile else {
      throw Failure(
        .unwritable, path, "the parts of a sound are files, and this is a pipe or a device")
    }
    return part
  }

  private func remember(_ name: String, isPartial: Bool = false) {
    let first = start ?? position
    finished.append(current.statistics)
    parts.append(
      Part(
        name: name, number: parts.count + 1, title: label.title, startFrame: first,
        statistics: current.statistics, isPartial: isPartial))
  }

  /// The tags of the current part, which ends at the frame `end`.
  private func tags(of end: Int) -> SoundTags {
    guard var tags = plan.tags else { return SoundTags() }
    let rate = format.sampleRate
    let first = Double(start ?? position) / rate
    tags.set("tracknumber", to: "\(parts.count + 1)")
    if let title = label.title, !title.isEmpty { tags.set("title", to: title) }
    for (key, text) in label.texts { tags.set(key, to: text) }
    if plan.rule == .chapters {
      tags.chapters = []
    } else {
      tags.chapters = tags.chapters.compactMap {
        $0.moved(by: -first, within: Double(end) / rate - first)
      }
    }
    return tags
  }
}
