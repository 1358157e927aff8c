import Glibc

/// A number that changes when a file is added, removed or written.
struct TreeStamp: Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds an existing file.
  mutating func add(_ name: String, _ status: stat) {
    add(name)
    add(status.st_size)
    add(Int(truncatingIfNeeded: status.st_ino))
    add(status.st_mtim)
    // Also changes with the permissions, and cannot be set back.
    add(status.st_ctim)
  }

  /// Adds a missing file.
  mutating func add(missing name: String) {
    add(name)
    add(0)
  }

  /// FNV-1a.
  private mutating func add(_ name: String) {
    for byte in name.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  private mutating func add(_ time: timespec) {
    add(time.tv_sec &* 1_000_000_000 &+ time.tv_nsec)
  }

  private mutating func add(_ number: Int) {
    value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01b3
    value ^= value >> 32
  }
}
