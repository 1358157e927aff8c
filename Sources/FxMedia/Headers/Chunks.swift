import FxAudio

/// Walks over the chunks of a file: RIFF and RIFX, AIFF, CAF or W64.
struct Chunks {
  /// How a format writes the name and the size of a chunk.
  enum Format {
    /// WAV, RF64 and BW64; AIFF and RIFX are big-endian.
    case riff(isBig: Bool)
    case caf
    case w64
  }

  struct Chunk {
    let id: String
    /// The offset of its name.
    let offset: Int
    /// The offset of its content.
    let content: Int
    /// Bytes of the content, as the chunk declares them; negative for a number that is not valid.
    let size: Int
  }

  /// The most chunks that are read: zeros look like an endless chain of empty chunks.
  static let limit = 4096
  /// Above any real size, and far enough from an overflow.
  static let largest = 1 << 60

  /// The offset of the next chunk.
  private(set) var offset: Int
  private let format: Format
  private let bytes: HeaderBytes
  private var count = 0
  private var latest: Chunk?

  /// - Parameter offset: the first chunk's.
  init(_ bytes: HeaderBytes, _ format: Format, from offset: Int) {
    self.bytes = bytes
    self.format = format
    self.offset = offset
  }

  /// The next chunk; nil at the end of the bytes.
  ///
  /// - Throws: `damaged` after too many chunks, and after a chunk with a size that is not valid.
  mutating func next() throws(Failure) -> Chunk? {
    if let latest, !(0...Chunks.largest).contains(latest.size) {
      throw Failure(
        .damaged, bytes.name, "the header is damaged: a chunk of \(latest.size) bytes")
    }
    guard count < Chunks.limit else {
      throw Failure(
        .damaged, bytes.name,
        "no sound within the first \(Chunks.limit) chunks of the file: no 'data' chunk")
    }
    count += 1
    let head = try bytes.bytes(at: offset, headByteCount)
    guard head.count == headByteCount else { return nil }
    let size =
      switch format {
      case .riff(let isBig): head.number(4, 4, isBig: isBig)
      case .caf: head.big(4, 8)
      // It includes the head.
      case .w64: head.little(16, 8).subtractingReportingOverflow(24).partialValue
      }
    let chunk = Chunk(
      id: head.text(0), offset: offset, content: offset + headByteCount, size: size)
    latest = chunk
    // A size that is not valid is refused with the next chunk.
    offset = chunk.content + (min(max(size, 0), Chunks.largest) + padding - 1) / padding * padding
    return chunk
  }

  /// True for bytes that may begin a chunk: a printable name, and a size below 1 GB.
  static func mayBegin(_ bytes: some Collection<UInt8>, isBig: Bool) -> Bool {
    bytes.count >= 8 && bytes.prefix(4).allSatisfy { (0x20...0x7e).contains($0) }
      && bytes.number(4, 4, isBig: isBig) < 1 << 30
  }

  private var headByteCount: Int {
    switch format {
    case .riff: 8
    case .caf: 12
    case .w64: 24
    }
  }

  /// The content is filled up to a multiple of this size.
  private var padding: Int {
    switch format {
    case .riff: 2
    case .caf: 1
    case .w64: 8
    }
  }
}
