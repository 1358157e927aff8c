/// The metadata that a radio station sends between its bytes of sound (ICY). After a fixed number
/// of bytes there is one byte with the length in units of 16 bytes, and then a text such as
/// `StreamTitle='…';StreamUrl='…';`.
package enum ICYMetadata {
  /// The title in a metadata block; nil if it has none.
  package static func title(_ block: some Collection<UInt8>) -> String? {
    let bytes = Array(block.prefix { $0 != 0 })
    let key = Array("StreamTitle='".utf8)
    guard let start = place(of: key, in: bytes, from: 0).map({ $0 + key.count }) else { return nil }
    return text(bytes[start..<end(of: bytes, from: start)])
  }

  /// A value ends at `';` before another key or the end. Titles may contain apostrophes and
  /// semicolons.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while let quote = self.place(of: Array("';".utf8), in: bytes, from: place) {
      if startsKey(bytes[(quote + 2)...]) { return quote }
      place = quote + 1
    }
    // The value is cut off, or has no semicolon.
    if let last = bytes[start...].last, last == UInt8(ascii: "'") { return bytes.count - 1 }
    return bytes.count
  }

  /// True for an empty rest, or for one that starts with a key such as `StreamUrl='`.
  private static func startsKey(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.drop { $0 == 0x20 || $0 == 0x0d || $0 == 0x0a }
    guard !rest.isEmpty else { return true }
    let key = rest.prefix { isLetter($0) }
    return !key.isEmpty && rest.dropFirst(key.count).starts(with: "='".utf8)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte & 0xdf)
  }

  private static func place(of key: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= start + key.count else { return nil }
    return (start...(bytes.count - key.count)).first { bytes[$0...].starts(with: key) }
  }

  /// Decodes UTF-8. Anything else is decoded as Windows-1252, which most stations use.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let decoded =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { windows[Int($0)] }))
    let visible = decoded.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? " " : scalar
    }
    let text = String(String.UnicodeScalarView(visible))
    let front = text.drop { $0 == " " }
    return String(front.reversed().drop { $0 == " " }.reversed())
  }

  private static let windows: [Unicode.Scalar] = {
    let upper: [UInt32] = [
      0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
      0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
      0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
    ]
    return (0..<256).map { (code: UInt32) in
      let index = Int(code) - 0x80
      return Unicode.Scalar(upper.indices.contains(index) ? upper[index] : code) ?? "\u{fffd}"
    }
  }()
}

/// Separates metadata from the sound bytes of a station.
struct ICYSplitter {
  private let interval: Int
  private var soundLeft: Int
  /// Bytes left in the current metadata block; nil within sound, or before the length byte.
  private var blockLeft: Int?
  private var block: [UInt8] = []

  /// nil for an invalid interval.
  init?(interval: Int) {
    guard (1...(16 << 20)).contains(interval) else { return nil }
    self.interval = interval
    soundLeft = interval
  }

  /// Passes sound and complete metadata blocks on, in order.
  mutating func split(
    _ bytes: UnsafeRawBufferPointer, sound: (UnsafeRawBufferPointer) -> Void,
    metadata: ([UInt8]) -> Void
  ) {
    var place = 0
    while place < bytes.count {
      if soundLeft > 0 {
        let count = min(soundLeft, bytes.count - place)
        sound(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
        soundLeft -= count
        place += count
        continue
      }
      guard let left = blockLeft else {
        blockLeft = Int(bytes[place]) * 16
        place += 1
        if blockLeft == 0 { endBlock(metadata) }
        continue
      }
      let count = min(left, bytes.count - place)
      block.append(contentsOf: bytes[place..<place + count])
      place += count
      blockLeft = left - count
      if left == count { endBlock(metadata) }
    }
  }

  private mutating func endBlock(_ metadata: ([UInt8]) -> Void) {
    if !block.isEmpty { metadata(block) }
    block.removeAll(keepingCapacity: true)
    blockLeft = nil
    soundLeft = interval
  }
}
