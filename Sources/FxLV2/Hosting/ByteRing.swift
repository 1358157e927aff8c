import Synchronization

/// A ring of messages from one thread to another. It never blocks or allocates.
///
/// A non-owning view: whoever made it calls `destroy` once when both sides are done.
struct ByteRing {
  // A message is its size and tag (four bytes each), then its bytes up to a multiple of eight.
  private let bytes: UnsafeMutableRawPointer
  /// Bytes written and read since the start; each on a cache line of its own.
  private let written: UnsafeMutablePointer<Atomic<Int>>
  private let read: UnsafeMutablePointer<Atomic<Int>>
  private let mask: Int

  /// The largest message that fits.
  var maximumSize: Int { mask + 1 - 8 }

  /// `capacity` is rounded up to a power of two.
  init(capacity: Int) {
    var size = 64
    while size < capacity { size *= 2 }
    mask = size - 1
    bytes = .allocate(byteCount: size + 128, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size + 128)
    written = (bytes + size).bindMemory(to: Atomic<Int>.self, capacity: 1)
    read = (bytes + size + 64).bindMemory(to: Atomic<Int>.self, capacity: 1)
    written.initialize(to: Atomic(0))
    read.initialize(to: Atomic(0))
  }

  func destroy() { bytes.deallocate() }

  // MARK: - Realtime

  /// The position after the last message that has been written.
  var end: Int {
    @_noLocks get { written.pointee.load(ordering: .acquiring) }
  }

  /// The position of the next message to be read.
  var start: Int {
    @_noLocks get { read.pointee.load(ordering: .relaxed) }
  }

  /// Appends a message; false when there is no room for it.
  @_noLocks
  func push(_ data: UnsafeRawPointer?, size: UInt32, tag: UInt32 = 0) -> Bool {
    let size = data == nil ? 0 : Int(size)
    guard size <= mask + 1 - 8 else { return false }
    let position = written.pointee.load(ordering: .relaxed)
    let room = mask + 1 - (position - read.pointee.load(ordering: .acquiring))
    let needed = 8 + (size + 7) & ~7
    guard needed <= room else { return false }
    let header = bytes + position & mask
    header.storeBytes(of: UInt32(truncatingIfNeeded: size), as: UInt32.self)
    (header + 4).storeBytes(of: tag, as: UInt32.self)
    if let data {
      let offset = (position + 8) & mask
      let first = min(size, mask + 1 - offset)
      (bytes + offset).copyMemory(from: data, byteCount: first)
      if first < size { bytes.copyMemory(from: data + first, byteCount: size - first) }
    }
    written.pointee.store(position + needed, ordering: .releasing)
    return true
  }

  /// Moves the oldest message to `data`, which has room for `maximumSize` bytes; nil when there is
  /// none.
  @_noLocks
  func pop(into data: UnsafeMutableRawPointer) -> (size: UInt32, tag: UInt32)? {
    let position = read.pointee.load(ordering: .relaxed)
    guard position != written.pointee.load(ordering: .acquiring) else { return nil }
    let header = bytes + position & mask
    let size = header.load(as: UInt32.self)
    let tag = (header + 4).load(as: UInt32.self)
    let count = Int(size)
    let offset = (position + 8) & mask
    let first = min(count, mask + 1 - offset)
    data.copyMemory(from: bytes + offset, byteCount: first)
    if first < count { (data + first).copyMemory(from: bytes, byteCount: count - first) }
    read.pointee.store(position + 8 + (count + 7) & ~7, ordering: .releasing)
    return (size, tag)
  }
}
