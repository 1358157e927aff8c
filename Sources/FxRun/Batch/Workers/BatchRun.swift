import CRealtime
import FxAudio
import FxChain
import FxChecks
import FxKit
import FxMedia
import Glibc
import Synchronization

/// The supervisor: it gives jobs to workers, replaces workers that end, and writes the journal.
final class BatchRun: Sendable {
  package struct Settings: Sendable {
    package var options: BatchOptions
    /// The number of processes at the same time.
    var workers: Int = BatchRun.usualWorkerCount
    /// The time limit for a file in seconds.
    package var timeout = 3600.0
    /// Render files again that are up to date.
    package var again = false
    /// The warnings of the chain itself, which are the same for every file.
    var chainWarnings: Set<String> = []
    /// The exit status of a single render with this failure.
    package var exitStatus: @Sendable (ChainFailure.Kind) -> Int32 = { _ in 1 }

    package init(_ options: BatchOptions) { self.options = options }
  }

  /// Callbacks as files are finished. Only one thread calls them at a time.
  package struct Observer: Sendable {
    package var record: @Sendable (BatchRecord, BatchTotals) -> Void = { _, _ in }

    package init() {}
  }

  private struct Work {
    let job: BatchJob
    let plan: String
    let byteCount: Int
    /// From an earlier run.
    let last: BatchRecord?
  }

  private struct State {
    var next = 0
    var totals: BatchTotals
    /// Outputs that are being rendered.
    var running: Set<PathKey> = []
  }

  private let settings: Settings
  private let writer: BatchJournalWriter
  private let works: [Work]
  private let stop: StopSignal
  private let observer: Observer
  private let isAbandoned = Atomic<Bool>(false)
  private let state: Mutex<State>
  private let start = fx_monotonic_seconds()

  /// One worker for each processor, and a few more that work while others wait for the disk.
  static var usualWorkerCount: Int { processorCount + max(2, processorCount / 4) }

  /// Processors that this process may use.
  package static var processorCount: Int { Int(fx_usable_processor_count()) }

  package init(
    _ jobs: [BatchJob], _ settings: Settings, _ writer: BatchJournalWriter, stop: StopSignal,
    observer: Observer
  ) {
    self.settings = settings
    self.writer = writer
    self.stop = stop
    self.observer = observer
    let latest = writer.journal.latest
    var keys = BatchPlanKeys(settings.options)
    var totals = BatchTotals(files: jobs.count)
    var works: [Work] = []
    for job in jobs {
      let last = latest[PathKey(job.output)]
      let work = Work(
        job: job, plan: keys.key(of: job),
        byteCount: InputStamp.size(ofFile: job.file.rawPath) ?? 0, last: last)
      if !settings.again, Self.isDone(work), let last,
        last.stamp == InputStamp.stamp(ofFile: job.file.rawPath)
      {
        totals.skipped += 1
      } else {
        works.append(work)
        totals.allBytes += work.byteCount
      }
    }
    self.works = works
    state = Mutex(State(totals: totals))
  }

  /// True if the output of the same plan has its recorded size. The input may have changed.
  private static func isDone(_ work: Work) -> Bool {
    guard let last = work.last, last.plan == work.plan else { return false }
    return last.hasOutput()
  }

  package var totals: BatchTotals {
    state.withLock { state in
      var totals = state.totals
      totals.elapsed = fx_monotonic_seconds() - start
      return totals
    }
  }

  /// Renders all files. After a stop, the files in progress are completed and no others are begun.
  package func run() -> BatchTotals {
    stop.onAbandon { [weak self] in self?.abandon() }
    let options = settings.options.json.text(indented: false)
    let queue = WorkQueue<Int>(
      count: min(settings.workers, max(works.count, 1)),
      work: { index, _ in
        self.work(index + 1, options)
        return index
      }, isStopped: { false }, isLast: { _ in false }, report: { _, _ in }, progress: { _, _ in })
    if !works.isEmpty { queue.run(jobs: settings.workers) }
    writer.sync()
    return totals
  }

