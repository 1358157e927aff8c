import CRealtime
import Glibc
import Testing

/// What `free` does to a block while a performance keeps freed memory.
struct LiveMemoryTests {
  /// Whether the pages of a block that has been freed are still there.
  private static func staysMapped() -> Bool {
    let size = 2 << 20
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    memset(block, 1, size)
    let page = Int(getpagesize())
    let inside = (Int(bitPattern: block) + page) & -page
    block.deallocate()
    var states = [UInt8](repeating: 0, count: size / page)
    return mincore(UnsafeMutableRawPointer(bitPattern: inside), size / 2, &states) == 0
  }

  @Test func `freed memory stays in the process until the last performance gives it back`() {
    fx_keep_freed_memory()
    fx_keep_freed_memory()
    #expect(Self.staysMapped())
    fx_return_freed_memory()
    #expect(Self.staysMapped())
    fx_return_freed_memory()
  }
}
