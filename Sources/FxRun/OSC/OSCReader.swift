/// Reads the numbers and texts of a packet, which begin at multiples of four bytes.
struct OSCReader {
  private let all: [UInt8]
  private var at = 0

  init(_ bytes: some Collection<UInt8>) { all = Array(bytes) }

  var isAtEnd: Bool { at >= all.count }
  var next: UInt8? { isAtEnd ? nil : all[at] }

  mutating func bytes(count: Int) throws(OSCMistake) -> ArraySlice<UInt8> {
    guard count >= 0, count <= all.count - at else { throw OSCMistake("the packet is too short") }
    defer { at += count }
    return all[at..<at + count]
  }

  mutating func integer32() throws(OSCMistake) -> UInt32 {
    try bytes(count: 4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func integer64() throws(OSCMistake) -> UInt64 {
    try bytes(count: 8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func text() throws(OSCMistake) -> String {
    guard let end = all[at...].firstIndex(of: 0) else { throw OSCMistake("a text has no end") }
    let text = String(decoding: all[at..<end], as: UTF8.self)
    at = end + 1
    try align()
    return text
  }

  /// Skips to the next multiple of four.
  mutating func align() throws(OSCMistake) {
    let place = (at + 3) / 4 * 4
    guard place <= all.count else { throw OSCMistake("the packet is too short") }
    at = place
  }
}
