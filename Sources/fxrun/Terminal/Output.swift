import FxDiagnostics
import ArgumentParser
import CRealtime
import FxAudio
import FxKit
import Glibc
import Synchronization

/// Lines to standard output and standard error, written at once.
enum Output {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Prints a text that ends with its line, said or not. Whoever puts it together writes out what is
  /// hidden in the words of others (`ForeignText`); what is left of it is written out here.
  static func line(_ text: String, to stream: Stream = .output) {
    let text = ForeignText.withColours(text)
    write(text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  static func error(_ text: String) { line(text, to: .error) }

  static func json(_ value: JSONOutput, to stream: Stream = .output) {
    line(value.text(), to: stream)
  }

  /// What has become of standard output.
  private struct State {
    var hasBegun = false
    /// Where standard output leads.
    var descriptor = Stream.output.rawValue
    /// The `errno` of the first write that failed; nothing is written after it.
    var failure: Int32?
  }

  private static let state = Mutex(State())

  /// Keeps standard output for ourselves: what plugins print goes to standard error from here on.
  static func takeStandardOutput() {
    guard let kept = PluginHosting.reserveStandardOutput() else { return }
    state.withLock { $0.descriptor = kept }
  }

  private static func descriptor(of stream: Stream) -> Int32 {
    stream == .output ? state.withLock { $0.descriptor } : stream.rawValue
  }

  /// True once something was written to standard output.
  static var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// True when nobody takes what is written to standard output.
  static var isBroken: Bool { state.withLock { $0.failure != nil } }

  static func write(_ text: String, to stream: Stream) {
    guard stream == .output else {
      // Where errors are written nobody reads of another one; a plugin may have closed it.
      if put(text, stream.rawValue) == EBADF { _ = put(text, fx_boundary_error_stream()) }
      return
    }
    let hasFailed = state.withLock { state in
      state.hasBegun = true
      return state.failure != nil
    }
    guard !hasFailed else { return }
    let failure = put(text, descriptor(of: stream))
    // What the caller has closed is not missed.
    if let failure, failure != EBADF { state.withLock { $0.failure = failure } }
  }

  /// Returns the `errno` of a write that failed.
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

  /// Ends the process. Words that could not be written are a failure as well; a reader that has
  /// gone away knows it without a message.
  static func end(_ code: ExitCode) -> Never {
    let failure = state.withLock { $0.failure }
    guard let failure else { leave(code) }
    if failure != EPIPE {
      let reason = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
      error("error: standard output cannot be written: \(reason)")
    }
    leave(code == .success ? ExitStatus.output.exitCode : code)
  }

  /// Everything that counts is written: plugins may now end, and crash over it.
  private static func leave(_ code: ExitCode) -> Never {
    fx_terminal_restore()
    PluginHosting.end(exitStatus: code.rawValue)
    fflush(nil)
    // Not `exit`: what their libraries do last has taken down processes that were through.
    _exit(code.rawValue)
  }

  /// False where a write would wait: for a terminal that is held, or a reader that does not read.
  static func takesMore(_ stream: Stream) -> Bool {
    fx_wait_writable(descriptor(of: stream), 0) != 0
  }

  /// True when somebody is looking at it.
  static func isTerminal(_ stream: Stream) -> Bool { isatty(descriptor(of: stream)) != 0 }

  /// True when it shows colours: a terminal, and NO_COLOR is not set.
  static func isColored(_ stream: Stream) -> Bool {
    guard isTerminal(stream), let terminal = getenv("TERM") else { return false }
    let noColor = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return noColor.isEmpty && String(cString: terminal) != "dumb"
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
