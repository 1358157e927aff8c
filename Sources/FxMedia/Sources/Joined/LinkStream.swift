import FxAudio
import Glibc

/// The bytes of one sound of several that follow each other in a stream, up to the next one. For
/// streams in which the next sound is only found by reading.
final class LinkStream: DerivedStream {
  let reader: ByteReader
  private let window: ByteWindow
  private var boundary: any SoundBoundary
  /// Bytes of the window that belong to this sound.
  private var ready = 0
  private let start: Int
  private let isSeekable: Bool
  /// The offset in the stream of the next sound; nil until it was found.
  private(set) var end: Int?
  private var isAtEnd = false

  /// - Parameters:
  ///   - window: at the first byte of the sound.
  ///   - isSeekable: a seek requests other bytes from a server.
  init(
    _ reader: ByteReader, _ window: ByteWindow, _ boundary: any SoundBoundary, isSeekable: Bool
  ) {
    self.reader = reader
    self.window = window
    self.boundary = boundary
    self.isSeekable = isSeekable
    start = window.offset
  }

  var byteCount: Int? { isSeekable ? reader.byteCount.map { (end ?? $0) - start } : nil }
  var isLocal: Bool { false }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard count > 0, !isAtEnd else { return 0 }
    if ready == 0 {
      repeat {
        ready = boundary.step(window)
      } while ready == 0 && window.passHole()
      if ready == 0 {
        if reader.hasFailed { return -1 }
        isAtEnd = true
        if window.has(1) { end = window.offset }
        return 0
      }
    }
    let part = min(count, ready)
    if let bytes = window.bytes().baseAddress {
      target.copyMemory(from: bytes, byteCount: part)
    }
    window.skip(part)
    ready -= part
    return part
  }

  /// Behind the first byte the boundary continues at any place.
  func seek(to offset: Int) -> Bool {
    guard isSeekable, offset >= 0, offset <= byteCount ?? 0, window.resume(at: start + offset)
    else { return false }
    ready = 0
    isAtEnd = false
    boundary.restart(isAtStart: offset == 0)
    return true
  }
}
