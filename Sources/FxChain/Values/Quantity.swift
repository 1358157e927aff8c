import FxAudio

/// A value as a chain gives it, before its measure is known.
package enum RawValue: Sendable, Equatable {
  case number(Double)
  case text(String)
  /// A text such as `1/8` in a chain of version 1: as a time it is a fraction of a beat, not a note.
  case fractionOfBeat(String)
  case flag(Bool)

  /// A text in a chain of this version.
  init(_ text: String, version: Int) {
    guard version < ChainFormat.noteVersion, Quantity(text)?.isFraction == true else {
      self = .text(text)
      return
    }
    self = .fractionOfBeat(text)
  }

  /// The text; nil for a number or a switch.
  package var text: String? {
    switch self {
    case .text(let text), .fractionOfBeat(let text): text
    case .number, .flag: nil
    }
  }

  /// What the text means; nil if it is none of these, or no text.
  var quantity: Quantity? {
    switch self {
    case .text(let text): Quantity(text)
    case .fractionOfBeat(let text):
      if case .fraction(let fraction)? = Quantity(text) { .fractionOfBeat(fraction) } else { nil }
    case .number, .flag: nil
    }
  }

  /// A note or a number of beats: `1/8`, `2 beats`.
  var isInBeats: Bool {
    switch quantity {
    case .fraction, .fractionOfBeat, .note: true
    case .plain(_, let unit): UnitOfMeasure.named(unit)?.unit == .beats
    case .clock, nil: false
    }
  }

  /// `4:1`, `1/8`.
  var isQuotient: Bool {
    switch quantity {
    case .clock, .fraction, .fractionOfBeat: true
    case .plain, .note, nil: false
    }
  }

  /// The value in messages.
  package var shown: String {
    switch self {
    case .number(let number): shortNumber(number)
    case .text(let text), .fractionOfBeat(let text): "\"\(ForeignText.shortened(text))\""
    case .flag(let flag): flag ? "true" : "false"
    }
  }
}

/// A number with its unit or form: `-6 dB`, `1:30`, `1/8`.
package enum Quantity: Sendable, Equatable {
  /// A number and the spelling of its unit, empty if there is none.
  case plain(Double, unit: String)
  /// `1:30`, `1:02:03.5`: seconds. Also `4:1`, which is a quotient for a ratio.
  case clock(seconds: Double, quotient: Double?)
  /// `1/8`: a factor, or for a time an eighth note.
  case fraction(Double)
  /// `1/8` in a chain of version 1: for a time, an eighth of a beat.
  case fractionOfBeat(Double)
  /// `1/8.` with a dot, `1/8t` of a triplet: a part of a whole note.
  case note(Double)

  /// Reads a text; nil if it is none of these.
  package init?(_ text: String) {
    var rest = Substring(text).drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    guard let (first, isSigned) = Self.number(&rest) else { return nil }
    if rest.first == ":" {
      guard !isSigned, let quantity = Self.clock(first, rest) else { return nil }
      self = quantity
      return
    }
    if rest.first == "/" {
      rest.removeFirst()
      guard first.isFinite, let quantity = Self.fraction(first, rest) else { return nil }
      self = quantity
      return
    }
    let unit = rest.drop(while: \.isWhitespace)
    guard !unit.contains(where: { $0.isWhitespace || $0.isNumber }) else { return nil }
    self = .plain(first, unit: String(unit))
  }

  /// A fraction from the text after its slash, with the dot or the letter of a note.
  private static func fraction(_ first: Double, _ text: Substring) -> Quantity? {
    var rest = text
    var factor: Double?
    switch rest.last {
    case ".": factor = 1.5
    case "t", "T": factor = 2.0 / 3
    default: break
    }
    if factor != nil { rest.removeLast() }
    guard let (second, isSigned) = number(&rest), rest.isEmpty, !isSigned, second > 0 else {
      return nil
    }
    return factor.map { .note(first / second * $0) } ?? .fraction(first / second)
  }

  /// A fraction without the dot or the letter of a note.
  var isFraction: Bool { if case .fraction = self { true } else { false } }

  /// The number at the start of a text: digits, an optional sign, point and exponent; or `inf`.
  private static func number(_ text: inout Substring) -> (value: Double, isSigned: Bool)? {
    var rest = text
    var spelling = ""
    if let sign = rest.first, sign == "-" || sign == "+" || sign == "−" {
      spelling = sign == "+" ? "" : "-"
      rest.removeFirst()
    }
    let isSigned = rest.startIndex != text.startIndex
    if rest.prefix(3).lowercased() == "inf" || rest.first == "∞" {
      rest = rest.dropFirst(rest.first == "∞" ? 1 : 3)
      text = rest
      return (spelling.isEmpty ? .infinity : -.infinity, isSigned)
    }
    let start = spelling.utf8.count
    func takeDigits() -> Bool {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      spelling += digits
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    guard takeDigits() || rest.first == "." else { return nil }
    if rest.first == "." {
      rest.removeFirst()
      if spelling.utf8.count == start { spelling += "0" }
      spelling += "."
      guard takeDigits() else { return nil }
    }
    if rest.first == "e" || rest.first == "E" {
      // An exponent needs digits: `1 e` has none.
      let before = (rest, spelling)
      rest.removeFirst()
      spelling += "e"
      if let sign = rest.first, sign == "-" || sign == "+" {
        spelling.append(sign)
        rest.removeFirst()
      }
      if !takeDigits() { (rest, spelling) = before }
    }
    guard let value = Double(spelling), value.isFinite else { return nil }
    text = rest
    return (value, isSigned)
  }

  /// The text after the first colon: minutes and seconds, or the right side of a ratio.
  private static func clock(_ first: Double, _ text: Substring) -> Quantity? {
    var parts = [first]
    var rest = text
    while rest.first == ":" {
      rest.removeFirst()
      let spelling = rest
      guard let (part, isSigned) = number(&rest), !isSigned, part.isFinite else { return nil }
      // A clock has two digits before the point; anything else can only be a ratio.
      let digits = spelling.prefix { $0.isNumber }.count
      parts.append(part)
      if parts.count > 2 || digits == 2 { guard part < 60 else { return nil } }
    }
    guard rest.isEmpty, parts.count <= 3 else { return nil }
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    return .clock(
      seconds: seconds, quotient: parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : nil)
  }
}
