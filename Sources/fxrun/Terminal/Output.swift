import FxChain
import Glibc

/// Lines to standard output and standard error.
enum Output {
  static func line(_ text: String, to stream: UnsafeMutablePointer<FILE>? = stdout) {
    fputs(text + "\n", stream)
  }

  static func error(_ text: String) { line(text, to: stderr) }

  static func json(_ value: JSONOutput, to stream: UnsafeMutablePointer<FILE>? = stdout) {
    line(value.text(), to: stream)
  }

  /// True when somebody is looking at standard error.
  static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  /// True when standard error shows colours: a terminal, and NO_COLOR is not set.
  static var isColored: Bool {
    guard isTerminal, let terminal = getenv("TERM") else { return false }
    let noColor = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return noColor.isEmpty && String(cString: terminal) != "dumb"
  }

  /// Columns of the terminal.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
