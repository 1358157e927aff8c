/// The next bytes of a reader, as many as somebody wants to look at.
final class ByteWindow {
  /// Where the first byte of the window is in the stream.
  private(set) var offset: Int
  private let reader: ByteReader
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  /// More than this is not held at once.
  private let limit: Int

  /// Begins where the reader is.
  init(_ reader: ByteReader, capacity: Int = 1 << 17, limit: Int = 1 << 24) {
    self.reader = reader
    self.capacity = capacity
    self.limit = max(limit, capacity)
    offset = reader.offset
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// Bytes that are there already.
  var count: Int { end - start }

  subscript(place: Int) -> UInt8 { memory[start + place] }

  /// The bytes from a place on that are there already. They stay until the next call that changes the
  /// window.
  func bytes(at place: Int = 0) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: memory + start + place, count: max(0, end - start - place))
  }

  /// True when so many bytes are there, or can be read.
  func has(_ count: Int) -> Bool {
    if end - start >= count { return true }
    guard count <= limit else { return false }
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
    while end < count {
      let got = reader.read(memory + end, capacity - end)
      guard got > 0 else { return false }
      end += got
    }
    return true
  }

  /// Drops bytes. False where there are not so many.
  @discardableResult
  func skip(_ count: Int) -> Bool {
    let held = min(count, end - start)
    start += held
    offset += held
    var left = count - held
    if left > 1 << 20, let size = reader.byteCount {
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

  /// Goes to another place of the stream. False where that cannot be.
  func resume(at target: Int) -> Bool {
    guard reader.seek(to: target) else { return false }
    offset = target
    start = 0
    end = 0
    return true
  }
}
