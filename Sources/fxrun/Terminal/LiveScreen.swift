import CRealtime
import FxKit
import Glibc

/// Draws the live view in place at the bottom of a terminal. Lines that are written meanwhile scroll up
/// above it.
final class LiveScreen {
  /// True when there is a terminal to draw on.
  let isShown: Bool
  private let style: LiveViewStyle
  private var holds = LiveHolds()
  private var latest: LiveSnapshot?
  /// The columns that each line of the last picture takes.
  private var drawn: [Int] = []
  private var showsNodeLevels = false

  init(isWanted: Bool) {
    isShown =
      isWanted && Output.isTerminal(.error)
      && getenv("TERM").map { String(cString: $0) } != "dumb"
    style = LiveViewStyle(
      isColored: Output.isColored(.error), isUnicode: LiveViewStyle.localeIsUnicode)
  }

  /// What a key asks for.
  enum Key {
    /// The level of every node, or no more.
    case nodeLevels(Bool)
    case stop
  }

  /// The keys pressed since the last time.
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

  /// Draws what there is, over what there was.
  func show(_ snapshot: LiveSnapshot) {
    // Who was stopped for a while finds other lines above the cursor.
    if let latest, snapshot.elapsedSeconds - latest.elapsedSeconds > 1 { drawn = [] }
    latest = snapshot
    holds.follow(snapshot)
    draw()
  }

  private func draw() {
    // Who has been sent to the background leaves the terminal to others.
    guard isShown, let latest, fx_terminal_is_in_front(Output.Stream.error.rawValue) != 0,
      Output.takesMore(.error)
    else { return }
    let (width, height) = Output.size
    let hearsKeys = fx_terminal_listen(STDIN_FILENO) != 0
    let lines = LiveView.lines(
      latest, holds: holds, width: width, height: height, style: style,
      keys: hearsKeys ? "n levels of the nodes, c clear marks, q end" : nil)
    // The cursor is hidden while it runs about, and seen again before anything can go wrong.
    var text = "\u{1B}[?25l" + wayUp(width)
    for line in lines { text += line + "\u{1B}[K\n" }
    Output.write(text + "\u{1B}[J\u{1B}[?25h", to: .error)
    drawn = lines.map(Self.columns)
  }

  /// Wipes the picture away, so that a line may be written; the next one is drawn below it.
  func clear() {
    guard !drawn.isEmpty else { return }
    Output.write(wayUp(Output.size.width) + "\u{1B}[J", to: .error)
    drawn = []
  }

  /// Draws the same again, below what was written.
  func redraw() {
    guard drawn.isEmpty else { return }
    draw()
  }

  /// The last picture stays away, and the keys are the shell's again.
  func end() {
    clear()
    latest = nil
    fx_terminal_restore()
  }

  /// To the beginning of the picture, which takes more lines where the terminal has become narrower.
  private func wayUp(_ width: Int) -> String {
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(width, 1)) }
    return rows == 0 ? "\r" : "\r\u{1B}[\(rows)A"
  }

  /// The columns of a line with colours in it.
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
