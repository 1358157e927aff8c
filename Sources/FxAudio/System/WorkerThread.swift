import CRealtime
import Glibc

/// A thread with one body, joined by its owner.
package final class WorkerThread {
  /// The SCHED_FIFO priority of the render thread. The threads that serve it have lower priorities.
  package static let renderPriority: Int32 = 70

  private final class Body {
    let run: () -> Void
    var processorSeconds = 0.0
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private let body: Body
  private var thread: UInt64 = 0
  private var isRunning = true
  private var isForgotten = false

  /// The stack of a thread that reads a file. There may be hundreds of such threads.
  package static let readerStackByteCount = 1 << 20

  /// Starts the thread on the given processors, or on any if the list is empty. A priority above 0
  /// selects SCHED_FIFO. Returns nil, with the `errno` in `failure`, if the system refuses it.
  package init?(
    priority: Int32 = 0, processors: [Int] = [], stackByteCount: Int = 0, failure: inout Int32,
    _ run: @escaping () -> Void
  ) {
    body = Body(run)
    let context = Unmanaged.passRetained(body)
    let numbers = processors.map { Int32(clamping: $0) }
    failure = fx_thread_start_on(
      &thread, priority, numbers, numbers.count, stackByteCount,
      { context in
        guard let context else { return nil }
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        WorkerThread.blockSignals()
        body.run()
        body.processorSeconds = fx_thread_processor_seconds()
        return nil
      }, context.toOpaque())
    guard failure == 0 else {
      context.release()
      isRunning = false
      return nil
    }
  }

  deinit { join() }

  /// Processor time in seconds; 0 before the thread was joined.
  package var processorSeconds: Double { isRunning || isForgotten ? 0 : body.processorSeconds }

  package func join() {
    guard isRunning else { return }
    isRunning = false
    fx_thread_join(thread)
  }

  /// Lets a thread end by itself, which frees its stack; it is never joined.
  package func forget() {
    if isRunning { fx_thread_detach(thread) }
    isRunning = false
    isForgotten = true
  }

  /// Signals go to the main thread. A pipe without a reader and a file that has become too large
  /// are reported as errors instead.
  private static func blockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sigaddset(&signals, signal)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
