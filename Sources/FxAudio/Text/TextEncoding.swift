/// The characters of a text file: UTF-8, UTF-16, or Windows-1252 as older programs on Windows write
/// it.
package enum TextEncoding {
  /// The text; nil for bytes that are no text.
  package static func text(_ bytes: [UInt8]) -> String? {
    guard let text = decoded(bytes), !text.unicodeScalars.contains("\0") else { return nil }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  private static func decoded(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
    // Without a mark, the first character of a command is ASCII: one of its two bytes is zero.
    if bytes.count > 1, bytes[0] == 0 || bytes[1] == 0 {
      return utf16(bytes[...], isBigEndian: bytes[0] == 0)
    }
    return String(validating: bytes, as: UTF8.self) ?? windows(bytes)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(validating: units, as: UTF16.self)
  }

  /// The characters of Windows-1252 from 0x80 to 0x9F; the five unused ones are replaced.
  private static let extended: [Unicode.Scalar] = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  private static func windows(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      let isExtended = (0x80...0x9F).contains(byte)
      scalars.append(isExtended ? extended[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(scalars)
  }
}
