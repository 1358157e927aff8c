import Glibc

/// Finds where a sound ends in a stream, because the next one begins: the links of a chained Ogg
/// stream, and joined FLAC files.
protocol SoundBoundary: SendableMetatype {
  /// Starts at the first byte of a sound.
  init()

  /// The number of next bytes that belong to the sound. 0 if the next sound begins here, or the
  /// stream ends.
  mutating func step(_ window: ByteWindow) -> Int

  /// Continues at a different place of the same sound.
  mutating func restart(isAtStart: Bool)
}

extension SoundBoundary {
  /// The ranges in bytes of the sounds from the reader's position on.
  static func ranges(_ reader: ByteReader) -> [Range<Int>] {
    let window = ByteWindow(reader)
    var ranges: [Range<Int>] = []
    while window.has(1) {
      let start = window.offset
      var boundary = Self()
      while case let count = boundary.step(window), count > 0 { window.skip(count) }
      // A boundary gives at least one byte.
      guard window.offset > start else { break }
      ranges.append(start..<window.offset)
    }
    return ranges
  }
}

/// Links of a chained Ogg stream (RFC 3533): a link begins with first pages, which come after other
/// pages.
struct OggBoundary: SoundBoundary {
  private var hasBody = false
  private static let mark: [UInt8] = [0x4f, 0x67, 0x67, 0x53, 0]

  mutating func step(_ window: ByteWindow) -> Int {
    guard window.has(27) else { return window.count }
    guard OggBoundary.isMark(window, at: 0) else { return distance(window) }
    guard let size = OggPageReader.byteCount(window, at: 0) else { return window.count }
    let isFirst = window[5] & 2 != 0
    // A page proves itself by the page that follows it, or else by its checksum.
    guard isFirst || !window.has(size + 5) || !OggBoundary.isMark(window, at: size) else {
      hasBody = true
      return size
    }
    guard OggTail.isWhole(Array(window.bytes()[..<size])[...]) else { return distance(window) }
    if isFirst, hasBody { return 0 }
    hasBody = !isFirst
    return size
  }

  mutating func restart(isAtStart: Bool) { hasBody = !isAtStart }

  private static func isMark(_ window: ByteWindow, at place: Int) -> Bool {
    window[place] == mark[0] && window.bytes(at: place).prefix(mark.count).elementsEqual(mark)
  }

  /// Bytes up to the next possible page.
  private func distance(_ window: ByteWindow) -> Int {
    let last = window.count - OggBoundary.mark.count
    guard last >= 1 else { return max(window.count, 1) }
    return (1...last).first { OggBoundary.isMark(window, at: $0) } ?? last
  }
}

/// Joined FLAC files: each begins with a marker and a block of 34 bytes (RFC 9639, section 8).
struct FLACBoundary: SoundBoundary {
  private var isBehindStart = false
  /// Bytes of the marker, and of the head of the first block.
  private static let byteCount = 8
  private static let mark = Array("fLaC".utf8)

  mutating func step(_ window: ByteWindow) -> Int {
    guard isBehindStart else {
      isBehindStart = true
      return window.has(1) ? 1 : 0
    }
    guard window.has(FLACBoundary.byteCount) else { return window.count }
    let bytes = window.bytes()
    let last = bytes.count - FLACBoundary.byteCount
    var place = 0
    while place <= last, let start = bytes.baseAddress {
      guard let found = memchr(start + place, Int32(FLACBoundary.mark[0]), last + 1 - place) else {
        break
      }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      let isMark = (1..<4).allSatisfy { bytes[place + $0] == FLACBoundary.mark[$0] }
      // The first block has 34 bytes.
      if isMark, bytes[place + 4] & 0x7f == 0, bytes[place + 5] == 0, bytes[place + 6] == 0,
        bytes[place + 7] == 34
      {
        return place
      }
      place += 1
    }
    return last + 1
  }

  mutating func restart(isAtStart: Bool) { isBehindStart = !isAtStart }
}
