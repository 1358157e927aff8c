import FxAudio

/// Amounts of memory as people write and read them: `512M`, `1.5 GiB`.
package enum MemorySize {
  private static let units: [(letter: Character, bytes: Double)] = [
    ("T", 1_099_511_627_776), ("G", 1_073_741_824), ("M", 1_048_576), ("K", 1024),
  ]

  /// The bytes of a number with a unit letter: `512M`, `4G`, `1.5g`, `2GiB`; nil for other texts.
  package static func bytes(_ text: String) -> Int? {
    var number = Substring(text.uppercased())
    for suffix in ["IB", "B"] where number.hasSuffix(suffix) {
      number.removeLast(suffix.count)
      break
    }
    var factor = 1.0
    if let unit = units.first(where: { number.last == $0.letter }) {
      factor = unit.bytes
      number.removeLast()
    }
    guard number.allSatisfy({ $0.isNumber || $0 == "." }), let value = Double(number) else {
      return nil
    }
    let bytes = (value * factor).rounded()
    return (1...1e18).contains(bytes) ? Int(bytes) : nil
  }

  /// `1.5 GiB`: three digits at most.
  package static func text(_ bytes: Int) -> String {
    guard let unit = units.first(where: { Double(bytes) >= $0.bytes }) else {
      return "\(bytes) bytes"
    }
    return "\(short(Double(bytes) / unit.bytes)) \(unit.letter)iB"
  }

  /// The next larger amount that an option takes: `138G`.
  static func argument(_ bytes: Int) -> String {
    guard let unit = units.first(where: { Double(bytes) >= $0.bytes }) else { return "1K" }
    return "\(Int((Double(bytes) / unit.bytes).rounded(.up)))\(unit.letter)"
  }

  private static func short(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