  /// Kills the workers and removes their unfinished outputs. From any thread.
  private func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    let running = state.withLock { $0.running }
    // The workers' threads poll the flag every tenth of a second.
    let limit = fx_monotonic_seconds() + 3
    while state.withLock({ !$0.running.isEmpty }), fx_monotonic_seconds() < limit { usleep(10_000) }
    for output in running { FileSink.removeStale(output.path, isFresh: true) }
  }

  private func take() -> Work? {
    guard !stop.isStopped else { return nil }
    return state.withLock { state in
      guard state.next < works.count, state.totals.abortion == nil else { return nil }
      let work = works[state.next]
      state.next += 1
      state.running.insert(PathKey(work.job.output))
      return work
    }
  }

  /// The thread of one worker.
  private func work(_ number: Int, _ options: String) {
    var worker: WorkerProcess?
    while let work = take() {
      defer { state.withLock { _ = $0.running.remove(PathKey(work.job.output)) } }
      let start = fx_monotonic_seconds()
      var attempt = work.last.map { $0.attempt + 1 } ?? 1
      guard let answer = perform(work, &worker, options, &attempt) else { return }
      settle(work, answer, attempt, number, fx_monotonic_seconds() - start)
    }
    worker?.finish()
  }

  /// Renders a file. A worker that ends while rendering is replaced. If it had rendered other files
  /// before, they may be the cause, so a new worker renders the file once more.
  private func perform(
    _ work: Work, _ worker: inout WorkerProcess?, _ options: String, _ attempt: inout Int
  ) -> WorkerAnswer? {
    if let obstacle = work.job.obstacle {
      return WorkerAnswer(
        .failed(obstacle), digest: "", stamp: InputStamp.stamp(ofFile: work.job.file.rawPath))
    }
    let knownDigest = !settings.again && Self.isDone(work) ? work.last?.digest : nil
    let task = WorkerTask(work.job, knownDigest: knownDigest)
    func failed(_ failure: ChainFailure) -> WorkerAnswer {
      WorkerAnswer(.failed(failure), digest: "", stamp: "")
    }
    while true {
      let current: WorkerProcess
      do throws(Failure) {
        if let worker { current = worker } else { current = try WorkerProcess(options) }
      } catch {
        return failed(ChainFailure(.internalError, code: .noProcess, error.message))
      }
      worker = current
      let isFresh = current.count == 0
      switch current.perform(
        task, timeout: settings.timeout,
        kindOfTimeout: { settings.options.hasPlugin(work.job) ? .plugin : .input },
        isUnwanted: { isAbandoned.load(ordering: .acquiring) })
      {
      case .answer(let answer):
        if current.hasEnded { worker = nil }
        return answer
      case .abandoned: return nil
      case .ended(let failure):
        worker = nil
        FileSink.removeStale(work.job.output, isFresh: true)
        guard !isFresh, failure.code != FailureCode.timeout.rawValue else { return failed(failure) }
        attempt += 1
      }
    }
  }

  /// Writes the record of a file.
  private func settle(
    _ work: Work, _ answer: WorkerAnswer, _ attempt: Int, _ number: Int, _ elapsed: Double
  ) {
    var record = BatchRecord(
      work.job, .done, plan: work.plan, digest: answer.digest, stamp: answer.stamp)
    var isSkipped = false
    switch answer.outcome {
    case .done(let result):
      record.result = work.job.levelling.isCopied ? work.job.measured ?? result : result
      record.result.byteCount = result.byteCount
      record.result.loudness = record.result.loudness ?? work.job.measured?.loudness
      record.result.warnings += work.job.remarks
      if work.job.levelling.isOnlyMeasured { record.status = .measured }
    case .unchanged:
      isSkipped = true
      if work.job.levelling.isOnlyMeasured { record.status = .measured }
      record.result = work.last?.result ?? record.result
    case .failed(let failure):
      record.status = .failed
      record.failure = failure
      record.exitStatus = settings.exitStatus(failure.kind)
    }
    record.elapsed = elapsed
    record.attempt = isSkipped ? attempt - 1 : attempt
    record.worker = number
    let isWritten = writer.append(record.json)
    state.withLock { state in
      state.totals.bytes += work.byteCount
      if isSkipped {
        state.totals.skipped += 1
      } else if let failure = record.failure {
        state.totals.failed += 1
        if failure.isTemporary { state.totals.hasTemporaryFailure = true }
        if failure.endsBatch { state.totals.abortion = failure }
      } else {
        state.totals.done += 1
        if record.isAlreadyRight { state.totals.alreadyRight += 1 }
        if !settings.chainWarnings.isSuperset(of: record.result.warnings) {
          state.totals.warned += 1
        }
        state.totals.soundSeconds += record.result.seconds
      }
      if !isWritten, state.totals.abortion == nil {
        state.totals.abortion = ChainFailure(
          .output, code: .diskFull, "the records cannot be written; is the disk full?")
      }
      var totals = state.totals
      totals.elapsed = fx_monotonic_seconds() - start
      if !isSkipped { observer.record(record, totals) }
    }
  }
}
