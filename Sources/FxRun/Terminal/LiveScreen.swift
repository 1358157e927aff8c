import CRealtime
import FxKit
import Glibc

/// Draws the live view in place at the bottom of a terminal. Other lines that are printed scroll up
/// above it.
final class LiveScreen {
  /// True if there is a terminal to draw on.
  let isShown: Bool
  private let style: LiveViewStyle
  private var holds = LiveHolds()
  private var latest: LiveSnapshot?
  /// The columns of each line in the last picture.
  private var drawn: [Int] = []
  private var showsNodeLevels = false

  init(isWanted: Bool) {
    isShown =
      isWanted && Output.obeysCodes(.error)
    style = LiveViewStyle(
      isColored: Output.isColored(.error), isUnicode: LiveViewStyle.localeIsUnicode)
  }

  /// The command of a key.
  enum Key {
    /// Shows or hides the level of every node.
    case nodeLevels(Bool)
    case stop
  }

  /// The keys pressed since the last call.
  func takeKeys() -> [Key] {
    guard isShown, fx_terminal_listen(STDIN_FILENO) != 0 else { return [] }
    var keys: [Key] = []
    while true {
      let pressed = fx_terminal_key(STDIN_FILENO)
      guard let byte = UInt8(exactly: pressed), byte > 0 else { return keys }
      switch byte {
      case UInt8(ascii: "n"):
        showsNodeLevels.toggle()
        keys.append(.nodeLevels(showsNodeLevels))
      case UInt8(ascii: "c"):
        if let latest { holds.clear(latest) }
      case UInt8(ascii: "q"): keys.append(.stop)
      default: break
      }
    }
  }

  /// Draws the view over the previous one.
  func show(_ snapshot: LiveSnapshot) {
    // After the process was stopped for a while, other lines are above the cursor.
    if let latest, snapshot.elapsedSeconds - latest.elapsedSeconds > 1 { drawn = [] }
    latest = snapshot
    holds.follow(snapshot)
    draw()
  }

  private func draw() {
    // A process in the background must not draw on the terminal.
    guard isShown, let latest, fx_terminal_is_in_front(Output.Stream.error.rawValue) != 0,
      Output.takesMore(.error)
    else { return }
    let (width, height) = Output.size
    let hearsKeys = fx_terminal_listen(STDIN_FILENO) != 0
    let lines = LiveView.lines(
      latest, holds: holds, width: width, height: height, style: style,
      keys: hearsKeys ? "n levels of the nodes, c clear marks, q end" : nil)
    // The cursor is hidden while drawing, and shown again in the same write.
    var text = "\u{1B}[?25l" + wayUp(width)
    for line in lines { text += line + "\u{1B}[K\n" }
    Output.write(text + "\u{1B}[J\u{1B}[?25h", to: .error)
    drawn = lines.map(Self.columns)
  }

  /// Removes the picture so that a line can be printed; the next picture is drawn below it.
  func clear() {
    guard !drawn.isEmpty else { return }
    Output.write(wayUp(Output.size.width) + "\u{1B}[J", to: .error)
    drawn = []
  }

  /// Draws the same picture again, below the printed lines.
  func redraw() {
    guard drawn.isEmpty else { return }
    draw()
  }

  /// Keeps the last picture off and returns the keys to the shell.
  func end() {
    clear()
    latest = nil
    fx_terminal_restore()
  }

  /// Moves to the beginning of the picture, which has more rows if the terminal became narrower.
  private func wayUp(_ width: Int) -> String {
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(width, 1)) }
    return rows == 0 ? "\r" : "\r\u{1B}[\(rows)A"
  }

  /// The columns of a line, colour codes not counted.
  private static func columns(_ line: String) -> Int {
    var plain = ""
    var isColor = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" { isColor = true }
      if !isColor { plain.unicodeScalars.append(scalar) }
      if scalar == "m" { isColor = false }
    }
    return TerminalText.columns(plain)
  }
}
