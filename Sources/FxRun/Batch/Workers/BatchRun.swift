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
    /// Keep the records of all files for a manifest.
    var keepsRecords = false
    /// Files that no output may replace, besides those that are read.
    var reserved: [String] = []
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
    let last: JobRecords?
  }

  private struct State {
    var next = 0
    var totals: BatchTotals
    /// The jobs that are being rendered.
    var running: [Int: BatchJob] = [:]
    /// The records of finished jobs, if they are kept.
    var finished: [BatchRecord] = []
  }

  private let settings: Settings
  private let writer: BatchJournalWriter
  private let works: [Work]
  private let stop: StopSignal
  private let observer: Observer
  private let taker: PartTaker
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
    var finished: [BatchRecord] = []
    let taker = PartTaker(read: Self.read(jobs, settings.options) + settings.reserved)
    for job in jobs {
      let last = latest[PathKey(job.output)]
      let work = Work(
        job: job, plan: keys.key(of: job),
        byteCount: InputStamp.size(ofFile: job.file.rawPath) ?? 0, last: last)
      if !settings.again, let last, last.isDone(work.plan),
        last.first?.stamp == InputStamp.stamp(of: job.file)
      {
        totals.skipped += 1
        let now = last.records.map { $0.renamed(job) }
        if now != last.records, settings.keepsRecords || job.carried != nil {
          _ = writer.append(now.map(\.json))
        }
        if settings.keepsRecords { finished += now }
        if job.parts != nil { taker.claim(now, job) }
      } else {
        works.append(work)
        totals.allBytes += work.byteCount
      }
    }
    self.works = works
    self.taker = taker
    state = Mutex(State(totals: totals, finished: finished))
  }

  /// The files that a batch of split inputs reads.
  private static func read(_ jobs: [BatchJob], _ options: BatchOptions) -> [String] {
    guard jobs.contains(where: { $0.parts != nil }) else { return [] }
    return jobs.flatMap { [$0.file.path] + $0.file.named } + options.request.inputs.values
      + (options.chain().dependencies?.files ?? [])
  }

  /// The records of all finished jobs, if they are kept.
  var finished: [BatchRecord] { state.withLock { $0.finished } }

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
    for job in running.values { job.clear() }
  }

  private func take() -> Work? {
    guard !stop.isStopped else { return nil }
    return state.withLock { state in
      guard state.next < works.count, state.totals.abortion == nil else { return nil }
      let work = works[state.next]
      state.next += 1
      state.running[work.job.index] = work.job
      return work
    }
  }

  /// The thread of one worker.
  private func work(_ number: Int, _ options: String) {
    var worker: WorkerProcess?
    while let work = take() {
      defer { state.withLock { $0.running[work.job.index] = nil } }
      let start = fx_monotonic_seconds()
      var attempt = work.last?.first.map { $0.attempt + 1 } ?? 1
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
        .failed(obstacle), digest: "", stamp: InputStamp.stamp(of: work.job.file))
    }
    let isDone = !settings.again && work.last?.isDone(work.plan) == true
    let knownDigest = isDone ? work.last?.first?.digest : nil
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
        work.job.clear()
        guard !isFresh, failure.code != FailureCode.timeout.rawValue else { return failed(failure) }
        attempt += 1
      }
    }
  }

  /// Writes the records of a job.
  private func settle(
    _ work: Work, _ answer: WorkerAnswer, _ attempt: Int, _ number: Int, _ elapsed: Double
  ) {
    var record = BatchRecord(
      work.job, .done, plan: work.plan, digest: answer.digest, stamp: answer.stamp)
    record.elapsed = elapsed
    record.attempt = attempt
    record.worker = number
    if work.job.levelling.isOnlyMeasured { record.status = .measured }
    var records: [BatchRecord] = []
    var isSkipped = false
    switch answer.outcome {
    case .done(let results):
      do throws(ChainFailure) {
        records = try finish(work, record, results)
      } catch {
        records = [failed(record, error)]
      }
    case .unchanged:
      isSkipped = true
      records = (work.last?.records ?? []).map { last in
        var again = last.renamed(work.job)
        (again.stamp, again.digest) = (answer.stamp, answer.digest)
        (again.elapsed, again.worker) = (elapsed, number)
        return again
      }
    case .failed(let failure): records = [failed(record, failure)]
    }
    report(records, isSkipped: isSkipped, work)
  }

  /// The records of a rendered job. The parts of a split input get their names.
  private func finish(
    _ work: Work, _ record: BatchRecord, _ results: [BatchRecord.Result]
  ) throws(ChainFailure) -> [BatchRecord] {
    var records = results.map { result in
      var record = record
      record.result = work.job.levelling.isCopied ? work.job.measured ?? result : result
      record.result.byteCount = result.byteCount
      record.result.loudness = record.result.loudness ?? work.job.measured?.loudness
      record.result.warnings += work.job.remarks
      return record
    }
    if let parts = work.job.parts {
      try taker.take(&records, work.job, parts, former: work.last?.records ?? [])
    }
    return records
  }

  private func failed(_ record: BatchRecord, _ failure: ChainFailure) -> BatchRecord {
    var record = record
    record.status = .failed
    record.failure = failure
    record.exitStatus = settings.exitStatus(failure.kind)
    return record
  }

  /// Writes records to the journal, and counts their job.
  private func report(_ records: [BatchRecord], isSkipped: Bool, _ work: Work) {
    let isWritten = writer.append(records.map(\.json))
    state.withLock { state in
      state.totals.bytes += work.byteCount
      if isSkipped {
        state.totals.skipped += 1
      } else {
        state.totals.count(records, chainWarnings: settings.chainWarnings)
      }
      if settings.keepsRecords { state.finished += records.filter { $0.failure == nil } }
      if !isWritten, state.totals.abortion == nil {
        state.totals.abortion = ChainFailure(
          .output, code: .diskFull, "the records cannot be written; is the disk full?")
      }
      var totals = state.totals
      totals.elapsed = fx_monotonic_seconds() - start
      if !isSkipped { for record in records { observer.record(record, totals) } }
    }
  }
}
