/// Backslashes in JSON strings and tildes in JSON pointers.
enum JSONEscapes {
  /// The text of a string whose escapes the parser has checked.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.endIndex else {
        text.append(bytes[at])
        at += 1
        continue
      }
      let letter = bytes[at + 1]
      at += 2
      switch letter {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var unit = codeUnit(bytes, at: at) ?? 0xFFFD
        at += 4
        if (0xD800..<0xDC00).contains(unit), let low = codeUnit(bytes, at: at + 2) {
          unit = 0x10000 + (unit - 0xD800) << 10 + (low &- 0xDC00)
          at += 6
        }
        text.append(contentsOf: Array(String(Character(Unicode.Scalar(unit) ?? "\u{FFFD}")).utf8))
      default: text.append(letter)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Four hexadecimal digits at an index.
  static func codeUnit(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
    guard index >= bytes.startIndex, index + 4 <= bytes.endIndex else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = hexadecimalDigit(byte) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// A key as one step of a JSON pointer.
  static func pointerStep(_ key: String?) -> String {
    var step = ""
    for character in key ?? "" {
      switch character {
      case "~": step += "~0"
      case "/": step += "~1"
      default: step.append(character)
      }
    }
    return step
  }
}
