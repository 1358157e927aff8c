/// A JSON syntax error with its place.
struct JSONSyntaxError: Error {
  var code: DiagnosticCode = .invalidJSON
  var message: String
  var range: Range<Int>
  var hints: [String] = []
}

/// Reads strict JSON (RFC 8259) in one pass, without recursion and in linear time.
struct JSONParser {
  /// Deeper than any hand-written file; chains need about six levels.
  static let nestingLimit = 200
  /// Offsets are stored in 32 bits.
  static let byteLimit = 1 << 30

  let bytes: UnsafeBufferPointer<UInt8>
  var at = 0
  var nodes: [JSONDocument.Node] = []
  /// Duplicate keys of an object: the nodes of the second and of the first key.
  var duplicates: [(second: Int, first: Int)] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    nodes.reserveCapacity(min(bytes.count / 8 + 8, 1 << 20))
  }

  /// Reads the whole text.
  mutating func parse() throws(JSONSyntaxError) {
    try skipMark()
    var container = -1
    var depth = 0
    while true {
      skipSpace()
      var isComplete = true
      switch peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = bytes[at] == UInt8(ascii: "{")
        depth += 1
        guard depth <= Self.nestingLimit else {
          throw JSONSyntaxError(
            code: .tooDeep,
            message: "objects and lists are nested more than \(Self.nestingLimit) deep",
            range: at..<(at + 1))
        }
        nodes.append(node(isObject ? .object : .array, at, parent: container))
        container = nodes.count - 1
        at += 1
        skipSpace()
        if peek != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          isComplete = false
          if isObject { try parseKey(in: container) }
        }
      case UInt8(ascii: "\""):
        try parseString(parent: container)
      case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10:
        try parseNumber(parent: container)
      default:
        try parseWord(parent: container)
      }
      guard isComplete else { continue }
      // After a value, close containers that end here, until a comma announces another value.
      closing: while true {
        skipSpace()
        guard container >= 0 else {
          guard at == bytes.count else { throw trailingText() }
          return
        }
        let isObject = nodes[container].kind == .object
        switch peek {
        case UInt8(ascii: ","):
          let comma = at
          at += 1
          skipSpace()
          if peek == UInt8(ascii: "]") || peek == UInt8(ascii: "}") {
            throw JSONSyntaxError(
              message: "nothing follows this comma", range: comma..<(comma + 1),
              hints: ["remove it: JSON has no comma after the last element"])
          }
          if isObject { try parseKey(in: container) }
          break closing
        case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
          at += 1
          nodes[container].end = Int32(at)
          nodes[container].next = Int32(nodes.count)
          if isObject { findDuplicates(in: container) }
          container = Int(nodes[container].parent)
          depth -= 1
        default:
          throw unclosed(container, expecting: isObject ? "',' or '}'" : "',' or ']'")
        }
      }
    }
  }

  // MARK: Tokens

  var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipSpace() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return
      }
    }
  }

  func node(_ kind: JSONDocument.Kind, _ start: Int, parent: Int) -> JSONDocument.Node {
    JSONDocument.Node(
      kind: kind, start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: at),
      next: Int32(truncatingIfNeeded: nodes.count + 1), parent: Int32(truncatingIfNeeded: parent))
  }

  private mutating func skipMark() throws(JSONSyntaxError) {
    let start = bytes.prefix(4)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      at = 3
    } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      || start.prefix(2).contains(0) && start.count > 1
    {
      throw JSONSyntaxError(
        code: .invalidUTF8, message: "the file is not in UTF-8 (it looks like UTF-16 or UTF-32)",
        range: 0..<1, hints: ["save it as UTF-8"])
    }
    skipSpace()
    guard at < bytes.count else {
      throw JSONSyntaxError(message: "the file is empty", range: at..<at)
    }
  }

  private mutating func parseKey(in container: Int) throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: "\"") else {
      if at == bytes.count { throw unclosed(container, expecting: "a key") }
      if peek == UInt8(ascii: ",") {
        throw JSONSyntaxError(message: "expected a key, found ','", range: at..<(at + 1))
      }
      throw unexpected(expecting: "a key in double quotes")
    }
    try parseString(parent: container)
    skipSpace()
    guard peek == UInt8(ascii: ":") else {
      throw unclosed(container, expecting: "':' after the key")
    }
    at += 1
  }

  private mutating func findDuplicates(in container: Int) {
    var keys: [Int] = []
    var child = container + 1
    while child < Int(nodes[container].next) {
      keys.append(child)
      child = Int(nodes[child + 1].next)
    }
    guard keys.count > 1 else { return }
    if keys.count <= 8, keys.allSatisfy({ !nodes[$0].isEscaped }) {
      for second in 1..<keys.count {
        for first in 0..<second where isSameText(keys[first], keys[second]) {
          duplicates.append((keys[second], keys[first]))
          break
        }
      }
    } else {
      var seen: [String: Int] = [:]
      seen.reserveCapacity(keys.count)
      for key in keys {
        let inner = Array(bytes[(Int(nodes[key].start) + 1)..<(Int(nodes[key].end) - 1)])
        let text =
          nodes[key].isEscaped
          ? JSONEscapes.decoded(inner[...]) : String(decoding: inner, as: UTF8.self)
        if let first = seen[text] { duplicates.append((key, first)) } else { seen[text] = key }
      }
    }
  }

  private func isSameText(_ first: Int, _ second: Int) -> Bool {
    let count = nodes[first].end - nodes[first].start
    guard count == nodes[second].end - nodes[second].start else { return false }
    for offset in 0..<Int(count)
    where bytes[Int(nodes[first].start) + offset] != bytes[Int(nodes[second].start) + offset] {
      return false
    }
    return true
  }
}
