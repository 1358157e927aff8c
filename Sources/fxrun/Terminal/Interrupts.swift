import CRealtime
import FxKit
import Glibc
import Synchronization

/// Ctrl-C and its like: the first asks the render to stop, the second ends the process. So does every
/// other signal that ends a process by default, apart from crashes. A hang-up asks a performance to read its chain again, unless the terminal is what has hung up.
enum Interrupts {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// What there is to stop; nil until a render begins.
  private static let stopped = Mutex<StopSignal?>(nil)

  /// What reads the chain again; nil until a performance begins.
  private static let reloading = Mutex<(@Sendable () -> Void)?>(nil)
  private static let hadTerminal = hasTerminal

  /// A reader that has gone and a file that may not grow are errors of the write, not signals; and
  /// no file that is opened becomes a standard stream that the caller has closed. Before any other
  /// thread starts: from here to the end of the process no Ctrl-C ends it by itself.
  static func prepare() {
    _ = hadTerminal
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    listen()
    fx_signals_end_in_order()
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
      // The wrong way round, so that using it goes on being an error.
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Turns the signals into requests to stop, from now on.
  static func stop(with stop: StopSignal) {
    stopped.withLock { $0 = stop }
  }

  /// From now on a signal ends the process without a word: it has nothing that could be lost.
  static func endAtOnce() { isIdle.withLock { $0 = true } }

  private static let isIdle = Mutex(false)

  /// Lets a hang-up read the chain again, from now on.
  static func reload(with reload: @escaping @Sendable () -> Void) {
    reloading.withLock { $0 = reload }
  }

  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Takes the signals on a thread of its own.
  private static func listen() {
    var set = mask
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { _ in Interrupts.take() }, nil) == 0 else {
      // Without the thread a signal ends the process.
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

  /// Those that the caller has not chosen to ignore, as `nohup` does with a hang-up.
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
