import CRealtime
import Glibc

/// What `free` does to a block while a performance keeps freed memory: of a process of its own, whose threads have
/// no memory apart.
enum FreedMemory {
  /// Says whether freed pages stay: before a performance, in two, in one of them, and after both.
  static func print() {
    var stays = [staysMapped()]
    fx_keep_freed_memory()
    fx_keep_freed_memory()
    stays.append(staysMapped())
    fx_return_freed_memory()
    stays.append(staysMapped())
    fx_return_freed_memory()
    stays.append(staysMapped())
    Swift.print(stays.map { $0 ? "stays" : "goes" }.joined(separator: " "))
  }

  /// Whether the pages of a block that has been freed are still there.
  private static func staysMapped() -> Bool {
    let size = 64 << 20
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    memset(block, 1, size)
    let page = Int(getpagesize())
    let inside = (Int(bitPattern: block) + page) & -page
    block.deallocate()
    var states = [UInt8](repeating: 0, count: size / page)
    return mincore(UnsafeMutableRawPointer(bitPattern: inside), size / 2, &states) == 0
  }
}
