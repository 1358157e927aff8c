import Synchronization

/// The memory of one program. It is zeroed and touched when allocated, aligned to cache lines
/// unless packed, and freed all at once. Allocated and freed on the control thread, used on the
/// render thread.
struct Arena {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var free: UnsafeMutableRawPointer?
  private var freeBytes = 0

  private static let alignment = 64
  /// The alignment of packed values.
  private static let packing = 16
  /// Bytes of the next block: small chains touch little memory, large ones need few blocks.
  private var chunk = 1 << 16
  private static let largestChunk = 1 << 20

  /// `count` equal values of a trivial type. A count of 0 also gets an address.
  mutating func allocate<Value: BitwiseCopyable>(
    _ type: Value.Type, count: Int, repeating value: Value
  ) -> UnsafeMutablePointer<Value> {
    let pointer = allocate(bytes: max(count, 1) * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: max(count, 1))
    pointer.initialize(repeating: value, count: max(count, 1))
    return pointer
  }

  /// The values of an array.
  mutating func allocate<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    place(values, alignment: Self.alignment)
  }

  /// The values of an array, directly after the values packed before. The values that a step reads
  /// in every block then take fewer cache lines, and those of the next step follow.
  mutating func pack<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    place(values, alignment: max(Self.packing, MemoryLayout<Value>.alignment))
  }

  /// Values packed after this call share no cache line with those before: another thread may use
  /// them.
  mutating func endPacking() { _ = allocate(bytes: 0, alignment: Self.alignment) }

  private mutating func place<Value: BitwiseCopyable>(
    _ values: [Value], alignment: Int
  ) -> UnsafeMutablePointer<Value> {
    let pointer = allocate(
      bytes: max(values.count, 1) * MemoryLayout<Value>.stride, alignment: alignment
    ).bindMemory(to: Value.self, capacity: max(values.count, 1))
    for (index, value) in values.enumerated() { (pointer + index).initialize(to: value) }
    return pointer
  }

  /// A counter on a cache line of its own.
  mutating func allocateCounter() -> UnsafeMutablePointer<Atomic<Int>> {
    let pointer = allocate(bytes: 2 * Self.alignment)
      .bindMemory(to: Atomic<Int>.self, capacity: 1)
    pointer.initialize(to: Atomic(0))
    return pointer
  }

  private mutating func allocate(
    bytes: Int, alignment: Int = Arena.alignment
  ) -> UnsafeMutableRawPointer {
    if let free {
      let start = free.alignedUp(toMultipleOf: alignment)
      let taken = start - free + bytes
      if taken <= freeBytes {
        self.free = free + taken
        freeBytes -= taken
        return start
      }
    }
    let size = max(bytes, chunk)
    chunk = min(2 * chunk, Self.largestChunk)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
    // Writing maps the pages before the render thread needs them.
    block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    blocks.append(block)
    if size - bytes > freeBytes {
      free = block + bytes
      freeBytes = size - bytes
    }
    return block
  }

  /// Frees everything that was allocated here.
  mutating func destroy() {
    for block in blocks { block.deallocate() }
    blocks = []
    free = nil
    freeBytes = 0
  }
}
