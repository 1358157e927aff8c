import CRealtime
import Synchronization

/// Processes numbered pieces of work on several threads and reports the results in order.
package final class WorkQueue<Result: Sendable>: Sendable {
  /// The work for one piece; nil if it was given up because `isUnwanted` returned true.
  package typealias Work = @Sendable (_ index: Int, _ isUnwanted: () -> Bool) -> Result?

  private struct State {
    var results: [Result?]
    var running: Set<Int> = []
    var next = 0
    var reported = 0
    var finished = 0
    /// Pieces from this index on are no longer wanted.
    var end: Int
  }

  private let state: Mutex<State>
  private let count: Int
  private let work: Work
  private let isStopped: @Sendable () -> Bool
  private let isLast: @Sendable (Result) -> Bool
  private let report: @Sendable (Int, Result) -> Void
  private let progress: @Sendable (_ finished: Int, _ running: [Int]) -> Void

  /// - Parameters:
  ///   - isStopped: true when nothing more is wanted.
  ///   - isLast: true for a result after which nothing more is wanted.
  ///   - report: called with each result in order, one at a time, and never after the last one.
  ///   - progress: called when a piece begins or ends.
  package init(
    count: Int, work: @escaping Work, isStopped: @escaping @Sendable () -> Bool,
    isLast: @escaping @Sendable (Result) -> Bool,
    report: @escaping @Sendable (Int, Result) -> Void,
    progress: @escaping @Sendable (_ finished: Int, _ running: [Int]) -> Void
  ) {
    self.count = count
    self.work = work
    self.isStopped = isStopped
    self.isLast = isLast
    self.report = report
    self.progress = progress
    state = Mutex(State(results: Array(repeating: nil, count: count), end: count))
  }

  /// Processes all pieces, `jobs` at the same time.
  package func run(jobs: Int) {
    let body = Body { self.takePieces() }
    var threads: [UInt64] = []
    for _ in 0..<min(max(jobs, 1), count) {
      var thread: UInt64 = 0
      let error = fx_thread_start(
        &thread, 0,
        { body in
          if let body { Unmanaged<Body>.fromOpaque(body).takeUnretainedValue().run() }
          return nil
        }, Unmanaged.passUnretained(body).toOpaque())
      if error == 0 { threads.append(thread) }
    }
    // If no thread could start, do the work here.
    if threads.isEmpty { takePieces() }
    for thread in threads { fx_thread_join(thread) }
    withExtendedLifetime(body) {}
  }

  /// Results that were not reported, after `run`.
  var untold: [Result] { state.withLock { $0.results.compactMap { $0 } } }

  private func takePieces() {
    while let index = begin() {
      let result = work(index) { isStopped() || state.withLock { index >= $0.end } }
      end(index, result)
    }
  }

  private func begin() -> Int? {
    guard !isStopped() else { return nil }
    return state.withLock { state in
      guard state.next < state.end else { return nil }
      let index = state.next
      state.next += 1
      state.running.insert(index)
      progress(state.finished, state.running.sorted())
      return index
    }
  }

  private func end(_ index: Int, _ result: Result?) {
    state.withLock { state in
      state.running.remove(index)
      state.results[index] = result
      if let result {
        state.finished += 1
        if isLast(result) { state.end = min(state.end, index + 1) }
      }
      while state.reported < state.end, let result = state.results[state.reported] {
        // The queue drops each result after reporting it.
        state.results[state.reported] = nil
        report(state.reported, result)
        state.reported += 1
      }
      progress(state.finished, state.running.sorted())
    }
  }
}

/// The thread body, passed through C.
private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
