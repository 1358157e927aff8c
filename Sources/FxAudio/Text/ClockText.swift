/// A time as people write it: `90`, `1.5`, `20ms`, `10min`, `1:30`, `1:02:03.5`.
package enum ClockText {
  private static let units: [(name: String, seconds: Double)] = [
    ("min", 60), ("ms", 0.001), ("s", 1), ("h", 3600),
  ]

  /// The time in seconds, below 1e9; nil for other texts.
  package static func seconds(_ text: some StringProtocol) -> Double? {
    let text = String(text).filter { $0 != " " }
    var total = 0.0
    if let unit = units.first(where: { text.hasSuffix($0.name) }) {
      guard let number = Double(text.dropLast(unit.name.count)) else { return nil }
      total = number * unit.seconds
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard (1...3).contains(parts.count) else { return nil }
      for part in parts {
        guard let part, part >= 0 else { return nil }
        total = total * 60 + part
      }
    }
    return (0..<1e9).contains(total) ? total : nil
  }
}
