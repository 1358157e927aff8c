import FxKit
import Glibc

/// Ctrl-C and its like: the first asks the render to stop, the second ends the process.
enum Interrupts {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// A reader that has gone is an error of the write, not a signal; and no file that is opened
  /// becomes a standard stream that the caller has closed.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
      // The wrong way round, so that using it goes on being an error.
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Turns the signals into requests to stop, from now to the end of the process. Before any other
  /// thread starts.
  static func stop(with stop: StopSignal) {
    var set = mask
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let context = Unmanaged.passRetained(Listener(stop)).toOpaque()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Listener>.fromOpaque(context).takeRetainedValue().listen()
      }, context)
    pthread_detach(thread)
  }

  private static var mask: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  private final class Listener {
    private let stop: StopSignal

    init(_ stop: StopSignal) { self.stop = stop }

    func listen() -> Never {
      var caught: Int32 = 0
      while true {
        var set = Interrupts.mask
        guard sigwait(&set, &caught) == 0 else { continue }
        if stop.isStopped {
          stop.abandonOutputs()
          _exit(ExitStatus.interrupted.rawValue)
        }
        if !stop.isHeard {
          Output.error("stopped before anything was rendered")
          _exit(ExitStatus.interrupted.rawValue)
        }
        stop.stop()
      }
    }
  }
}
