package import FxAudio
import Synchronization

/// The state that the reading thread shares with the threads that observe it or queue regions.
package final class PlayerBoard: Sendable {
  /// The position that a queued region was given.
  package struct Placement: Sendable, Hashable {
    /// Its first frame in the player.
    package let begin: Int
    /// Frames by which it begins later than requested.
    package let lateness: Int
  }

  struct State {
    var schedule: Schedule
    /// Increases with every change of the schedule.
    var version = 0
    /// The first frame that was not read yet.
    var readFrame = 0
    /// The end was reached; nothing more is read.
    var isOver = false
    /// Regions that are to sound at once, by number, and how that went.
    var urgent: [(number: Int, region: ScheduledRegion)] = []
    var begun: [Int: Result<Placement, Failure>] = [:]
    var lastNumber = 0
    /// Wakes the thread that reads ahead; nil where nobody does.
    var wake: (@Sendable () -> Void)?
  }

  let state: Mutex<State>
  package let format: StreamFormat
  /// The most regions of a schedule, queued ones included.
  static let regionLimit = 100_000
  /// The fade-out in seconds of a region that is ended early.
  static let endingSeconds = 0.02

  init(_ schedule: Schedule) {
    format = schedule.format
    state = Mutex(State(schedule: schedule))
  }

  package var schedule: Schedule { state.withLock { $0.schedule } }

  /// The requested beginning of a queued region.
  package enum Time: Sendable, Hashable {
    /// After the last region, or as soon as possible if that has ended.
    case last
    /// As soon as possible.
    case now
    case frame(Int)
  }

  /// Adds a region at the requested time, or as soon as possible. nil when the end was reached or
  /// the schedule is full.
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

  /// Asks for a region to sound at once, also in frames that were read ahead. Returns a number for
  /// `placement(of:)`; nil when the end was reached, the schedule is full, or nobody reads ahead.
  package func beginAtOnce(_ region: ScheduledRegion) -> Int? {
    let (number, wake) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
      guard !state.isOver, let wake = state.wake,
        state.schedule.regions.count + state.urgent.count < Self.regionLimit
      else { return (nil, nil) }
      state.lastNumber += 1
      state.urgent.append((state.lastNumber, region))
      return (state.lastNumber, wake)
    }
    wake?()
    return number
  }

  /// The place of a region that was to sound at once, or why it does not; nil until it is known. Returned
  /// once.
  package func placement(of number: Int) -> Result<Placement, Failure>? {
    state.withLock { $0.begun.removeValue(forKey: number) }
  }

  /// Sets what wakes the thread that reads ahead.
  package func wakeReader(with wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

  package var hasUrgentRegions: Bool { state.withLock { !$0.urgent.isEmpty } }

  /// Ends the regions with an id. Sounding regions fade out, and later ones do not begin. Returns
  /// how many there were.
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
