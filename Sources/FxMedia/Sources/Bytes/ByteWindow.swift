/// A window over the next bytes of a reader, as large as needed. It ends where bytes are known to be missing, until
/// `passHole` is called.
final class ByteWindow {
  /// The offset of the window's first byte in the stream.
  private(set) var offset: Int
  private let reader: ByteReader
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  /// The end of the bytes before the next hole.
  private var visibleEnd = 0
  private var passedHoleCount = 0
  /// The most bytes in the window.
  private let limit: Int

  /// Starts at the reader's position.
  init(_ reader: ByteReader, capacity: Int = 1 << 17, limit: Int = 1 << 24) {
    self.reader = reader
    self.capacity = capacity
    self.limit = max(limit, capacity)
    offset = reader.offset
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// The number of bytes in the window now.
  var count: Int { visibleEnd - start }

  subscript(place: Int) -> UInt8 { memory[start + place] }

  /// The bytes of the window from `place` on. Valid until the next call that changes the window.
  func bytes(at place: Int = 0) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: memory + start + place, count: max(0, visibleEnd - start - place))
  }

  /// True if the window holds, or can be filled to, this many bytes.
  func has(_ count: Int) -> Bool {
    if visibleEnd - start >= count { return true }
    guard visibleEnd == end, !isAtHole, count <= limit else { return false }
    if count > capacity {
      capacity = min(max(2 * capacity, count), limit)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: memory + start, count: end - start)
      memory.deallocate()
      memory = larger
    } else if start > 0 {
      memory.update(from: memory + start, count: end - start)
    }
    end -= start
    start = 0
    visibleEnd = end
    while end < count {
      let got = reader.read(memory + end, capacity - end)
      guard got > 0 else { return false }
      end += got
      visibleEnd = min(end, nextHole - offset)
      if visibleEnd < end || isAtHole { return visibleEnd >= count }
    }
    return true
  }

  /// Skips bytes. False if there are fewer.
  @discardableResult
  func skip(_ count: Int) -> Bool {
    let held = min(count, visibleEnd - start)
    start += held
    offset += held
    var left = count - held
    if left > reader.skippedByteCount, let size = reader.byteCount {
      let (target, isOverflow) = offset.addingReportingOverflow(left)
      return resume(at: isOverflow ? size : min(target, size)) && !isOverflow && target <= size
    }
    while left > 0 {
      guard has(1) else { return false }
      let part = min(left, self.count)
      start += part
      offset += part
      left -= part
    }
    return true
  }

  /// Moves to another offset of the stream. False if that is impossible.
  func resume(at target: Int) -> Bool {
    guard reader.seek(to: target) else { return false }
    offset = target
    start = 0
    end = 0
    visibleEnd = 0
    passedHoleCount = reader.holes.count { $0 <= target }
    return true
  }

  /// Continues behind a hole, if one is at the end of the window's bytes and all of them were skipped.
  func passHole() -> Bool {
    guard start == visibleEnd, nextHole == offset else { return false }
    passedHoleCount += 1
    visibleEnd = min(end, start + (nextHole - offset))
    return true
  }

  /// The offset of the next hole that is known; a large number if none is.
  private var nextHole: Int {
    let holes = reader.holes
    return passedHoleCount < holes.count ? holes[passedHoleCount] : Int.max / 2
  }

  /// True if no more bytes may be read, because some are missing behind the last one.
  private var isAtHole: Bool { nextHole - offset == end - start }
}
