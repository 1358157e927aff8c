import Synchronization

/// The memory of one program: zeroed and touched when it is allocated, aligned to cache lines unless it
/// is packed, freed all at once. Made and freed on the control thread, used on the render thread.
struct Arena {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var free: UnsafeMutableRawPointer?
  private var freeBytes = 0

  private static let alignment = 64
  /// Of packed values.
  private static let packing = 16
  /// Bytes of the next block: small chains touch little, large ones take few blocks.
  private var chunk = 1 << 16
  private static let largestChunk = 1 << 20

  /// `count` values of a trivial type, all the same. Zero of them have an address too.
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

  /// The values of an array, right behind what was packed before. What a step reads in every block takes
  /// fewer cache lines this way, and the next step's follow it.
  mutating func pack<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    place(values, alignment: max(Self.packing, MemoryLayout<Value>.alignment))
  }

  /// What is packed from here on shares no cache line with what was packed before: another thread may
  /// use it.
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
    // Writing makes the pages ours before the render thread needs them.
    block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    blocks.append(block)
    if size - bytes > freeBytes {
      free = block + bytes
      freeBytes = size - bytes
    }
    return block
  }

  /// Frees everything; nothing that was allocated here may be used again.
  mutating func destroy() {
    for block in blocks { block.deallocate() }
    blocks = []
    free = nil
    freeBytes = 0
  }
}
