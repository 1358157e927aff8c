import CRealtime
import FxFrames
import Glibc
import Synchronization

/// Writes bytes to a file or a pipe through a buffer, and remembers the first failure.
final class ByteDrain {
  let name: String
  let descriptor: Int32
  let isSeekable: Bool
  /// The `errno` of the first failed write; nothing is written after it.
  private(set) var failure: Int32?
  private let isOwner: Bool
  private let isInterrupted = Atomic<Bool>(false)
  private let buffer: UnsafeMutableRawPointer
  /// The part of the buffer that waits to be written. It begins at its place in the file modulo the
  /// capacity: a long file is written in whole pieces at multiples of their size, which costs a file
  /// system the least.
  private var fillStart = 0
  private var fillEnd = 0
  private var isClosed = false
  private let capacity: Int
  /// Where the room ends that the file system was asked for.
  private var reservedEnd = 0
  /// Where what is on its way to the disk ends.
  private var startedEnd = 0
  /// A file is written in pieces of this size; a pipe takes less at once.
  private static let fileCapacity = 1 << 19
  private static let pipeCapacity = 1 << 16
  /// A file that is this long is given so much room at once.
  private static let reserve = 1 << 24
  private static let leastReserved = 1 << 20
  /// So much is sent on its way to the disk at once, so that little is left for the end.
  private static let startedAtOnce = 1 << 23

  init(descriptor: Int32, name: String, isOwner: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isOwner = isOwner
    isSeekable = lseek(descriptor, 0, SEEK_CUR) >= 0
    capacity = isSeekable ? ByteDrain.fileCapacity : ByteDrain.pipeCapacity
    buffer = .allocate(byteCount: capacity, alignment: 4096)
    empty()
  }

  deinit {
    if isOwner { Glibc.close(descriptor) }
    buffer.deallocate()
  }

  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  /// What the first failure means.
  var error: IOError {
    if isInterrupted.load(ordering: .relaxed) {
      return IOError(.interrupted, name, "writing was given up")
    }
    return .writing(name, errno: failure ?? EIO)
  }

  /// Returns `count`, or less after a failure.
  func write(_ source: UnsafeRawPointer, _ count: Int) -> Int {
    guard !isClosed else { return count }
    guard failure == nil else { return 0 }
    var done = 0
    while done < count {
      if fillEnd == capacity { guard flush() else { return 0 } }
      let part = min(count - done, capacity - fillEnd)
      (buffer + fillEnd).copyMemory(from: source + done, byteCount: part)
      fillEnd += part
      done += part
    }
    return count
  }

  /// Where `count` bytes can be put in place; `advance` adds them then. Nil where the buffer has less room
  /// left than that, or nothing is written any more.
  func room(_ count: Int) -> UnsafeMutableRawPointer? {
    guard !isClosed, failure == nil, count <= capacity - fillEnd else { return nil }
    return buffer + fillEnd
  }

  /// Adds what was put in the room.
  func advance(_ count: Int) { fillEnd += count }

  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { raw in
      raw.baseAddress.map { write($0, raw.count) == raw.count } ?? true
    }
  }

  /// Hands everything to the system. False after a failure.
  func flush() -> Bool {
    guard failure == nil else { return false }
    guard fillEnd > fillStart else { return true }
    defer { empty() }
    return put(buffer + fillStart, fillEnd - fillStart)
  }

  /// Nothing waits any more; what comes next is for where the file is now.
  private func empty() {
    fillStart = isSeekable ? max(lseek(descriptor, 0, SEEK_CUR), 0) % capacity : 0
    fillEnd = fillStart
  }

  /// Gives back room behind the end of the file that was not needed. Everything has been flushed.
  func trim() {
    guard reservedEnd > 0, reservedEnd < Int.max else { return }
    var status = stat()
    if fstat(descriptor, &status) == 0 { _ = ftruncate(descriptor, status.st_size) }
    reservedEnd = 0
  }

  /// Before a write at the end of a long file: lets the disk begin with what is there, and asks for room
  /// for what comes.
  private func prepare(_ count: Int) {
    guard isSeekable else { return }
    let start = lseek(descriptor, 0, SEEK_CUR)
    guard start >= ByteDrain.leastReserved else { return }
    if start - startedEnd >= ByteDrain.startedAtOnce {
      fx_start_writing(descriptor, Int64(startedEnd), Int64(start - startedEnd))
      startedEnd = start
    }
    reserve(from: start, count)
  }

  /// The file system looks for room seldom then.
  private func reserve(from start: Int, _ count: Int) {
    guard reservedEnd < Int.max, start + count > reservedEnd else { return }
    // Where that cannot be done, or there is less, writing goes on without.
    let isDone = fx_reserve_file(descriptor, Int64(start), Int64(ByteDrain.reserve)) == 0
    reservedEnd = isDone ? start + ByteDrain.reserve : Int.max
  }

  /// The length of a file with what is in the buffer, where that is at its end.
  var byteCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) + fillEnd - fillStart : 0
  }

  /// Like `lseek`.
  func seek(_ offset: Int, _ origin: Int32) -> Int {
    guard flush() else { return -1 }
    defer { empty() }
    return lseek(descriptor, offset, origin)
  }

  /// Forgets a failed write and what was not written. Returns the length of the file; nil for a pipe, or
  /// when writing was given up.
  func forgive() -> Int? {
    guard isSeekable, !isInterrupted.load(ordering: .relaxed) else { return nil }
    failure = nil
    let end = lseek(descriptor, 0, SEEK_END)
    empty()
    return end >= 0 ? end : nil
  }

  /// From here on writes are taken and change nothing: an encoder that is given up completes its file.
  func close() {
    isClosed = true
    empty()
  }

  /// Reads back what was written; encoders of some formats do.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard flush() else { return 0 }
    defer { empty() }
    return max(Glibc.read(descriptor, target, count), 0)
  }

  private func put(_ source: UnsafeRawPointer, _ count: Int) -> Bool {
    // A pipe whose reader has gone is an error to report, not a signal to die of.
    if !isSeekable { ByteDrain.blockPipeSignal() }
    prepare(count)
    var done = 0
    while done < count {
      var part = count - done
      if !isSeekable {
        // So much a pipe that is ready takes without waiting.
        part = min(part, 4096)
        while fx_wait_writable(descriptor, 100) == 0 {
          if isInterrupted.load(ordering: .relaxed) { break }
        }
        if isInterrupted.load(ordering: .relaxed) {
          failure = EINTR
          return false
        }
      }
      let written = Glibc.write(descriptor, source + done, part)
      if written > 0 {
        done += written
      } else if written < 0, errno == EINTR || errno == EAGAIN {
        continue
      } else {
        failure = written == 0 ? ENOSPC : errno
        return false
      }
    }
    return true
  }

  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
