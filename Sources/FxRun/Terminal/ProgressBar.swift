import FxKit

/// One line on the terminal with the progress of a render; nothing in a pipe.
final class ProgressBar {
  private let isShown: Bool
  private var isDrawn = false

  init(isShown: Bool) { self.isShown = isShown && Output.obeysCodes(.error) }

  func show(_ progress: RenderingProgress) {
    // Very short renders need no bar.
    guard isShown, progress.elapsedSeconds > 0.25 else { return }
    let pass = progress.isMeasuring ? "measuring  " : ""
    let text = OwnSymbols.fitted(pass + line(progress, room: Output.width - pass.count))
    Output.write("\r\(text)\u{1B}[K", to: .error)
    isDrawn = true
  }

  func clear() {
    guard isDrawn else { return }
    Output.write("\r\u{1B}[K", to: .error)
    isDrawn = false
  }

  private func line(_ progress: RenderingProgress, room width: Int) -> String {
    let seconds = Double(progress.frames) / progress.sampleRate
    let speed = seconds / progress.elapsedSeconds
    let pace = "\(Text.decimal(speed, speed < 10 ? 1 : 0))× real time"
    guard let total = progress.totalFrames, total > 0, total < .max / 8 else {
      return "\(Text.time(seconds))  \(pace)"
    }
    let share = min(1, Double(progress.frames) / Double(total))
    let left = speed > 0 ? (Double(total - progress.frames) / progress.sampleRate) / speed : 0
    let percent = "\(Text.decimal(share * 100, 0).padded(to: 3, left: true)) %"
    let rest = "\(Text.time(max(0, left))) left"
    let text = "\(percent)  \(pace)  \(rest)"
    // The last column stays free, or the terminal begins another line.
    let room = min(40, width - text.count - 4)
    guard room >= 8 else {
      return [text, "\(percent)  \(rest)"].first { $0.count < width } ?? percent
    }
    let filled = Int(share * Double(room))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "-", count: room - filled) + "] " + text
  }
}
