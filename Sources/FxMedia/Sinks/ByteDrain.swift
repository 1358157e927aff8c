import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Writes bytes to a file or a pipe through a buffer, and keeps the first error.
final class ByteDrain {
  let name: String
  let descriptor: Int32
  let isSeekable: Bool
  /// The `errno` of the first failed write; nothing is written after it.
  private(set) var failure: Int32?
  private let isOwner: Bool
  private let isInterrupted = Atomic<Bool>(false)
  private let buffer: UnsafeMutableRawPointer
  /// The part of the buffer that is not written yet. Its start is its file offset modulo the
  /// capacity. So a long file is written in whole pieces at multiples of their size, which is
  /// cheapest for a file system.
  private var fillStart = 0
  private var fillEnd = 0
  private var isClosed = false
  private let capacity: Int
  /// The end of the space that was reserved in the file system.
  private var reservedEnd = 0
  /// The end of the data whose writing to the disk was started.
  private var startedEnd = 0
  /// Files are written in pieces of this size. A pipe gets less at once.
  private static let fileCapacity = 1 << 19
  private static let pipeCapacity = 1 << 16
  /// A file of at least `leastReserved` bytes gets this much reserved space at once.
  private static let reserve = 1 << 24
  private static let leastReserved = 1 << 20
  /// The bytes whose writing to the disk is started at once, so that little is left at the end.
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

  /// The error of the first failure.
  var error: Failure {
    if isInterrupted.load(ordering: .relaxed) {
      return Failure(.interrupted, name, "writing was stopped")
    }
    return .writing(name, errno: failure ?? EIO)
  }

  /// Returns `count`, or less after an error.
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

  /// The address where `count` bytes can be stored; call `advance` afterwards. nil if the buffer
  /// has less room, or nothing is written any more.
  func room(_ count: Int) -> UnsafeMutableRawPointer? {
    guard !isClosed, failure == nil, count <= capacity - fillEnd else { return nil }
    return buffer + fillEnd
  }

  /// Adds the bytes that were stored at `room`.
  func advance(_ count: Int) { fillEnd += count }

  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { raw in
      raw.baseAddress.map { write($0, raw.count) == raw.count } ?? true
    }
  }

  /// Passes all buffered bytes to the system. False after an error.
  func flush() -> Bool {
    guard failure == nil else { return false }
    guard fillEnd > fillStart else { return true }
    defer { empty() }
    return put(buffer + fillStart, fillEnd - fillStart)
  }

  /// Empties the buffer. The next bytes belong at the current file position.
  private func empty() {
    fillStart = isSeekable ? max(lseek(descriptor, 0, SEEK_CUR), 0) % capacity : 0
    fillEnd = fillStart
  }

  /// Releases reserved space after the end of the file. Call it after a flush.
  func trim() {
    guard reservedEnd > 0, reservedEnd < Int.max else { return }
    var status = stat()
    if fstat(descriptor, &status) == 0 { _ = ftruncate(descriptor, status.st_size) }
    reservedEnd = 0
  }

  /// Before a write at the end of a long file: starts writing earlier data to the disk, and
  /// reserves space for the next data.
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

  /// With reserved space the file system allocates less often.
  private func reserve(from start: Int, _ count: Int) {
    guard reservedEnd < Int.max, start + count > reservedEnd else { return }
    // If the space cannot be reserved, writing continues without it.
    let isDone = fx_reserve_file(descriptor, Int64(start), Int64(ByteDrain.reserve)) == 0
    reservedEnd = isDone ? start + ByteDrain.reserve : Int.max
  }

  /// The length of the file including the buffer, if the position is at the end.
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

  /// Clears a write error and the unwritten bytes. Returns the length of the file; nil for a pipe,
  /// or when writing was interrupted.
  func forgive() -> Int? {
    guard isSeekable, !isInterrupted.load(ordering: .relaxed) else { return nil }
    failure = nil
    let end = lseek(descriptor, 0, SEEK_END)
    empty()
    return end >= 0 ? end : nil
  }

  /// From here on writes succeed without effect: an encoder that is given up still tries to
  /// complete its file.
  func close() {
    isClosed = true
    empty()
  }

  /// Reads written bytes back, as the encoders of some formats need.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard flush() else { return 0 }
    defer { empty() }
    return max(Glibc.read(descriptor, target, count), 0)
  }

  private func put(_ source: UnsafeRawPointer, _ count: Int) -> Bool {
    // A pipe without a reader is an error to report; the signal must not end the process.
    if !isSeekable { ByteDrain.blockPipeSignal() }
    prepare(count)
    var done = 0
    while done < count {
      var part = count - done
      if !isSeekable {
        // A ready pipe accepts this many bytes without blocking.
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
