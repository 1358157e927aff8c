@testable import FxLV2
import Glibc
import Testing

/// New memory while a plugin is made.
@Suite struct HeapTests {
  @Test func `nearly all small blocks that were freed before are zeroed`() {
    // A heap with free blocks of all small sizes: more than the cache of a thread holds.
    let sizes = Array(stride(from: 16, through: 1600, by: 8))
    var used: [UnsafeMutableRawPointer] = []
    for _ in 0..<40 {
      for size in sizes {
        guard let block = malloc(size) else { continue }
        memset(block, 0xA5, size)
        used.append(block)
      }
    }
    for index in used.indices where index % 50 != 0 { free(used[index]) }
    defer { for index in used.indices where index % 50 == 0 { free(used[index]) } }

    // The sizes of a plugin's memory, in no order. Whatever the body frees itself is not zeroed, so
    // it allocates nothing else.
    let asked = UnsafeMutableBufferPointer<Int>.allocate(capacity: sizes.count)
    let blocks = UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>.allocate(
      capacity: sizes.count)
    defer {
      asked.deallocate()
      blocks.deallocate()
    }
    for index in sizes.indices { asked[index] = sizes[(index * 67) % sizes.count] }
    var dirty: [Int] = []
    for _ in 0..<3 {
      LV2Heap.zeroed {
        for index in asked.indices { blocks[index] = malloc(asked[index]) }
      }
      for (size, block) in zip(asked, blocks) {
        guard let block else { continue }
        let bytes = UnsafeRawBufferPointer(start: block, count: size)
        if bytes.contains(where: { $0 != 0 }) { dirty.append(size) }
        free(block)
      }
    }
    // The C library does not fill a free block that happens to have exactly the asked size.
    #expect(dirty.count <= 3 * sizes.count / 100, "\(dirty)")
  }
}
