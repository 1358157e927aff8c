import FxKit

/// The lines about xruns and gaps: the first one at once, those of the next seconds together.
struct XrunLines {
  /// Seconds between two lines.
  static let interval = 5.0

  private var last = -Double.infinity
  private var held = 0

  /// The line for an xrun now; nil while it is held back.
  mutating func line(_ notice: DeviceNotice, at seconds: Double) -> String? {
    guard seconds - last >= Self.interval else {
      held += notice.count
      return nil
    }
    defer { last = seconds }
    return [rest(at: seconds), notice.description].compactMap { $0 }.joined(separator: "\n")
  }

  /// The line for the xruns that are held back, when its time has come.
  mutating func due(at seconds: Double) -> String? {
    guard seconds - last >= Self.interval, let line = rest(at: seconds) else { return nil }
    last = seconds
    return line
  }

  /// The line for the xruns that are held back, at the end.
  mutating func rest(at seconds: Double) -> String? {
    guard held > 0 else { return nil }
    defer { held = 0 }
    return "xrun: \(held) more in the last \(Text.decimal(seconds - last, 1)) s"
  }
}
