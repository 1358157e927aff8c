import CRealtime
import Glibc
import Synchronization

/// Bytes of a file or a pipe, with as much of a pipe's start held as has been looked at.
final class ByteStream {
  let name: String
  let descriptor: Int32
  let isSeekable: Bool
  /// Bytes from start to end; nil for a pipe.
  let byteCount: Int?
  /// The `errno` of a failed read.
  private(set) var failure: Int32?
  private let isOwner: Bool
  private let isInterrupted = Atomic<Bool>(false)
  private var held: [UInt8] = []
  private var heldOffset = 0
  private var patches: [FilePatch] = []

  /// Takes over a descriptor, and closes it at the end when it is the owner.
  init(descriptor: Int32, name: String, isOwner: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isOwner = isOwner
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isSeekable = isFile && lseek(descriptor, 0, SEEK_CUR) >= 0
    byteCount = isSeekable ? Int(status.st_size) : nil
  }

  /// Opens a file for reading.
  convenience init(path: String) throws(IOError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .reading(path, errno: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .reading(path, errno: code)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw .reading(path, errno: EISDIR)
    }
    self.init(descriptor: descriptor, name: path, isOwner: true)
  }

  deinit {
    if isOwner { close(descriptor) }
  }

  /// Ends every wait, from any thread.
  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// From here on these bytes of a file are read as if they were written in it.
  func patch(_ patches: [FilePatch]) { self.patches = patches }

  /// The next bytes from `offset` on, fewer only at the end, which stay to be read.
  func peek(at offset: Int = 0, _ count: Int) throws(IOError) -> [UInt8] {
    while held.count - heldOffset < offset + count {
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let got = chunk.withUnsafeMutableBytes { readDirectly($0.baseAddress, $0.count) }
      if got < 0 { throw error }
      if got == 0 { break }
      held.append(contentsOf: chunk[0..<got])
    }
    let start = min(heldOffset + offset, held.count)
    return Array(held[start..<min(start + count, held.count)])
  }

  /// Reads up to `count` bytes. Returns 0 at the end and -1 after a failure.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard heldOffset < held.count else { return readDirectly(target, count) }
    let available = min(count, held.count - heldOffset)
    held.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      target.copyMemory(from: start + heldOffset, byteCount: available)
    }
    heldOffset += available
    if heldOffset == held.count {
      held = []
      heldOffset = 0
    }
    return available
  }

  /// Reads until `count` bytes are there or the end is.
  func readFully(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    var done = 0
    while done < count {
      let got = read(target + done, count - done)
      if got < 0 { return done > 0 ? done : -1 }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Like `lseek`; -1 where that cannot be.
  func seek(_ offset: Int, _ origin: Int32) -> Int {
    guard isSeekable else { return -1 }
    let adjusted = origin == SEEK_CUR ? offset - (held.count - heldOffset) : offset
    held = []
    heldOffset = 0
    return lseek(descriptor, adjusted, origin)
  }

  /// What the failed read means.
  var error: IOError {
    if wasInterrupted { return IOError(.interrupted, name, "reading was given up") }
    return .reading(name, errno: failure ?? EIO)
  }

  private func readDirectly(_ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    guard let target else { return 0 }
    while true {
      if !isSeekable {
        while fx_wait_readable(descriptor, 100) == 0 {
          if wasInterrupted { return -1 }
        }
        if wasInterrupted { return -1 }
      }
      let start = patches.isEmpty ? 0 : Int(lseek(descriptor, 0, SEEK_CUR))
      let got = Glibc.read(descriptor, target, count)
      if got >= 0 {
        for patch in patches { patch.apply(to: target, count: got, from: start) }
        return got
      }
      if errno == EINTR || errno == EAGAIN { continue }
      failure = errno
      return -1
    }
  }
}
