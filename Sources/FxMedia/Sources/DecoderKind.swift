import FxAudio

/// A kind of sound file that can be decoded: how to recognize it, and how to open it.
struct DecoderKind: Sendable {
  enum Need: Sendable {
    /// Decodes the bytes in order.
    case sequential
    /// Seeks. A pipe is copied to a file first.
    case seekable
  }

  /// The name in messages.
  let name: String
  let need: Need
  /// How likely the first bytes are of this kind, from 0 to 100.
  let score: @Sendable (_ start: [UInt8]) -> Int
  /// Opens a reader at its first byte.
  let open: @Sendable (_ reader: ByteReader) throws(Failure) -> any AudioSource
  /// True if the program ffmpeg decodes it.
  private(set) var isForeign = false
  /// The format of its tags; nil if they are not read.
  private(set) var tagFormat: TagFormat?
  /// True if an ID3 tag in front belongs to the format, so that its decoder passes over it.
  private(set) var hasTagInFront = false
  /// Walks over the packets; nil if that is impossible without decoding.
  private(set) var walk: (@Sendable (_ reader: ByteReader) throws(Failure) -> any PacketWalker)?

  /// Bytes needed to recognize a kind, not counting a tag.
  static let probeLength = 64

  /// A kind that is recognized by fixed bytes at fixed offsets.
  init(
    _ name: String, _ need: Need, signatures: [Signature],
    open: @escaping @Sendable (_ reader: ByteReader) throws(Failure) -> any AudioSource
  ) {
    self.init(
      name, need, score: { start in signatures.contains { $0.matches(start) } ? 100 : 0 }, open)
  }

  init(
    _ name: String, _ need: Need, isForeign: Bool = false,
    score: @escaping @Sendable (_ start: [UInt8]) -> Int,
    _ open: @escaping @Sendable (_ reader: ByteReader) throws(Failure) -> any AudioSource
  ) {
    self.name = name
    self.need = need
    self.score = score
    self.open = open
    self.isForeign = isForeign
  }

  /// A kind that the program ffmpeg decodes.
  ///
  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the format.
  ///   - description: for messages: `an MP4 file`.
  static func foreign(
    _ name: String, _ need: Need, signatures: [Signature], demuxer: String, description: String
  ) -> DecoderKind {
    var kind = DecoderKind(name, need, signatures: signatures) { reader throws(Failure) in
      try FFmpegSource(reader, demuxer: demuxer, description: description)
    }
    kind.isForeign = true
    return kind
  }

  /// The same kind with tags.
  func tagged(_ format: TagFormat) -> DecoderKind {
    var kind = self
    kind.tagFormat = format
    return kind
  }

  /// The same kind, whose decoder passes over an ID3 tag.
  func withTagInFront() -> DecoderKind {
    var kind = self
    kind.hasTagInFront = true
    return kind
  }

  /// The same kind with a packet walker.
  func walked(
    by walk: @escaping @Sendable (_ reader: ByteReader) throws(Failure) -> any PacketWalker
  ) -> DecoderKind {
    var kind = self
    kind.walk = walk
    return kind
  }
}

/// Fixed bytes at fixed offsets of a file.
struct Signature: Sendable {
  private let parts: [(offset: Int, bytes: [UInt8])]

  init(_ text: String, at offset: Int = 0) { parts = [(offset, Array(text.utf8))] }

  init(_ bytes: [UInt8]) { parts = [(0, bytes)] }

  private init(_ parts: [(offset: Int, bytes: [UInt8])]) { self.parts = parts }

  /// The same signature with more bytes at another offset.
  func and(_ text: String, at offset: Int) -> Signature {
    Signature(parts + [(offset, Array(text.utf8))])
  }

  func matches(_ start: [UInt8]) -> Bool {
    parts.allSatisfy { part in
      start.count >= part.offset + part.bytes.count
        && start[part.offset..<part.offset + part.bytes.count].elementsEqual(part.bytes)
    }
  }
}
