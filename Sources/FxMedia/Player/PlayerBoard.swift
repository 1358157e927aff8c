package import FxAudio
import Synchronization

/// What the thread that reads a player and those that look at it or queue regions share.
package final class PlayerBoard: Sendable {
  /// Where a region has come to that was queued.
  package struct Placement: Sendable, Hashable {
    /// Its first frame in the player.
    package let begin: Int
    /// Frames that it begins later than it was to.
    package let lateness: Int
  }

  struct State {
    var schedule: Schedule
    /// Grows with every change of the schedule.
    var version = 0
    /// The first frame that has not been read.
    var readFrame = 0
    /// Nothing more is read.
    var isOver = false
  }

  let state: Mutex<State>
  package let format: StreamFormat
  /// Regions that a schedule may come to have by being queued.
  package static let regionLimit = 100_000
  /// Seconds in which a region fades out that is ended early.
  package static let endingSeconds = 0.02

  init(_ schedule: Schedule) {
    format = schedule.format
    state = Mutex(State(schedule: schedule))
  }

  package var schedule: Schedule { state.withLock { $0.schedule } }

  /// Where a queued region begins.
  package enum Time: Sendable, Hashable {
    /// Behind the last region, or as soon as it can where that is over.
    case last
    /// As soon as it can.
    case now
    case frame(Int)
  }

  /// Adds a region, to begin where it is to or as soon as it can; nil when nothing more is read, or
  /// there are too many.
  package func add(_ region: ScheduledRegion, at time: Time) -> Placement? {
    state.withLock { state in
      guard !state.isOver, state.schedule.regions.count < Self.regionLimit else { return nil }
      let wanted =
        switch time {
        case .last: state.schedule.regions.map(\.end).filter { $0 < .max }.max() ?? 0
        case .now: 0
        case .frame(let frame): frame
        }
      var region = region
      region.begin = max(wanted, state.readFrame)
      state.schedule.regions.append(region)
      state.version += 1
      var lateness = region.begin - wanted
      if case .frame = time {} else { lateness = 0 }
      return Placement(begin: region.begin, lateness: lateness)
    }
  }

  /// Ends the regions of an id: those that sound fade out, those to come do not begin. Returns how many
  /// there were.
  package func remove(_ id: String) -> Int {
    state.withLock { state in
      var count = 0
      let fade = Int((format.sampleRate * Self.endingSeconds).rounded())
      for index in state.schedule.regions.indices {
        let region = state.schedule.regions[index]
        guard region.id == id, region.end > state.readFrame else { continue }
        count += 1
        guard region.begin < state.readFrame else {
          state.schedule.regions[index].frameCount = 0
          continue
        }
        let length = state.readFrame - region.begin + fade
        guard length < region.frameCount ?? .max else { continue }
        state.schedule.regions[index].frameCount = length
        state.schedule.regions[index].fadeOut = .init(frameCount: fade, curve: .linear)
      }
      if count > 0 { state.version += 1 }
      return count
    }
  }
}
