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

  mutating func step(_ window: ByteWindow) -> Int {
    guard window.has(27) else { return window.count }
    guard OggPage.isMark(window.bytes()) else { return distance(window) }
    guard let page = OggPage(window) else { return window.count }
    // A page proves itself by the page that follows it, or else by its checksum.
    guard
      page.isFirst || !window.has(page.byteCount + 5)
        || !OggPage.isMark(window.bytes(at: page.byteCount))
    else {
      hasBody = true
      return page.byteCount
    }
    guard page.isWhole(window.bytes()) else { return distance(window) }
    if page.isFirst, hasBody { return 0 }
    hasBody = !page.isFirst
    return page.byteCount
  }

  mutating func restart(isAtStart: Bool) { hasBody = !isAtStart }

  /// Bytes up to the next possible page.
  private func distance(_ window: ByteWindow) -> Int {
    let last = window.count - 5
    guard last >= 1 else { return max(window.count, 1) }
    return (1...last).first { OggPage.isMark(window.bytes(at: $0)) } ?? last
  }
}

/// Joined FLAC files: each begins with a marker and a block of 34 bytes (RFC 9639, section 8).
struct FLACBoundary: SoundBoundary {
  private var isBehindStart = false
  mutating func step(_ window: ByteWindow) -> Int {
    guard isBehindStart else {
      isBehindStart = true
      return window.has(1) ? 1 : 0
    }
    guard window.has(FLACHeader.markByteCount) else { return window.count }
    let bytes = window.bytes()
    let last = bytes.count - FLACHeader.markByteCount
    var place = 0
    while place <= last, let start = bytes.baseAddress {
      guard let found = memchr(start + place, FLACHeader.firstByte, last + 1 - place) else {
        break
      }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if FLACHeader.isMark(window.bytes(at: place)) { return place }
      place += 1
    }
    return last + 1
  }

  mutating func restart(isAtStart: Bool) { isBehindStart = !isAtStart }
}
