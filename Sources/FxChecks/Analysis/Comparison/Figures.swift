import FxAudio

/// Formats numbers for people.
package enum Figures {
  /// A number with a fixed count of decimal places: `-43.2`, `0.098`; also `-inf`, `inf` and `nan`.
  package static func fixed(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : (value < 0 ? "-inf" : "inf") }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 1e15 else { return value.description }
    let whole = Int(scaled) / Int(scale)
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(whole)" }
    let part = String(Int(scaled) % Int(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: places - part.count) + part
  }

  /// The level of an amplitude: `-43.2 dB`; `silence` for 0.
  package static func level(_ amplitude: Double) -> String {
    if amplitude == 0 { return "silence" }
    return "\(fixed(Math.decibels(amplitude: amplitude), places: 1)) dB"
  }

  /// A change of level without its sign: two decimal places, or two significant digits below 0.01:
  /// `0.10 dB`, `0.00087 dB`.
  package static func change(_ decibels: Double) -> String {
    let size = abs(decibels)
    var places = 2
    var least = 0.01
    while size < least, places < 9 {
      places += 1
      least /= 10
    }
    if places > 2 { places += 1 }
    return "\(fixed(size, places: places)) dB"
  }

  /// A duration with up to three significant digits: `1.33 ms`, `50 ms`, `2.5 s`.
  package static func duration(_ seconds: Double) -> String {
    let size = abs(seconds)
    return size < 1 ? "\(short(size * 1000)) ms" : "\(short(size)) s"
  }

  /// A position in time: `0.098 s`.
  package static func time(_ seconds: Double) -> String { "\(fixed(seconds, places: 3)) s" }

  /// A position as on a clock: `1:30`, `2:05:00`.
  static func clock(_ seconds: Double, hasHours: Bool) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return time(seconds) }
    let whole = Int(seconds.rounded())
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (minutes, rest) = (whole / 60, padded(whole % 60))
    return hasHours ? "\(minutes / 60):\(padded(minutes % 60)):\(rest)" : "\(minutes):\(rest)"
  }

  /// `1 kHz`, `31.5 Hz`.
  package static func frequency(_ hertz: Double) -> String {
    hertz < 1000 ? "\(plain(hertz)) Hz" : "\(plain(hertz / 1000)) kHz"
  }

  private static func short(_ value: Double) -> String {
    let places = value < 10 ? 2 : (value < 100 ? 1 : 0)
    return trimmed(fixed(value, places: places))
  }

  /// A number with up to three decimal places, without trailing zeros.
  package static func plain(_ value: Double) -> String { trimmed(fixed(value, places: 3)) }

  private static func trimmed(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = text
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
