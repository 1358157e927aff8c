import FxAudio

/// The bytes of an Ogg stream for a library, with the last bytes kept.
final class OggBytes {
  private let reader: ByteReader
  /// The last bytes of a pipe, where seeking back is impossible.
  private var tail: [UInt8] = []
  /// Three times the longest page, because one page may be damaged.
  private static let tailByteCount = 3 * 65307

  init(_ reader: ByteReader) { self.reader = reader }

  static func from(_ context: UnsafeMutableRawPointer?) -> OggBytes? {
    context.map { Unmanaged<OggBytes>.fromOpaque($0).takeUnretainedValue() }
  }

  var offset: Int { reader.offset }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let got = reader.read(target, count)
    if got > 0, !reader.isSeekable {
      tail.append(contentsOf: UnsafeRawBufferPointer(start: target, count: got))
      if tail.count > 8 * OggBytes.tailByteCount {
        tail.removeFirst(tail.count - OggBytes.tailByteCount)
      }
    }
    return got
  }

  /// 0, or -1 if it is impossible.
  func seek(_ distance: Int, _ origin: Int32) -> Int32 {
    reader.seek(distance, origin) >= 0 ? 0 : -1
  }

  /// The last page, after everything was read.
  func end() -> OggEnd? {
    guard let size = reader.byteCount else { return OggEnd(tail[...]) }
    let here = reader.offset
    defer { reader.seek(to: here) }
    var bytes = [UInt8](repeating: 0, count: min(size, OggBytes.tailByteCount))
    guard reader.seek(to: size - bytes.count) else { return nil }
    let got = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { reader.readFully($0, buffer.count) } ?? 0
    }
    return OggEnd(bytes[..<max(got, 0)])
  }

  /// The error for an Ogg stream without sound.
  func openingError(_ codec: String) -> Failure {
    if reader.hasFailed { return reader.error }
    let size = reader.byteCount ?? reader.offset
    if size < 8192 { return .cutHeader(reader.name, size) }
    return Failure(.damaged, reader.name, "the header is damaged: no \(codec) in it")
  }
}
