@testable import FxLV2
import Glibc
import Testing

/// New memory while a plugin is made.
@Suite struct HeapTests {
  @Test func `small blocks that were freed before are zeroed too`() {
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
    for index in used.indices where index % 3 != 0 { free(used[index]) }
    defer { for index in used.indices where index % 3 == 0 { free(used[index]) } }

    var dirty: [Int] = []
    for _ in 0..<3 {
      LV2Heap.zeroed {
        // The sizes of a plugin's instance, in no order.
        let blocks = sizes.enumerated().map { index, _ in
          let size = sizes[(index * 67) % sizes.count]
          return (size, malloc(size))
        }
        for case (let size, let block?) in blocks {
          let bytes = UnsafeRawBufferPointer(start: block, count: size)
          if bytes.contains(where: { $0 != 0 }) { dirty.append(size) }
          free(block)
        }
      }
    }
    #expect(dirty.isEmpty)
  }
}
