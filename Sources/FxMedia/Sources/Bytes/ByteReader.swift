import FxAudio
import Glibc

/// Reads a byte stream for a decoder. The bytes that were peeked stay buffered.
final class ByteReader {
  let stream: any ByteStream
  /// The offset of the next byte to read.
  private(set) var offset = 0
  private var held: [UInt8] = []
  private var heldOffset = 0
  private var patches: [FilePatch] = []

  init(_ stream: any ByteStream) { self.stream = stream }

  var name: String { stream.name }
  var isSeekable: Bool { byteCount != nil }
  /// The size in bytes; nil for a pipe.
  var byteCount: Int? { isForwardOnly ? nil : stream.byteCount }
  /// True if a seek needs a request to a server.
  var isCostly: Bool { stream.isCostly }
  /// True if all bytes can be read in advance at little cost.
  var isLocal: Bool { !isForwardOnly && stream.isLocal }
  private var isForwardOnly = false

  /// From now on behaves like a pipe: for decoders that would otherwise seek between start and end.
  func readForwardOnly() { isForwardOnly = true }

  /// A skip of more bytes than this is a seek.
  var skippedByteCount: Int { stream.skippedByteCount }
  /// The offsets at which bytes are missing, as far as the bytes were read.
  var holes: [Int] { stream.holes }
  var file: FileBytes? { stream.file }
  var wasInterrupted: Bool { stream.wasInterrupted }
  func interrupt() { stream.interrupt() }

  /// True when reading failed or was interrupted.
  var hasFailed: Bool { stream.failure != nil || stream.wasInterrupted }

  /// The error of the failed read.
  var error: Failure {
    if wasInterrupted { return Failure(.interrupted, name, "reading was stopped") }
    if let error = stream.ioError { return error }
    return .reading(name, errno: stream.failure ?? EIO)
  }

  /// The next bytes were chosen by an estimate.
  func noteEstimate() { stream.noteEstimate() }

  /// From now on, reading returns these bytes as if they were in the file.
  func patch(_ patches: [FilePatch]) {
    self.patches = patches
    let start = offset - heldOffset
    held.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for patch in patches { patch.apply(to: base, count: bytes.count, from: start) }
    }
  }

  /// Returns bytes from `offset` on without consuming them; fewer only at the end.
  func peek(at offset: Int = 0, _ count: Int) throws(Failure) -> [UInt8] {
    while case let missing = offset + count - (held.count - heldOffset), missing > 0 {
      // Reads little at first, because most callers only need the beginning.
      let readCount = readAhead(min(max(missing, held.count, 1 << 12), 1 << 16))
      if readCount < 0 { throw error }
      if readCount == 0 { break }
    }
    let start = min(heldOffset + offset, held.count)
    return Array(held[start..<min(start + count, held.count)])
  }

  /// Reads up to `count` bytes. Returns 0 at the end and -1 after a failure.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard heldOffset < held.count else {
      let got = readDirectly(target, count, at: offset)
      offset += max(got, 0)
      return got
    }
    let available = min(count, held.count - heldOffset)
    held.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      target.copyMemory(from: start + heldOffset, byteCount: available)
    }
    heldOffset += available
    offset += available
    if heldOffset == held.count {
      held = []
      heldOffset = 0
    }
    return available
  }

  /// Reads until `count` bytes were read or the end is reached.
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

  /// Sets the next byte to read. False if that is impossible.
  @discardableResult
  func seek(to target: Int) -> Bool {
    // Buffered bytes are available even from a pipe.
    let start = offset - heldOffset
    if !held.isEmpty, target >= start, target <= start + held.count {
      heldOffset = target - start
      offset = target
      return true
    }
    guard target >= 0, !isForwardOnly, stream.seek(to: target) else { return target == offset }
    held = []
    heldOffset = 0
    offset = target
    return true
  }

  /// Like `lseek`, for libraries; -1 if it is impossible.
  func seek(_ distance: Int, _ origin: Int32) -> Int {
    guard let byteCount else { return -1 }
    let base = origin == SEEK_CUR ? offset : origin == SEEK_END ? byteCount : 0
    let (target, isOverflow) = base.addingReportingOverflow(distance)
    return !isOverflow && seek(to: target) ? target : -1
  }

  /// Reads up to `count` more bytes into the buffer. Returns 0 at the end and -1 after a failure.
  private func readAhead(_ count: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      let readCount = readDirectly(start, count, at: offset + held.count - heldOffset)
      held.append(contentsOf: UnsafeRawBufferPointer(start: start, count: max(readCount, 0)))
      return readCount
    }
  }

  private func readDirectly(_ target: UnsafeMutableRawPointer, _ count: Int, at place: Int) -> Int {
    let got = stream.read(target, count)
    if got > 0 {
      for patch in patches { patch.apply(to: target, count: got, from: place) }
    }
    return got
  }
}
