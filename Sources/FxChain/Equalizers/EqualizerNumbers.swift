/// How one equalizer file writes its numbers: with a decimal point or a decimal comma.
///
/// Room EQ Wizard writes numbers in the locale of the computer: `10.000 Hz` and `Q 0,400` in
/// Germany, `12,500 Hz` and `Q 2.00` in the United States. One number alone can be ambiguous, so
/// all numbers of a file decide together, and every number is then read in the same way.
struct EqualizerNumbers {
  enum Role: Equatable {
    /// Decibels, a Q, octaves: never thousands.
    case value
    /// The frequency of a filter.
    case frequency
    /// The frequency of a point of a graphic equalizer.
    case point
  }

  struct Sample {
    let text: String
    let role: Role
    let line: Int
  }

  enum Decimal: String {
    case point, comma

    var sign: Character { self == .point ? "." : "," }
  }

  let decimal: Decimal
  /// The first number that can be read only in this way; nil if none decides.
  let evidence: Sample?

  init(_ samples: [Sample]) {
    var decisive: [(decimal: Decimal, sample: Sample)] = []
    for sample in samples {
      let point = Self.number(sample.text, sample.role, .point)
      let comma = Self.number(sample.text, sample.role, .comma)
      if point != nil, comma == nil { decisive.append((.point, sample)) }
      if point == nil, comma != nil { decisive.append((.comma, sample)) }
    }
    let points = decisive.count { $0.decimal == .point }
    let commas = decisive.count - points
    guard points != commas || !decisive.isEmpty else {
      // Equalizer APO reads `Fc 10.000 Hz` as 10000 Hz.
      let thousands = samples.filter { $0.role == .frequency && Self.isAmbiguous($0.text) }
      let pointed = !thousands.isEmpty && thousands.allSatisfy { $0.text.contains(".") }
      (decimal, evidence) = (pointed ? .comma : .point, nil)
      return
    }
    let winner = points == commas ? decisive[0].decimal : points > commas ? .point : .comma
    (decimal, evidence) = (winner, decisive.first { $0.decimal == winner }?.sample)
  }

  func number(_ text: String, _ role: Role) -> Double? { Self.number(text, role, decimal) }

  /// True for a number such as `10.000`, which is ten or ten thousand.
  static func isAmbiguous(_ text: String) -> Bool {
    guard let point = number(text, .frequency, .point), let comma = number(text, .frequency, .comma)
    else { return false }
    return point != comma
  }

  /// True if the text may be a number in one of the two ways.
  static func isNumber(_ text: String) -> Bool {
    number(text, .frequency, .point) != nil || number(text, .frequency, .comma) != nil
  }

  /// Groups of three digits are separated by the other sign, or by an apostrophe, which also stands
  /// for a space that does not break.
  private static func number(_ text: String, _ role: Role, _ decimal: Decimal) -> Double? {
    var body = text.replacing("\u{2212}", with: "-")[...]
    var sign = ""
    if let first = body.first, first == "-" || first == "+" {
      sign = String(first)
      body.removeFirst()
    }
    var exponent = ""
    if let mark = body.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = String(body[mark...])
      body = body[..<mark]
    }
    let parts = body.split(separator: decimal.sign, omittingEmptySubsequences: false)
    guard parts.count < 3, let whole = integer(parts[0], role, decimal) else { return nil }
    let fraction = parts.count > 1 ? parts[1] : ""
    guard fraction.allSatisfy(isDigit), !whole.isEmpty || !fraction.isEmpty else { return nil }
    let plain = "\(sign)\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)"
    guard let number = Double(plain + exponent), number.isFinite else { return nil }
    return number
  }

  /// The digits before the decimal sign, without the signs between groups.
  private static func integer(
    _ text: Substring, _ role: Role, _ decimal: Decimal
  ) -> String? {
    let other: Character = decimal == .point ? "," : "."
    guard let separator = text.first(where: { $0 == other || $0 == "'" }) else {
      return text.allSatisfy(isDigit) ? String(text) : nil
    }
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard role != .value, groups[0].count <= 3, !groups[0].isEmpty, groups[0].first != "0",
      groups.allSatisfy({ $0.allSatisfy(isDigit) }),
      groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return groups.joined()
  }

  static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
