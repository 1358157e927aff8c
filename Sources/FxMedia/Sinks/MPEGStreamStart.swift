/// Leaves out the first frame of MPEG audio where it is blank: encoders keep it for the length, which in
/// a pipe nobody can go back to fill in, and decoders would play it as silence.
struct MPEGStreamStart {
  private var held: [UInt8] = []
  private var isOver = false

  /// The bytes that may go on; nil where more is needed.
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

  /// What is no whole frame.
  var rest: [UInt8] { held }
}
