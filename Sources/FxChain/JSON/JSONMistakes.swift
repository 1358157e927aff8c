/// Describes syntax errors by what the user probably meant.
extension JSONParser {
  func unclosedString(_ start: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      message: "the string that begins here is not closed on its line", range: start..<at,
      hints: ["close it with \"; a line break inside a string is written \\n"])
  }

  /// The mistake of a container that neither continues nor ends.
  func unclosed(_ container: Int, expecting expected: String) -> JSONSyntaxError {
    guard at == bytes.count else { return unexpected(expecting: expected) }
    let start = Int(nodes[container].start)
    let what = nodes[container].kind == .object ? "object" : "list"
    return JSONSyntaxError(
      message: "the file ends before the \(what) that begins here is closed",
      range: start..<(start + 1))
  }

  func trailingText() -> JSONSyntaxError {
    switch peek {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): unexpected(expecting: "the end of the file")
    default:
      JSONSyntaxError(
        message: "text follows the end of the object", range: tokenRange,
        hints: ["a file holds one object"])
    }
  }

  func unexpected(expecting expected: String) -> JSONSyntaxError {
    guard let byte = peek else {
      return JSONSyntaxError(
        message: "expected \(expected), found the end of the file", range: at..<at)
    }
    let range = tokenRange
    let token = String(decoding: bytes[range], as: UTF8.self)
    var message = "expected \(expected), found '\(token)'"
    var hints: [String] = []
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "#"):
      message = "JSON has no comments"
      hints = ["any object may have a \"comment\" key"]
    case UInt8(ascii: "'"):
      message = "text stands in double quotes in JSON, not in single ones"
    case UInt8(ascii: "\""):
      message = "expected \(expected), found a string"
      if expected.hasPrefix("','") { hints = ["is a comma missing before it?"] }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if expected.hasPrefix("','") { hints = ["is a comma missing before it?"] }
    case 0xE2 where token.hasPrefix("“") || token.hasPrefix("”") || token.hasPrefix("„"):
      message = "text stands in straight double quotes (\") in JSON"
    default:
      let isWord = isWordByte(byte)
      switch token.lowercased() {
      case "nan", "inf", "infinity", "+inf", "+infinity":
        message = "'\(token)' is not a number in JSON"
        hints = ["a level of no sound at all is written \"-inf dB\""]
      case "true", "false", "null": hints = ["write \(token.lowercased())"]
      case "yes", "on": hints = ["write true"]
      case "no", "off": hints = ["write false"]
      case "none", "nil", "undefined": hints = ["leave the key out instead"]
      default:
        if isWord, expected == "a value", token.first?.isLetter == true {
          hints = ["text stands in double quotes: \"\(token)\""]
        } else if isWord, expected == "a value" {
          message = "'\(token)' is not a number in JSON"
        } else if isWord, expected.hasPrefix("a key") {
          hints = ["write \"\(token)\""]
        } else if byte < 0x20 || byte == 0x7F {
          message =
            "expected \(expected), found the control character "
            + "U+\(hexadecimal(UInt32(byte)))"
        }
      }
    }
    return JSONSyntaxError(message: message, range: range, hints: hints)
  }

  /// The word or the single character at the current position.
  private var tokenRange: Range<Int> {
    guard at < bytes.count else { return at..<at }
    var end = at
    while end < bytes.count, isWordByte(bytes[end]), end - at < 40 { end += 1 }
    if end == at {
      end += 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80, end - at < 4 { end += 1 }
    }
    return at..<end
  }
}
