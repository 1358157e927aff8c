package import CRealtime
import Glibc
package import Synchronization

/// A child process for plugins, or for other code that may crash.
///
/// A separate thread starts it, waits for its end and collects its status, so that it does not stay
/// as a zombie. The kernel ends the process when that thread ends, however this process ends.
package final class ChildProcess: @unchecked Sendable {
  // Sendable: the cells are atomic. The thread writes the rest before it sets `hasEnded` or posts
  // `started`.

  /// How a process ended.
  package enum End: Sendable, Hashable {
    case status(Int32)
    case signal(Int32)
    /// Something else has collected its status.
    case unknown

    /// `segmentation fault (SIGSEGV)`, `exit status 3`.
    package var description: String {
      switch self {
      case .status(let code): "exit status \(code)"
      case .signal(let number): ChildProcess.signalName(number)
      case .unknown: "its process is gone"
      }
    }
  }

  /// True once the process has ended; read by the render thread.
  package let hasEnded: UnsafeMutablePointer<Atomic<Bool>>
  /// Any thread can set it, to have the process killed soon.
  package let isUnwanted: UnsafeMutablePointer<Atomic<Bool>>
  private let isAborted: UnsafeMutablePointer<Atomic<Bool>>
  private let started: UnsafeMutableRawPointer
  private let ended: UnsafeMutableRawPointer
  private var thread: UInt64 = 0
  private var startError: Int32 = 0
  private var status: Int32 = 0
  private let executable: String
  private let arguments: [String]
  private let environment: [String: String]
  private let streams: fx_process_streams
  private let onEnd: @Sendable () -> Void
  /// Keeps the shared memory mapped as long as this object exists.
  private let shared: SharedMemory?

  /// Starts a program. The descriptors may be closed here once it has started.
  ///
  /// - Parameters:
  ///   - environment: variables that are added to this process's environment, or replace some.
  ///   - sharing: memory that stays mapped as long as this object exists.
  ///   - onEnd: called on the thread that waits for its end.
  package init(
    executable: String, arguments: [String], streams: fx_process_streams,
    environment: [String: String] = [:], sharing: SharedMemory? = nil,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(Failure) {
    shared = sharing
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.streams = streams
    self.onEnd = onEnd
    hasEnded = .allocate(capacity: 1)
    hasEnded.initialize(to: Atomic(false))
    isUnwanted = .allocate(capacity: 1)
    isUnwanted.initialize(to: Atomic(false))
    isAborted = .allocate(capacity: 1)
    isAborted.initialize(to: Atomic(false))
    started = ChildProcess.semaphore()
    ended = ChildProcess.semaphore()
    var error = fx_thread_start(
      &thread, 0,
      { child in
        if let child { Unmanaged<ChildProcess>.fromOpaque(child).takeUnretainedValue().guardIt() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    if error == 0 {
      while fx_semaphore_wait(started, 60) == 0 {}
      error = startError
    }
    if error != 0 {
      throw Failure(
        .noProcess,
        "a process cannot be started: \(executable): \(Failure.systemMessage(error))")
    }
  }

  deinit {
    isUnwanted.pointee.store(true, ordering: .releasing)
    if thread != 0 { fx_thread_join(thread) }
    started.deallocate()
    ended.deallocate()
    for cell in [hasEnded, isUnwanted, isAborted] {
      cell.deinitialize(count: 1)
      cell.deallocate()
    }
  }

  private static func semaphore() -> UnsafeMutableRawPointer {
    let semaphore = UnsafeMutableRawPointer.allocate(
      byteCount: Int(FX_SEMAPHORE_SIZE), alignment: 64)
    fx_semaphore_prepare_shared(semaphore)
    return semaphore
  }

  /// How the process ended; nil while it runs.
  package var end: End? {
    guard hasEnded.pointee.load(ordering: .acquiring) else { return nil }
    if status < 0 { return .unknown }
    let signal = status & 0x7f
    return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
  }

  /// Waits up to `seconds` for the end.
  package func wait(seconds: Double) -> End? {
    if end == nil, fx_semaphore_wait(ended, seconds) != 0 { fx_semaphore_post(ended) }
    return end
  }

  /// Kills the process unless it has ended, and waits until it is gone.
  package func kill() -> End {
    isUnwanted.pointee.store(true, ordering: .releasing)
    while true {
      if let end = wait(seconds: 1) { return end }
    }
  }

  /// Sends SIGABRT to every thread of the process. In fxrun's own processes a thread that runs a
  /// plugin answers with a report, and the others ignore it.
  package func abort() { isAborted.pointee.store(true, ordering: .releasing) }

  /// The thread: starts the process, watches it and collects its status.
  private func guardIt() {
    var process: Int32 = 0
    var watch: Int32 = -1
    startError = Self.withStrings([executable] + arguments) { words in
      Self.withStrings(Self.variables(changedBy: environment)) { variables in
        fx_process_start(executable, words, variables, streams, &process, &watch)
      }
    }
    let hasStarted = startError == 0
    fx_semaphore_post(started)
    guard hasStarted else { return }
    var isKilled = false
    while fx_process_wait(process, watch, 20, &status) == 0 {
      if isAborted.pointee.load(ordering: .acquiring) {
        isAborted.pointee.store(false, ordering: .releasing)
        fx_process_abort(process)
      }
      guard !isKilled, isUnwanted.pointee.load(ordering: .acquiring) else { continue }
      fx_process_kill(process)
      isKilled = true
    }
    if watch >= 0 { close(watch) }
    hasEnded.pointee.store(true, ordering: .releasing)
    onEnd()
    fx_semaphore_post(ended)
  }

  /// C strings, with a null pointer at the end.
  private static func withStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { words[index] = strdup(text) }
    words[texts.count] = nil
    defer {
      for index in texts.indices { free(words[index]) }
      words.deallocate()
    }
    return body(words)
  }

  /// This process's environment with some variables changed, as `NAME=VALUE`.
  private static func variables(changedBy changes: [String: String]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let word = next.pointee {
      let variable = String(cString: word)
      if changes[String(variable.prefix { $0 != "=" })] == nil { variables.append(variable) }
      next += 1
    }
    return variables + changes.map { "\($0.key)=\($0.value)" }
  }

  /// `segmentation fault (SIGSEGV)`.
  static func signalName(_ number: Int32) -> String {
    guard let name = fx_signal_name(number), let words = fx_signal_description(number) else {
      return "signal \(number)"
    }
    return "\(String(cString: words).lowercased()) (SIG\(String(cString: name)))"
  }
}
