import FxAudio
import Synchronization

/// Opens files on its own thread before their regions begin, so that the player does not wait for a
/// slow disk.
final class RegionOpenings: @unchecked Sendable {
  // Sendable: a reader belongs to the opening thread until it is taken; the state has a lock.
  private struct State {
    var waiting: [(order: Int, region: ScheduledRegion)] = []
    /// The region whose file is being opened; nil if none is, or if the region will not begin.
    var current: Int?
    var done: [Int: Result<RegionReader, Failure>] = [:]
    var isStopped = false
  }

  private let open: RegionOpener
  private let conversion: RateConversion
  private let state = Mutex(State())
  private let opener = Sleeper.make()
  private let taker = Sleeper.make()
  private var thread: WorkerThread?

  init(_ open: @escaping RegionOpener, _ conversion: RateConversion) {
    self.open = open
    self.conversion = conversion
  }

  deinit {
    state.withLock { $0.isStopped = true }
    opener.wake()
    thread?.join()
    opener.destroy()
    taker.destroy()
  }

  /// Queues the file of a region for opening. Without a thread it is opened when it is taken.
  func prepare(_ region: ScheduledRegion, order: Int) {
    let isNew = state.withLock { state -> Bool in
      guard state.done[order] == nil, state.current != order,
        !state.waiting.contains(where: { $0.order == order })
      else { return false }
      state.waiting.append((order, region))
      return true
    }
    guard isNew else { return }
    if thread == nil {
      var code: Int32 = 0
      // Unretained, because `deinit` stops and joins the thread.
      let context = Unmanaged.passUnretained(self)
      thread = WorkerThread(failure: &code) { context.takeUnretainedValue().run() }
    }
    opener.wake()
  }

  /// The reader of a region. Waits if its file is being opened.
  func take(_ region: ScheduledRegion, order: Int) throws(Failure) -> RegionReader {
    var found: Result<RegionReader, Failure>?
    state.withLock { state in
      state.waiting.removeAll { $0.order == order }
      found = state.done.removeValue(forKey: order)
    }
    while found == nil, state.withLock({ $0.current == order || $0.done[order] != nil }) {
      taker.sleep(seconds: 1) { state.withLock { $0.done[order] != nil } }
      found = state.withLock { $0.done.removeValue(forKey: order) }
    }
    guard let found else {
      return try RegionReader(region, order: order, conversion, open)
    }
    let reader = try found.get()
    // The end of the region may have moved since its file was opened.
    reader.region = region
    return reader
  }

  /// Closes the file of a region that will not begin.
  func discard(_ order: Int) {
    state.withLock { state in
      state.waiting.removeAll { $0.order == order }
      state.done[order] = nil
      if state.current == order { state.current = nil }
    }
  }

  /// Closes the files of all regions that have not begun.
  func cancel() {
    state.withLock { state in
      state.waiting = []
      state.done = [:]
      state.current = nil
    }
  }

  private func run() {
    while true {
      let job = state.withLock { state -> (order: Int, region: ScheduledRegion)? in
        guard !state.isStopped, !state.waiting.isEmpty else { return nil }
        let job = state.waiting.removeFirst()
        state.current = job.order
        return job
      }
      guard let job else {
        if state.withLock({ $0.isStopped }) { return }
        opener.sleep(seconds: 60) { state.withLock { $0.isStopped || !$0.waiting.isEmpty } }
        continue
      }
      let result: Result<RegionReader, Failure>
      do throws(Failure) {
        result = .success(
          try RegionReader(job.region, order: job.order, conversion, open))
      } catch {
        result = .failure(error)
      }
      state.withLock { state in
        guard state.current == job.order else { return }
        state.current = nil
        state.done[job.order] = result
      }
      taker.wake()
    }
  }
}
