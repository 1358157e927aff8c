import CRealtime
import FxKit
import Glibc
import Synchronization

/// Handles Ctrl-C and similar signals: the first asks the render to stop, the second ends the
/// process. The same applies to every other signal that ends a process by default, except crashes.
/// During playback SIGHUP reloads the chain, unless the terminal itself was closed.
enum Interrupts {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Stops the current render; nil until one begins.
  private static let stopped = Mutex<StopSignal?>(nil)

  /// Reloads the chain; nil until playback begins.
  private static let reloading = Mutex<(@Sendable () -> Void)?>(nil)
  private static let hadTerminal = hasTerminal

  /// A closed pipe or a file size limit becomes an error of the write instead of a signal. A closed
  /// standard stream is never replaced by a file that fxrun opens. Call this before any other
  /// thread starts; afterwards Ctrl-C no longer ends the process by itself.
  static func prepare() {
    _ = hadTerminal
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    listen()
    fx_signals_end_in_order()
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
      // The opposite direction, so that using the stream stays an error.
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// From now on the signals request a stop.
  static func stop(with stop: StopSignal) {
    stopped.withLock { $0 = stop }
  }

  /// From now on a signal ends the process silently, because nothing can be lost.
  static func endAtOnce() { isIdle.withLock { $0 = true } }

  private static let isIdle = Mutex(false)

  /// From now on SIGHUP reloads the chain.
  static func reload(with reload: @escaping @Sendable () -> Void) {
    reloading.withLock { $0 = reload }
  }

  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Handles the signals on a separate thread.
  private static func listen() {
    var set = mask
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { _ in Interrupts.take() }, nil) == 0 else {
      // Without the thread, a signal ends the process.
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      return
    }
    pthread_detach(thread)
  }

  private static func take() -> Never {
    var caught: Int32 = 0
    while true {
      var set = mask
      guard sigwait(&set, &caught) == 0 else { continue }
      if caught == SIGHUP, !hadTerminal || hasTerminal, let reload = reloading.withLock({ $0 }) {
        reload()
        continue
      }
      if isIdle.withLock({ $0 }) { _exit(ExitStatus.interrupted.rawValue) }
      guard let stop = stopped.withLock({ $0 }), stop.isHeard else {
        fx_terminal_restore()
        ControlSocket.removeAll()
        PluginHosting.removeDrafts()
        FailureReport.reportInterrupt()
        _exit(ExitStatus.interrupted.rawValue)
      }
      if stop.isStopped {
        fx_terminal_restore()
        stop.abandonOutputs()
        ControlSocket.removeAll()
        _exit(ExitStatus.interrupted.rawValue)
      }
      stop.stop()
    }
  }

  /// The signals that the caller does not ignore; `nohup` ignores SIGHUP, for example.
  private static let mask: sigset_t = {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals where !isIgnored(signal) { sigaddset(&set, signal) }
    return set
  }()

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
