import ArgumentParser
import CRealtime
import FxAudio
import FxChain
import FxKit
import Glibc
import Synchronization

/// Prints lines to standard output and standard error without buffering.
enum Output {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Prints a line. Callers make control characters in foreign text visible (`ForeignText`); any
  /// that remain are made visible here.
  static func line(_ text: String, to stream: Stream = .output) {
    let text = OwnSymbols.fitted(ForeignText.withColours(text))
    write(text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  /// Prints lines that another program reads: they do not depend on the locale.
  static func data(_ text: String, to stream: Stream = .output) {
    let text = ForeignText.withColours(text)
    write(text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  static func error(_ text: String) { line(text, to: .error) }

  static func json(_ value: JSONOutput, to stream: Stream = .output) {
    data(value.text(), to: stream)
  }

  /// The state of standard output.
  private struct State {
    var hasBegun = false
    /// The descriptor of standard output.
    var descriptor = Stream.output.rawValue
    /// The `errno` of the first failed write; nothing is written after it.
    var failure: Int32?
  }

  private static let state = Mutex(State())

  /// Reserves standard output for fxrun: from now on the output of plugins goes to standard error.
  static func takeStandardOutput() {
    guard let kept = PluginHosting.reserveStandardOutput() else { return }
    state.withLock { $0.descriptor = kept }
  }

  private static func descriptor(of stream: Stream) -> Int32 {
    stream == .output ? state.withLock { $0.descriptor } : stream.rawValue
  }

  /// True once something has been written to standard output.
  static var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// True after a write to standard output has failed.
  static var isBroken: Bool { state.withLock { $0.failure != nil } }

  static func write(_ text: String, to stream: Stream) {
    guard stream == .output else {
      // An error on standard error cannot be reported anywhere; a plugin may have closed it.
      if put(text, stream.rawValue) == EBADF { _ = put(text, fx_boundary_error_stream()) }
      return
    }
    let hasFailed = state.withLock { state in
      state.hasBegun = true
      return state.failure != nil
    }
    guard !hasFailed else { return }
    let failure = put(text, descriptor(of: stream))
    // A stream that the caller closed is not an error.
    if let failure, failure != EBADF { state.withLock { $0.failure = failure } }
  }

  /// Returns the `errno` of a failed write.
  private static func put(_ text: String, _ descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Ends the process. Unwritten output is a failure too; a reader that has gone needs no message.
  static func end(_ code: ExitCode) -> Never {
    let failure = state.withLock { $0.failure }
    guard let failure else { leave(code) }
    if failure != EPIPE {
      let reason = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
      error("error: standard output cannot be written: \(reason)")
    }
    leave(code == .success ? ExitStatus.output.exitCode : code)
  }

  /// All important output is written: plugins may now end, and may crash while doing so.
  private static func leave(_ code: ExitCode) -> Never {
    fx_terminal_restore()
    PluginHosting.end(exitStatus: code.rawValue)
    fflush(nil)
    // Not `exit`: the exit handlers of plugin libraries have crashed processes that were finished.
    _exit(code.rawValue)
  }

  /// False if a write would block: the terminal is paused, or the reader does not read.
  static func takesMore(_ stream: Stream) -> Bool {
    fx_wait_writable(descriptor(of: stream), 0) != 0
  }

  /// True if the stream is a terminal.
  static func isTerminal(_ stream: Stream) -> Bool { isatty(descriptor(of: stream)) != 0 }

  /// True if the stream is a terminal that obeys control codes.
  static func obeysCodes(_ stream: Stream) -> Bool {
    guard isTerminal(stream), let terminal = getenv("TERM") else { return false }
    return !["", "dumb"].contains(String(cString: terminal))
  }

  /// True if the stream shows colours: a terminal, and NO_COLOR is not set.
  static func isColored(_ stream: Stream) -> Bool {
    let noColor = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return noColor.isEmpty && obeysCodes(stream)
  }

  /// Columns of the terminal.
  static var width: Int { size.width }

  /// Columns and lines of the terminal.
  static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(Stream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
