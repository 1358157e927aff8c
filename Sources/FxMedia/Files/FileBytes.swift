import Glibc

/// Reads bytes at any offset of an open file, or of a part of it, without moving the file
/// position.
struct FileBytes {
  let descriptor: Int32
  /// The offset in the file of the first byte.
  let start: Int
  /// The size in bytes.
  let count: Int

  /// nil if this is not a regular file.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    start = 0
    count = Int(status.st_size)
  }

  /// A part of other bytes.
  init(_ bytes: FileBytes, _ range: Range<Int>) {
    descriptor = bytes.descriptor
    let part = range.clamped(to: 0..<bytes.count)
    start = bytes.start + part.lowerBound
    count = part.count
  }

  /// True if these are all bytes of the file.
  var isWhole: Bool { start == 0 && FileBytes(descriptor)?.count == count }

  /// The bytes from an offset on; fewer at the end of the file.
  func bytes(at offset: Int, _ wanted: Int) -> [UInt8] {
    guard offset >= 0, wanted > 0, offset < count else { return [] }
    let size = min(wanted, count - offset)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, size - filled,
          off_t(start + offset + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}

/// Bytes to write at an offset of a file.
struct FilePatch: Equatable {
  let offset: Int
  let bytes: [UInt8]

  init(_ offset: Int, _ bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }

  init(_ offset: Int, _ text: String) { self.init(offset, Array(text.utf8)) }

  static func little(_ offset: Int, _ value: Int, _ width: Int) -> FilePatch {
    FilePatch(offset, (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  static func big(_ offset: Int, _ value: Int, _ width: Int) -> FilePatch {
    FilePatch(offset, (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// Writes the bytes into a file. False after a failure.
  func write(to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Applies the patch to `count` bytes that were read at the offset `start`.
  func apply(to target: UnsafeMutableRawPointer, count: Int, from start: Int) {
    for (index, byte) in bytes.enumerated() {
      let place = offset + index - start
      if (0..<count).contains(place) {
        target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
      }
    }
  }
}
