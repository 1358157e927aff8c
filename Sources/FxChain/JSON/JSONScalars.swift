/// Strings, numbers and words of the JSON grammar.
extension JSONParser {
  mutating func parseString(parent: Int) throws(JSONSyntaxError) {
    let start = at
    var isEscaped = false
    at += 1
    while true {
      guard at < bytes.count else { throw unclosedString(start) }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        break
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try parseEscape(stringStart: start)
      } else if byte < 0x20 {
        if byte == 0x0A || byte == 0x0D { throw unclosedString(start) }
        let name = byte == 0x09 ? "a tab" : "the control character U+\(hexadecimal(UInt32(byte)))"
        let escape = byte == 0x09 ? "\\t" : "\\u\(hexadecimal(UInt32(byte)))"
        throw JSONSyntaxError(
          message: "\(name) cannot stand in a string", range: at..<(at + 1),
          hints: ["write it as \(escape)"])
      } else if byte < 0x80 {
        at += 1
      } else {
        try parseMultibyte()
      }
    }
    var string = node(.string, start, parent: parent)
    string.isEscaped = isEscaped
    nodes.append(string)
  }

  private mutating func parseEscape(stringStart: Int) throws(JSONSyntaxError) {
    let start = at
    guard at + 1 < bytes.count else { throw unclosedString(stringStart) }
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
    case UInt8(ascii: "u"):
      let unit = try parseCodeUnit()
      if (0xDC00..<0xE000).contains(unit) { throw loneSurrogate(start) }
      guard (0xD800..<0xDC00).contains(unit) else { return }
      guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
        bytes[at + 1] == UInt8(ascii: "u")
      else { throw loneSurrogate(start) }
      let low = try parseCodeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw loneSurrogate(start) }
    case let letter:
      let isShown = (0x20..<0x7F).contains(letter)
      throw JSONSyntaxError(
        message: isShown
          ? "'\\\(Character(Unicode.Scalar(letter)))' is not an escape"
          : "a backslash with nothing to escape",
        range: at..<(at + (isShown ? 2 : 1)),
        hints: ["a backslash itself is written \\\\; paths may use /"])
    }
  }

  /// Reads `\uXXXX`, including its backslash.
  private mutating func parseCodeUnit() throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for index in (at + 2)..<(at + 6) {
      guard index < bytes.count, let digit = JSONEscapes.hexadecimalDigit(bytes[index]) else {
        throw JSONSyntaxError(
          message: "'\\u' needs four hexadecimal digits", range: at..<min(index, bytes.count))
      }
      unit = unit << 4 | UInt32(digit)
    }
    at += 6
    return unit
  }

  private func loneSurrogate(_ start: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      message: "half of a surrogate pair stands alone", range: start..<min(start + 6, bytes.count),
      hints: ["write the character itself"])
  }

  /// Checks one UTF-8 character of two to four bytes (RFC 3629).
  mutating func parseMultibyte() throws(JSONSyntaxError) {
    let lead = bytes[at]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: count = 2
    case 0xE0:
      count = 3
      second = 0xA0...0xBF
    case 0xED:
      count = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: count = 3
    case 0xF0:
      count = 4
      second = 0x90...0xBF
    case 0xF4:
      count = 4
      second = 0x80...0x8F
    case 0xF1...0xF3: count = 4
    default: throw invalidByte()
    }
    guard at + count <= bytes.count, second.contains(bytes[at + 1]) else { throw invalidByte() }
    for index in (at + 2)..<max(at + count, at + 2) where bytes[index] & 0xC0 != 0x80 {
      throw invalidByte()
    }
    at += count
  }

  private func invalidByte() -> JSONSyntaxError {
    JSONSyntaxError(
      code: .invalidUTF8,
      message: "the byte 0x\(hexadecimal(UInt32(bytes[at]), digits: 2)) is not UTF-8",
      range: at..<(at + 1), hints: ["save the file as UTF-8"])
  }

  mutating func parseNumber(parent: Int) throws(JSONSyntaxError) {
    let start = at
    if bytes[at] == UInt8(ascii: "-") { at += 1 }
    guard let first = peek, isDigit(first) else { throw badNumber(start) }
    skipDigits()
    if first == UInt8(ascii: "0"), at - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
      throw badNumber(start, "a number has no zeros in front")
    }
    if peek == UInt8(ascii: ".") {
      at += 1
      guard let digit = peek, isDigit(digit) else { throw badNumber(start) }
      skipDigits()
    }
    var mayOverflow = at - start > 300
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      at += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
      guard let digit = peek, isDigit(digit) else { throw badNumber(start) }
      skipDigits()
      mayOverflow = true
    }
    if let next = peek, isWordByte(next) { throw badNumber(start) }
    if mayOverflow {
      let text = String(decoding: bytes[start..<at], as: UTF8.self)
      guard let value = Double(text), value.isFinite else {
        throw badNumber(start, "the number is too large")
      }
    }
    nodes.append(node(.number, start, parent: parent))
  }

  mutating func parseWord(parent: Int) throws(JSONSyntaxError) {
    let start = at
    while at < bytes.count, isWordByte(bytes[at]) { at += 1 }
    let kind: JSONDocument.Kind
    switch String(decoding: bytes[start..<at], as: UTF8.self) {
    case "true": kind = .true
    case "false": kind = .false
    case "null": kind = .null
    default:
      at = start
      if at == bytes.count, parent >= 0 { throw unclosed(parent, expecting: "a value") }
      throw unexpected(expecting: "a value")
    }
    nodes.append(node(kind, start, parent: parent))
  }

  // MARK: Bytes

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private mutating func skipDigits() {
    while at < bytes.count, isDigit(bytes[at]) { at += 1 }
  }

  func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private func badNumber(_ start: Int, _ message: String? = nil) -> JSONSyntaxError {
    var end = start
    while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
    let word = String(decoding: bytes[start..<min(end, start + 40)], as: UTF8.self)
    return JSONSyntaxError(
      message: message ?? "'\(word)' is not a number in JSON", range: start..<max(end, start + 1),
      hints: message == nil
        ? ["a number looks like -1.5 or 2e3; one with a unit of measure stands in double quotes"]
        : [])
  }
}

/// Upper-case hexadecimal digits.
package func hexadecimal(_ value: UInt32, digits: Int = 4) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
