package import FxAudio
import Synchronization

/// Opens the sound file of a region at its first frame.
package typealias RegionOpener = @Sendable (_ file: String) throws(Failure) -> any AudioSource

/// Plays a schedule: each frame is the sum of the sounding regions, in the order of the schedule.
///
/// A sample is the sum, in single precision and starting from zero, of the regions' samples times
/// their `amplitude(at:)`. It depends only on the schedule and the files.
package final class PlayerSource: AudioSource {
  package let name: String
  package let format: StreamFormat
  package let board: PlayerBoard
  package var regions: PlayerBoard? { board }
  private let open: RegionOpener
  private var schedule: Schedule
  private var version = 0
  /// Indices of the regions, sorted by their beginnings.
  private var queue: [Int] = []
  /// The position in `queue` of the first region that has not begun.
  private var next = 0
  /// Readers of the sounding regions, in the order of the schedule.
  private var sounding: [RegionReader] = []
  private let openings: RegionOpenings
  private var position = 0
  private var told: [String] = []
  static let blockFrameCount = 4096
  /// The file of a region is opened this many seconds before the region begins.
  private static let openingSeconds = 5.0
  /// The most files that are opened ahead.
  private static let openingLimit = 16

  package init(
    _ name: String, _ schedule: Schedule, quality: RateConversion.Quality = .veryHigh,
    _ open: @escaping RegionOpener
  ) {
    self.name = name
    self.open = open
    self.schedule = schedule
    format = schedule.format
    board = PlayerBoard(schedule)
    openings = RegionOpenings(
      open, RateConversion(to: schedule.format.sampleRate, quality))
    sort()
    openAhead()
  }

  package var frameCount: Int? { schedule.frameCount }

  package var warnings: [String] { told + sounding.flatMap(\.warnings) }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = adoptChanges(frameCount)
    guard count > 0 else { return 0 }
    for channel in 0..<format.channelCount { channels[channel].update(repeating: 0, count: count) }
    try begin(before: position + count)
    for reader in sounding { try add(reader, count, at: position, to: channels) }
    position += count
    for reader in sounding where reader.region.end <= position { note(reader.warnings) }
    sounding.removeAll { $0.region.end <= position }
    openAhead()
    return count
  }

  package func seek(toFrame frame: Int) throws(Failure) {
    position = max(frame, 0)
    sounding.removeAll {
      note($0.warnings)
      return true
    }
    // The regions at the new position begin again.
    next = 0
    openings.cancel()
  }

  /// Adopts changes of the schedule. Returns how many frames to read now.
  private func adoptChanges(_ frameCount: Int) -> Int {
    let (changed, count) = board.state.withLock { state -> (Schedule?, Int) in
      let end = state.schedule.frameCount ?? .max
      let count = min(frameCount, Self.blockFrameCount, max(end - position, 0))
      state.readFrame = position + count
      state.isOver = count == 0 && frameCount > 0
      defer { version = state.version }
      return (state.version == version ? nil : state.schedule, count)
    }
    guard let changed else { return count }
    schedule = changed
    for reader in sounding { reader.region = schedule.regions[reader.order] }
    sort()
    next = 0
    return count
  }

  private func sort() {
    queue = schedule.regions.indices.sorted {
      (schedule.regions[$0].begin, $0) < (schedule.regions[$1].begin, $1)
    }
  }

  private func begin(before frame: Int) throws(Failure) {
    while next < queue.count, schedule.regions[queue[next]].begin < frame {
      let order = queue[next]
      next += 1
      let region = schedule.regions[order]
      guard region.end > position, region.frameCount != 0 else {
        openings.discard(order)
        continue
      }
      // After a change of the schedule all regions are checked again.
      guard !sounding.contains(where: { $0.order == order }) else { continue }
      let reader = try openings.take(region, order: order)
      let place = sounding.firstIndex { $0.order > order } ?? sounding.count
      sounding.insert(reader, at: place)
    }
  }

  private func openAhead() {
    let horizon = position + Int(Self.openingSeconds * format.sampleRate)
    var index = next
    while index < queue.count, index < next + Self.openingLimit,
      schedule.regions[queue[index]].begin < horizon
    {
      let order = queue[index]
      if schedule.regions[order].end > position {
        openings.prepare(schedule.regions[order], order: order)
      }
      index += 1
    }
  }

  package func beginUrgentRegions(in ring: PlanarRing, lead: Int) {
    while let (number, region) = board.state.withLock({ $0.urgent.first }) {
      let outcome: Result<PlayerBoard.Placement, Failure>
      do throws(Failure) {
        outcome = .success(try begin(region, in: ring, lead: lead))
      } catch {
        outcome = .failure(error)
      }
      board.state.withLock { state in
        state.urgent.removeFirst()
        state.begun[number] = outcome
      }
    }
  }

  /// Adds a region as the last one of the schedule. Frames that were read already are the sum of all others,
  /// so adding it to them gives the same bits as reading them again.
  private func begin(
    _ asked: ScheduledRegion, in ring: PlanarRing, lead: Int
  ) throws(Failure) -> PlayerBoard.Placement {
    var region = asked
    region.begin = position
    let reader = try openings.take(region, order: -1)
    // Decoded now, so that it is added before the consumer comes.
    try reader.read(from: 0, frameCount: Self.firstFrameCount, into: reader.block)
    region.begin = max(position - ring.readableCount + lead, 0)
    reader.region = region
    board.state.withLock { state in
      reader.order = state.schedule.regions.count
      state.schedule.regions.append(region)
      state.version += 1
      (schedule, version) = (state.schedule, state.version)
    }
    sort()
    next = 0
    sounding.append(reader)
    try add(reader, to: ring)
    return PlayerBoard.Placement(begin: region.begin, lateness: 0)
  }

  private static let firstFrameCount = 512

  /// Adds a region to the frames of a ring that were read already.
  private func add(_ reader: RegionReader, to ring: PlanarRing) throws(Failure) {
    let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: format.channelCount)
    defer { places.deallocate() }
    var frame = reader.region.begin
    while frame < position {
      var count = min(
        position - frame,
        frame == reader.region.begin ? Self.firstFrameCount : Self.blockFrameCount)
      for channel in 0..<format.channelCount {
        let (place, beforeWrap) = ring.writtenPointer(channel, framesAgo: position - frame)
        (places + channel).initialize(to: place)
        count = min(count, beforeWrap)
      }
      try add(reader, count, at: frame, to: UnsafePointer(places))
      ring.advanceHead(0)
      frame += count
    }
  }

  /// Adds a region to `count` frames from `position` on.
  private func add(
    _ reader: RegionReader, _ count: Int, at position: Int,
    to channels: UnsafePointer<UnsafeMutablePointer<Float>>
  ) throws(Failure) {
    let region = reader.region
    let first = max(region.begin - position, 0)
    let end = min(region.end - position, count)
    guard first < end else { return }
    let start = position + first - region.begin
    try reader.read(from: start, frameCount: end - first, into: reader.block)
    var done = 0
    while done < end - first {
      let amplitude = region.amplitude(at: start + done)
      let run = max(min(region.steadyCount(from: start + done), end - first - done), 1)
      for channel in 0..<format.channelCount {
        let target = channels[channel] + (first + done)
        let own =
          region.width == 1 ? region.channels[...] : region.channels[channel...channel]
        let share = amplitude / Float(own.count)
        for number in own {
          let source = reader.block[number] + done
          for frame in 0..<run { target[frame] += source[frame] * share }
        }
      }
      done += run
    }
  }

  private func note(_ warnings: [String]) {
    for warning in warnings where told.count < 100 && !told.contains(warning) {
      told.append(warning)
    }
  }
}
