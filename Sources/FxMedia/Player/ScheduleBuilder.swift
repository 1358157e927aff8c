package import FxAudio

/// Turns the regions of a chain into a schedule, and reports every mistake that depends on their
/// files.
package struct ScheduleBuilder {
  /// The end of a region in frames, or none.
  private enum End {
    case frame(Int)
    case never
  }

  /// The limit for beginnings and lengths in frames. Sums of such times cannot overflow.
  private static let frameLimit = 1 << 52

  private let regions: [PlayerRegion]
  /// By file. A file that could not be read is missing here, and was reported already.
  private let files: [String: RegionFile]
  private let sampleRate: Double
  private let names: [String: Int]
  private var scheduled: [ScheduledRegion] = []
  /// The full length of each region in frames, before `until`; nil after a mistake.
  private var lengths: [Int?] = []
  private var begins: [Int?] = []
  private var ends: [End?] = []
  private var mistakes: [RegionMistake] = []

  private init(_ regions: [PlayerRegion], _ files: [String: RegionFile], sampleRate: Double) {
    self.regions = regions
    self.files = files
    self.sampleRate = sampleRate
    names = Dictionary(
      regions.enumerated().compactMap { index, region in region.id.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The schedule, if there is no mistake. Its width is `channelCount`, or that of the widest
  /// region.
  ///
  /// - Parameter files: the facts about the regions' files. Missing files were reported already.
  package static func schedule(
    _ regions: [PlayerRegion], _ files: [String: RegionFile], sampleRate: Double,
    channelCount: Int? = nil
  ) -> (schedule: Schedule?, mistakes: [RegionMistake]) {
    var builder = ScheduleBuilder(regions, files, sampleRate: sampleRate)
    return (builder.schedule(channelCount), builder.mistakes)
  }

  private mutating func schedule(_ channelCount: Int?) -> Schedule? {
    for index in regions.indices { addPiece(index) }
    begins = Array(repeating: nil, count: regions.count)
    ends = Array(repeating: nil, count: regions.count)
    placeAll()
    if mistakes.isEmpty { fadeAll() }
    let widest = scheduled.map(\.width).max() ?? 2
    let width = channelCount ?? widest
    checkWidths(width)
    checkSounding()
    guard mistakes.isEmpty else { return nil }
    return Schedule(
      regions: scheduled, format: StreamFormat(sampleRate: sampleRate, layout: layout(width)))
  }

  /// The layout of the first file of this width that is played with all its channels.
  private func layout(_ width: Int) -> ChannelLayout {
    for region in regions where region.channels.isEmpty && !region.isMono {
      if let layout = files[region.file]?.layout, layout.channelCount == width { return layout }
    }
    return .usual(width)
  }

  private mutating func report(
    _ region: Int, _ key: String?, _ message: String, hint: String? = nil
  ) {
    mistakes.append(RegionMistake(region, key, message, hint: hint))
  }

  // MARK: Pieces

  private mutating func addPiece(_ index: Int) {
    let region = regions[index]
    var piece = ScheduledRegion(id: region.id, file: region.file)
    piece.gain = Math.amplitude(decibels: region.gain)
    piece.isReversed = region.isReversed
    piece.isRepeated = region.playCount != 1
    (piece.isMono, piece.reportsOmissions) = (region.isMono, region.reportsOmissions)
    piece.speed = region.speed
    piece.keepsPitch = region.keepsPitch && region.speed != 1
    var length: Int?
    defer {
      scheduled.append(piece)
      lengths.append(length)
    }
    guard let file = files[region.file] else { return }
    piece.channels =
      region.channels.isEmpty
      ? Array(0..<file.layout.channelCount) : region.channels.map { $0 - 1 }
    if let missing = region.channels.first(where: { $0 > file.layout.channelCount }) {
      report(
        index, "channels",
        "there is no channel \(missing): the file has \(file.layout.channelCount)")
    }
    let whole = soundFrames(file, piece)
    piece.pieceStart = pieceFrames(region.start, region.speed) ?? 0
    guard piece.pieceStart < whole else {
      report(index, "start", "the start lies behind the end of the file, \(seconds(file))")
      return
    }
    piece.pieceLength = whole - piece.pieceStart
    if let wanted = pieceFrames(region.duration, region.speed) {
      guard wanted > 0 else {
        report(index, "duration", "a region of no length cannot be played")
        return
      }
      // Both times were rounded to frames, so they may differ by one.
      guard wanted <= piece.pieceLength + 1 else {
        report(
          index, "duration", "the file ends before that: it lasts \(seconds(file))",
          hint: "leave 'duration' out to play the rest of the file")
        return
      }
      piece.pieceLength = min(wanted, piece.pieceLength)
    }
    guard let count = region.playCount else {
      piece.frameCount = nil
      length = .max
      return
    }
    let (frames, overflow) = piece.pieceLength.multipliedReportingOverflow(by: count)
    guard !overflow, frames < Self.frameLimit else {
      report(index, "loop", "too many repetitions: write \"forever\"")
      return
    }
    piece.frameCount = frames
    length = frames
  }

  /// Frames of the whole file at its speed, with the same rounding as `ResampledSource` and
  /// `StretchedSource`.
  private func soundFrames(_ file: RegionFile, _ piece: ScheduledRegion) -> Int {
    let ratio = sampleRate / (piece.keepsPitch ? file.sampleRate : file.sampleRate * piece.speed)
    let count =
      ratio == 1
      ? file.frameCount : Int(min((Double(file.frameCount) * ratio).rounded(), 1e15))
    return piece.keepsPitch ? StretchedSource.frameCount(count, speed: piece.speed) : count
  }

  /// Converts a time of the file into frames of the piece.
  private func pieceFrames(_ time: ScheduleTime?, _ speed: Double) -> Int? {
    guard let frames = time?.frame(sampleRate: sampleRate) else { return nil }
    if speed == 1 { return frames }
    if case .seconds(let seconds)? = time {
      return Int(min((seconds * sampleRate / speed).rounded(), 1e15))
    }
    return Int((Double(frames) / speed).rounded())
  }

  private func seconds(_ file: RegionFile) -> String {
    "\((Double(file.frameCount) / file.sampleRate * 1000).rounded() / 1000) s"
  }

  // MARK: Places

  /// Each region has two steps: its beginning and its end. A step is placed after the steps that it
  /// depends on.
  private mutating func placeAll() {
    // 0: not visited, 1: being placed, 2: placed.
    var states = [UInt8](repeating: 0, count: 2 * regions.count)
    for first in states.indices where states[first] == 0 {
      var path = [first]
      while let step = path.last {
        guard states[step] != 2 else {
          path.removeLast()
          continue
        }
        states[step] = 1
        guard let waiting = needed(step).first(where: { states[$0] != 2 }) else {
          place(step)
          states[step] = 2
          path.removeLast()
          continue
        }
        guard states[waiting] == 0 else {
          reportCycle(path.drop { $0 != waiting })
          return
        }
        path.append(waiting)
      }
    }
  }

  private mutating func reportCycle(_ path: some Sequence<Int>) {
    var indices: [Int] = []
    for step in path where !indices.contains(step / 2) { indices.append(step / 2) }
    let names = indices.map { regions[$0].id.map { "'\($0)'" } ?? "region \($0 + 1)" }
    report(
      indices.first ?? 0, nil,
      names.count == 1
        ? "\(names[0]) waits for itself"
        : "regions wait for each other: \((names + [names[0]]).joined(separator: " → "))",
      hint: "give one of them a time with 'at'")
  }

  /// The steps that must be placed before `step`.
  private func needed(_ step: Int) -> [Int] {
    let index = step / 2
    let region = regions[index]
    guard step & 1 == 0 else {
      var steps = [2 * index]
      if case .end(let id)? = region.until, let other = names[id] { steps.append(2 * other + 1) }
      return steps
    }
    switch region.anchor {
    case .previous: return index > 0 ? [2 * index - 1] : []
    case .time: return []
    case .after(let id): return names[id].map { [2 * $0 + 1] } ?? []
    case .with(let id): return names[id].map { [2 * $0] } ?? []
    }
  }

  private mutating func place(_ step: Int) {
    let index = step / 2
    if step & 1 == 0 {
      begins[index] = begin(of: index)
      scheduled[index].begin = begins[index] ?? 0
    } else {
      ends[index] = end(of: index)
    }
  }

  private mutating func begin(of index: Int) -> Int? {
    let region = regions[index]
    var begin = 0
    var key: String?
    switch region.anchor {
    case .time(let time):
      guard let frame = time.frame(sampleRate: sampleRate) else { return nil }
      return frame
    case .with(let id):
      guard let other = names[id], let frame = begins[other] else { return nil }
      begin = frame
      key = "with"
    case .previous, .after:
      guard let other = predecessor(of: index) else { break }
      switch ends[other] {
      case .frame(let frame): begin = frame
      case .never:
        report(
          index, "after", "the region that it comes after has no end",
          hint: "say 'until' when that one ends, or 'at' when this one begins")
        return nil
      case nil: return nil
      }
      key = "after"
    }
    if let offset = region.offset?.frame(sampleRate: sampleRate) {
      begin += offset
      key = "offset"
    }
    if let crossfade = region.crossfade?.time.frame(sampleRate: sampleRate) {
      begin -= crossfade
      key = "crossfade"
    }
    guard begin >= 0 else {
      report(index, key, "the region would begin before the schedule does")
      return nil
    }
    guard begin < Self.frameLimit else {
      report(index, key, "the region begins later than a schedule can last")
      return nil
    }
    return begin
  }

  /// The region that this one follows.
  private func predecessor(of index: Int) -> Int? {
    switch regions[index].anchor {
    case .previous: index > 0 ? index - 1 : nil
    case .after(let id): names[id]
    case .time, .with: nil
    }
  }

  private mutating func end(of index: Int) -> End? {
    guard let begin = begins[index], let length = lengths[index] else { return nil }
    var end = length == .max ? Int.max : begin + length
    switch regions[index].until {
    case .time(let time):
      guard let frame = time.frame(sampleRate: sampleRate) else { return nil }
      end = min(end, frame)
    case .end(let id):
      switch names[id].flatMap({ ends[$0] }) {
      case .frame(let frame): end = min(end, frame)
      case .never: break
      case nil: return nil
      }
    case nil: break
    }
    guard end > begin else {
      report(index, "until", "the region would end before it begins")
      return nil
    }
    guard end < .max else { return .never }
    scheduled[index].frameCount = end - begin
    return .frame(end)
  }

  // MARK: Fades

  private mutating func fadeAll() {
    var crossed: Set<Int> = []
    for (index, region) in regions.enumerated() {
      if let fade = region.fadeIn { scheduled[index].fadeIn = length(fade, of: index, "fadeIn") }
      if let fade = region.fadeOut {
        scheduled[index].fadeOut = length(fade, of: index, "fadeOut")
        if scheduled[index].frameCount == nil {
          report(
            index, "fadeOut", "the region has no end to fade out to",
            hint: "say 'until' when it ends")
        }
      }
    }
    for (index, region) in regions.enumerated() {
      guard let crossfade = region.crossfade else { continue }
      guard let other = predecessor(of: index) else {
        report(index, "crossfade", "there is no region before this one to crossfade from")
        continue
      }
      scheduled[index].fadeIn = length(crossfade, of: index, "crossfade")
      guard regions[other].fadeOut == nil, crossed.insert(other).inserted else {
        report(
          index, "crossfade",
          "the region before it has a 'fadeOut' or another crossfade already")
        continue
      }
      let fade = ScheduledRegion.Fade(
        frameCount: scheduled[index].fadeIn.frameCount, curve: crossfade.curve)
      scheduled[other].fadeOut = fade
      if isKnown(other), let frames = scheduled[other].frameCount, fade.frameCount > frames {
        report(
          index, "crossfade", "the crossfade is longer than the region before it")
      }
    }
  }

  /// False if the file cannot be read: its length is unknown, and the error was reported already.
  private func isKnown(_ index: Int) -> Bool { files[regions[index].file] != nil }

  private mutating func length(
    _ fade: PlayerRegion.Fade, of index: Int, _ key: String
  ) -> ScheduledRegion.Fade {
    let frames = fade.time.frame(sampleRate: sampleRate) ?? 0
    if isKnown(index), let count = scheduled[index].frameCount, frames > count {
      let name = key == "crossfade" ? "crossfade" : "fade"
      report(index, key, "the \(name) is longer than the region")
    }
    return ScheduledRegion.Fade(frameCount: frames, curve: fade.curve)
  }

  // MARK: Widths

  private mutating func checkWidths(_ width: Int) {
    for index in regions.indices where files[regions[index].file] != nil {
      let own = scheduled[index].width
      guard own != width, own != 1 else { continue }
      report(
        index, regions[index].channels.isEmpty ? "file" : "channels",
        "a region of \(own) channels does not fit into a player of \(width)",
        hint: "choose its channels: \"channels\": [1] is played on all of them")
    }
  }

  /// Reports the first region that exceeds the limit of regions at the same time.
  private mutating func checkSounding() {
    guard mistakes.isEmpty, regions.count > Schedule.soundingLimit else { return }
    var edges: [(frame: Int, isBegin: Bool, region: Int)] = []
    for (index, region) in scheduled.enumerated() {
      edges.append((region.begin, true, index))
      edges.append((region.end, false, index))
    }
    edges.sort {
      ($0.frame, $0.isBegin ? 1 : 0, $0.region) < ($1.frame, $1.isBegin ? 1 : 0, $1.region)
    }
    var sounding = 0
    for edge in edges {
      sounding += edge.isBegin ? 1 : -1
      guard sounding <= Schedule.soundingLimit else {
        report(
          edge.region, nil,
          "more than \(Schedule.soundingLimit) regions would sound at the same time")
        return
      }
    }
  }
}
