import FxKit

/// Reads SPA-JSON, the relaxed JSON of PipeWire's configurations: keys and texts need no quotes, `=` stands for
/// `:`, commas may be left out, and `#` begins a comment.
///
/// These are the rules that PipeWire's own configurations follow.
struct SPAParser {
  private let bytes: [UInt8]
  private let path: String
  private var at = 0
  private var line = 1
  private var count = 0

  private static let depthLimit = 100
  private static let countLimit = 200_000

  private init(_ text: String, _ path: String) {
    bytes = Array(text.utf8)
    self.path = path
  }

  /// - Throws: `ChainFailure` of kind `input` with the line of a mistake.
  static func value(_ text: String, path: String) throws(ChainFailure) -> SourceValue {
    var parser = SPAParser(text, path)
    parser.skipSpace()
    let isWrapped = parser.peek == UInt8(ascii: "{")
    if isWrapped { parser.at += 1 }
    let root = SourceValue(
      .map(try parser.members(end: isWrapped ? UInt8(ascii: "}") : nil, path: "", depth: 1)),
      line: 1, path: "")
    parser.skipSpace()
    guard parser.peek == nil else { throw parser.mistake("text follows the end of the object") }
    return root
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func mistake(_ message: String) -> ChainFailure {
    ChainFailure(.input, code: .unreadable, "\(path):\(line): \(message)", path: path)
  }

  /// Skips spaces, line ends, commas, separators of a key and its value, and comments.
  private mutating func skipSpace() {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        at += 1
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: ","),
        UInt8(ascii: ":"), UInt8(ascii: "="):
        at += 1
      case UInt8(ascii: "#"):
        while let byte = peek, byte != UInt8(ascii: "\n") { at += 1 }
      default: return
      }
    }
  }

  private mutating func members(
    end: UInt8?, path: String, depth: Int
  ) throws(ChainFailure) -> [(key: String, value: SourceValue)] {
    var members: [(key: String, value: SourceValue)] = []
    while true {
      skipSpace()
      guard let byte = peek else {
        guard end == nil else { throw mistake("the file ends before an object is closed") }
        return members
      }
      if byte == end {
        at += 1
        return members
      }
      let keyLine = line
      let key = try scalar()
      skipSpace()
      let value = try value(
        path: path.isEmpty ? key : "\(path).\(key)", line: keyLine, depth: depth)
      members.append((key, value))
    }
  }

  private mutating func value(path: String, line: Int, depth: Int) throws(ChainFailure)
    -> SourceValue
  {
    count += 1
    guard depth < Self.depthLimit, count < Self.countLimit else {
      throw mistake("the file has too many values, or too deep ones")
    }
    switch peek {
    case UInt8(ascii: "{"):
      at += 1
      return SourceValue(
        .map(try members(end: UInt8(ascii: "}"), path: path, depth: depth + 1)), line: line,
        path: path)
    case UInt8(ascii: "["):
      at += 1
      var elements: [SourceValue] = []
      while true {
        skipSpace()
        guard let byte = peek else { throw mistake("the file ends before a list is closed") }
        if byte == UInt8(ascii: "]") {
          at += 1
          return SourceValue(.list(elements), line: line, path: path)
        }
        elements.append(
          try value(path: "\(path).\(elements.count)", line: self.line, depth: depth + 1))
      }
    default:
      let isQuoted = peek == UInt8(ascii: "\"")
      let text = try scalar()
      return SourceValue(
        text == "null" && !isQuoted ? .absent : .scalar(text), line: line, path: path)
    }
  }

  private mutating func scalar() throws(ChainFailure) -> String {
    guard let first = peek else { throw mistake("the file ends before a value") }
    if first == UInt8(ascii: "\"") { return try quoted() }
    let start = at
    while let byte = peek, !Self.endsWord(byte) { at += 1 }
    guard at > start else {
      throw mistake("'\(String(decoding: [first], as: UTF8.self))' is not expected here")
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\t"), UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
      UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: ":"), UInt8(ascii: ","),
      UInt8(ascii: "="), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "{"):
      true
    default: false
    }
  }

  private mutating func quoted() throws(ChainFailure) -> String {
    at += 1
    var text: [UInt8] = []
    while let byte = peek {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\n"): throw mistake("a text is not closed on its line")
      case UInt8(ascii: "\\"):
        guard let escaped = peek else { break }
        at += 1
        text.append(
          escaped == UInt8(ascii: "n")
            ? UInt8(ascii: "\n") : escaped == UInt8(ascii: "t") ? UInt8(ascii: "\t") : escaped)
      default: text.append(byte)
      }
    }
    throw mistake("the file ends before a text is closed")
  }
}
