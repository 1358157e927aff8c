import FxAudio
import FxChain
import FxKit
import Synchronization

/// The messages during a batch and at its end.
final class BatchReport: Sendable {
  /// What the files of a batch are gone through for.
  enum Stage: String, Sendable {
    case rendering = "done"
    /// Before they are rendered; a failure is reported then.
    case measuring
    case measuringOnly = "measured"

    var word: String { self == .measuring ? Stage.measuringOnly.rawValue : rawValue }
  }

  private let isJSON: Bool
  private let isQuiet: Bool
  private let stage: Stage
  /// True if the progress line is shown on a terminal.
  private let isShown: Bool
  /// The time of the last drawing, in seconds after the start.
  private let lastDrawn = Mutex(-1.0)

  init(isJSON: Bool, isQuiet: Bool, _ stage: Stage = .rendering) {
    self.isJSON = isJSON && stage != .measuring
    self.isQuiet = isQuiet
    self.stage = stage
    isShown = !isQuiet && Output.obeysCodes(.error)
  }

  /// Warnings before the first file.
  func warn(_ warnings: [String]) {
    guard !isQuiet else { return }
    for warning in warnings { Output.error("warning: \(ForeignText.visible(warning))") }
  }

  func begin(_ totals: BatchTotals) {
    guard !isJSON, !isQuiet, totals.skipped > 0 else { return }
    Output.error(
      "\(totals.skipped) of \(Text.count(totals.files, "file")) \(stage.word) before")
  }

  /// Reports a finished file.
  func show(_ record: BatchRecord, _ totals: BatchTotals) {
    if isJSON { Output.data(record.json.text(indented: false)) }
    if let failure = record.failure, !isJSON, stage != .measuring {
      clear()
      Output.error(
        "error: \(ForeignText.visible(record.input)): \(Self.words(failure, record))")
    }
    guard isShown else { return }
    let isDue = lastDrawn.withLock { last in
      guard totals.elapsed - last > 0.1 || totals.left == 0 else { return false }
      last = totals.elapsed
      return true
    }
    guard isDue else { return }
    let line = String(Self.line(totals, room: Output.width, stage).prefix(max(8, Output.width - 1)))
    Output.write("\r\(line)\u{1B}[K", to: .error)
  }

  /// The message without the input's name at its beginning. The further lines of a chain's mistakes
  /// are kept below the first.
  private static func words(_ failure: ChainFailure, _ record: BatchRecord) -> String {
    let prefix = "\(record.input): "
    let message =
      failure.message.hasPrefix(prefix)
      ? failure.message.dropFirst(prefix.count) : failure.message[...]
    return message.split(separator: "\n").map { ForeignText.visible($0) }.joined(separator: "\n  ")
  }

  static func line(
    _ totals: BatchTotals, room width: Int, _ stage: Stage = .rendering
  ) -> String {
    let through = totals.done + totals.skipped + totals.failed
    var facts = ["\(through)/\(totals.files) \(stage.word)"]
    if totals.failed > 0 { facts.append("\(totals.failed) failed") }
    facts.append(speed(totals))
    if let left = totals.secondsLeft { facts.append("\(Text.time(max(0, left))) left") }
    let text = facts.joined(separator: "  ")
    let room = max(8, min(40, width - text.count - 4))
    let filled = totals.files > 0 ? through * room / totals.files : room
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "-", count: room - filled) + "] " + text
  }

  private static func speed(_ totals: BatchTotals) -> String {
    "\(Text.decimal(totals.speed, totals.speed < 10 ? 1 : 0))× real time"
  }

  private func clear() {
    if isShown { Output.write("\r\u{1B}[K", to: .error) }
  }

  func end(_ totals: BatchTotals) {
    clear()
    if let abortion = totals.abortion, !isJSON {
      Output.error("error: the batch ends here: \(ForeignText.visible(abortion.message))")
    }
    if isJSON {
      Output.data(Self.json(totals).text(indented: false))
    } else if !isQuiet {
      Output.line(Self.summary(totals, stage))
    }
  }

  static func summary(_ totals: BatchTotals, _ stage: Stage = .rendering) -> String {
    var facts = ["\(totals.done) \(stage.word)"]
    if totals.parts > 0 { facts[0] += " (\(Text.count(totals.parts, "part")))" }
    if totals.warned > 0 { facts.append("\(totals.warned) of them with warnings") }
    if totals.alreadyRight > 0 { facts.append("\(totals.alreadyRight) of them already right") }
    if totals.skipped > 0 { facts.append("\(totals.skipped) \(stage.word) before") }
    facts.append("\(totals.failed) failed")
    if totals.left > 0 { facts.append("\(totals.left) not begun") }
    let count = facts.joined(separator: ", ")
    guard totals.done > 0 else { return count }
    return count
      + " · \(Text.time(totals.soundSeconds)) of sound in \(Text.time(totals.elapsed))"
      + " · \(speed(totals))"
  }

  static func json(_ totals: BatchTotals) -> JSONOutput {
    .members([
      "event": .string("summary"), "files": .integer(totals.files), "done": .integer(totals.done),
      "parts": totals.parts > 0 ? .integer(totals.parts) : nil, "warned": .integer(totals.warned),
      "alreadyRight": .integer(totals.alreadyRight),
      "skipped": .integer(totals.skipped), "failed": .integer(totals.failed),
      "left": .integer(totals.left), "seconds": .number(totals.soundSeconds),
      "elapsed": .number(totals.elapsed), "speed": .number(totals.speed),
      "stoppedBy": totals.abortion.map { .string($0.message) },
    ])
  }
}
