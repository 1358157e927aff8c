/// Removes the first frame of MPEG audio if it is blank. Encoders reserve it for the length, but
/// nobody can seek back in a pipe to fill it in, and decoders would play it as silence.
struct MPEGStreamStart {
  private var held: [UInt8] = []
  private var isOver = false

  /// The bytes that may be written now; nil if more are needed.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !isOver else { return Array(bytes) }
    held += bytes
    guard held.count >= MPEGStreamStart.headerByteCount else { return nil }
    let size = held.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { MPEGHeader($0) }?.byteCount
    }
    if let size {
      guard held.count >= size else { return nil }
      if held[MPEGStreamStart.headerByteCount..<size].allSatisfy({ $0 == 0 }) {
        held.removeFirst(size)
      }
    }
    isOver = true
    defer { held = [] }
    return held
  }

  private static let headerByteCount = 4

  /// Bytes that are not a complete frame.
  var rest: [UInt8] { held }
}
