import CRealtime
import FxKit
import Synchronization

/// Many cases, each rendered in its own process, several at the same time.
package struct Suite: Sendable {
  package var cases: [SuiteCase]
  /// The number of processes at the same time.
  package var jobs = Suite.processorCount
  /// Stop after the first case that does not pass.
  package var failsFast = false
  /// The folder for the files of cases that do not pass.
  package var artifacts: String?
  /// Measures costs after everything else, one case after another.
  package var measuresCost = false
  package var process = CaseProcess()

  package init(_ cases: [SuiteCase]) { self.cases = cases }

  /// Processors that this process may use.
  package static var processorCount: Int { min(256, Int(fx_usable_processor_count())) }

  /// Callbacks as cases begin and end. Only one thread calls them at a time.
  package struct Observer: Sendable {
    /// True to stop the suite.
    package var isStopped: @Sendable () -> Bool = { false }
    /// A case's result, in the order of the cases.
    package var report: @Sendable (SuiteCase, SuiteResult) -> Void = { _, _ in }
    /// The number of finished cases, of all cases, and the cases that are being rendered.
    package var progress: @Sendable (Int, Int, [SuiteCase]) -> Void = { _, _, _ in }

    package init() {}
  }

  /// Compares every case with its golden.
  ///
  /// - Returns: a result for each case; nil for cases that were not needed any more.
  package func check(_ observer: Observer = Observer()) -> [SuiteResult?] {
    let results = Results(cases.count)
    let measured = measuresCost ? cases.indices.filter { cases[$0].testCase.cost != nil } : []
    let isMeasured = Set(measured)
    let isThrough = run(
      Array(cases.indices), jobs: jobs, observer, results,
      work: { index, isUnwanted in
        process.result(
          .check(artifacts: artifacts.map { .init(folder: $0, name: cases[index].fileName) }),
          cases[index].testCase, isUnwanted: isUnwanted)
      },
      report: { index, result in
        // A case with a cost is reported after its measurement.
        if !isMeasured.contains(index) { observer.report(cases[index], result) }
      })
    guard isThrough else {
      for index in measured { results[index].map { observer.report(cases[index], $0) } }
      return results.all
    }
    _ = run(
      measured, jobs: 1, observer, results,
      work: { index, isUnwanted in
        guard let result = results[index], result.verdict.isRendered else { return results[index] }
        return process.result(.cost, cases[index].testCase, isUnwanted: isUnwanted)
          .map { result.joining($0) }
      }, report: { index, result in observer.report(cases[index], result) })
    return results.all
  }

  /// Replaces the goldens that differ, after `observer` has received the changes. Of several cases
  /// with the same golden, the first one makes it and the others are compared with it.
  package func update(_ observer: Observer = Observer()) -> [SuiteResult?] {
    let results = Results(cases.count)
    var owners: [PathKey: Int] = [:]
    for index in cases.indices where owners[PathKey(cases[index].testCase.manifestPath)] == nil {
      owners[PathKey(cases[index].testCase.manifestPath)] = index
    }
    let own = cases.indices.filter { owners[PathKey(cases[$0].testCase.manifestPath)] == $0 }
    let others = cases.indices.filter { owners[PathKey(cases[$0].testCase.manifestPath)] != $0 }
    // A case with a cost measurement must run alone.
    guard
      updateGoldens(own.filter { cases[$0].testCase.cost == nil }, jobs: jobs, observer, results),
      updateGoldens(own.filter { cases[$0].testCase.cost != nil }, jobs: 1, observer, results)
    else { return results.all }
    _ = run(
      others, jobs: jobs, observer, results,
      work: { index, isUnwanted in
        process.result(.check(artifacts: nil), cases[index].testCase, isUnwanted: isUnwanted)
      }, report: { index, result in observer.report(cases[index], result) })
    return results.all
  }

  private func updateGoldens(
    _ indices: [Int], jobs: Int, _ observer: Observer, _ results: Results
  ) -> Bool {
    run(
      indices, jobs: jobs, observer, results,
      work: { index, isUnwanted in
        GoldenUpdate(cases[index].testCase, index: index, process: process)
          .result(isUnwanted: isUnwanted)
      },
      report: { index, result in
        observer.report(cases[index], result)
        guard let draft = result.draft else { return }
        var result = result
        result.draft = nil
        do throws(ChainFailure) {
          (result.written, result.removed) = try draft.commit()
        } catch {
          result.verdict.outcome = .failed(error)
          observer.report(cases[index], result)
        }
        results[index] = result
      })
  }

  /// Processes some of the cases; false if not all were finished.
  private func run(
    _ indices: [Int], jobs: Int, _ observer: Observer, _ results: Results,
    work: @escaping @Sendable (Int, () -> Bool) -> SuiteResult?,
    report: @escaping @Sendable (Int, SuiteResult) -> Void
  ) -> Bool {
    guard !indices.isEmpty else { return true }
    let queue = WorkQueue<SuiteResult>(
      count: indices.count,
      work: { work(indices[$0], $1) },
      isStopped: observer.isStopped,
      isLast: { failsFast && !$0.isGood },
      report: { index, result in
        results[indices[index]] = result
        report(indices[index], result)
      },
      progress: { finished, running in
        observer.progress(finished, indices.count, running.map { cases[indices[$0]] })
      })
    queue.run(jobs: jobs)
    for result in queue.untold { result.draft?.discard() }
    return indices.allSatisfy { results[$0] != nil }
      && !(failsFast && indices.contains { results[$0]?.isGood == false })
  }

  /// The results so far. From any thread.
  private final class Results: Sendable {
    private let results: Mutex<[SuiteResult?]>

    init(_ count: Int) { results = Mutex(Array(repeating: nil, count: count)) }

    var all: [SuiteResult?] { results.withLock { $0 } }

    subscript(index: Int) -> SuiteResult? {
      get { results.withLock { $0[index] } }
      set { results.withLock { $0[index] = newValue } }
    }
  }
}
