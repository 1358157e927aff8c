import FxAudio

/// Formats numbers and lines for people.
package enum Text {
  /// A number with this many decimals.
  package static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value < 0 ? "-inf" : "inf" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }

  /// `3:05`, `1:02:45`; below ten seconds with a decimal: `4.2 s`.
  package static func time(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "?" }
    if seconds < 10 { return "\(decimal(seconds, seconds < 1 ? 2 : 1)) s" }
    let whole = Int(min(seconds, 1e9).rounded())
    let tail = two(whole / 60 % 60) + ":" + two(whole % 60)
    return whole < 3600 ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(tail)"
  }

  /// The same, with a decimal below one minute too: `12.6 s`.
  package static func exactTime(_ seconds: Double) -> String {
    let isShort = seconds >= 10 && seconds < 59.95
    return isShort ? "\(decimal(seconds, 1)) s" : time(seconds)
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// Joins lines that may contain foreign text, and makes control characters visible.
  package static func lines(_ lines: [String]) -> String {
    lines.map { ForeignText.visible($0) }.joined(separator: "\n")
  }

  package static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(value) \(value == 1 ? singular : plural ?? singular + "s")"
  }
}

extension String {
  package func padded(to width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return left ? space + self : self + space
  }
}
