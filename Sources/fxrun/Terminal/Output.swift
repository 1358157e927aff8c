import FxChain
import Glibc

/// Lines to standard output and standard error, written at once.
enum Output {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Prints a text that ends with its line, said or not.
  static func line(_ text: String, to stream: Stream = .output) {
    write(text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  static func error(_ text: String) { line(text, to: .error) }

  static func json(_ value: JSONOutput, to stream: Stream = .output) {
    line(value.text(), to: stream)
  }

  /// A reader that has gone away is no concern of ours.
  static func write(_ text: String, to stream: Stream) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(stream.rawValue, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// True when somebody is looking at it.
  static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) != 0 }

  /// True when it shows colours: a terminal, and NO_COLOR is not set.
  static func isColored(_ stream: Stream) -> Bool {
    guard isTerminal(stream), let terminal = getenv("TERM") else { return false }
    let noColor = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return noColor.isEmpty && String(cString: terminal) != "dumb"
  }

  /// Columns of the terminal.
  static var width: Int {
    var size = winsize()
    guard ioctl(Stream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
