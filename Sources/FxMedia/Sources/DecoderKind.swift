import FxFrames

/// A kind of sound file that can be decoded: how it is recognised, and what opens it.
struct DecoderKind: Sendable {
  enum Need: Sendable {
    /// Decodes what comes, as it comes.
    case sequential
    /// Goes back and forth: a pipe is copied to a file first.
    case seekable
  }

  /// For messages.
  let name: String
  let need: Need
  /// How surely the first bytes are of this kind, from 0 to 100.
  let score: @Sendable (_ start: [UInt8]) -> Int
  /// Opens what has this kind, from its first byte on.
  let open: @Sendable (_ reader: ByteReader) throws(IOError) -> any AudioSource
  /// True for what the program ffmpeg decodes.
  private(set) var isForeign = false
  /// How tags are stored in it; nil where none are read.
  private(set) var tagFormat: TagFormat?
  /// Goes over the packets of what has this kind; nil where nobody can without decoding it.
  private(set) var walk: (@Sendable (_ reader: ByteReader) throws(IOError) -> any PacketWalker)?

  /// Bytes that are enough for a verdict, apart from those after a tag.
  static let probeLength = 64

  /// A kind that certain bytes at certain places stand for.
  init(
    _ name: String, _ need: Need, signatures: [Signature],
    open: @escaping @Sendable (_ reader: ByteReader) throws(IOError) -> any AudioSource
  ) {
    self.init(
      name, need, score: { start in signatures.contains { $0.matches(start) } ? 100 : 0 }, open)
  }

  init(
    _ name: String, _ need: Need, isForeign: Bool = false,
    score: @escaping @Sendable (_ start: [UInt8]) -> Int,
    _ open: @escaping @Sendable (_ reader: ByteReader) throws(IOError) -> any AudioSource
  ) {
    self.name = name
    self.need = need
    self.score = score
    self.open = open
    self.isForeign = isForeign
  }

  /// A kind that the program ffmpeg decodes, under its name of the format.
  ///
  /// - Parameter description: for messages: `an MP4 file`.
  static func foreign(
    _ name: String, _ need: Need, signatures: [Signature], demuxer: String, description: String
  ) -> DecoderKind {
    var kind = DecoderKind(name, need, signatures: signatures) { reader throws(IOError) in
      try FFmpegSource(reader, demuxer: demuxer, description: description)
    }
    kind.isForeign = true
    return kind
  }

  /// The same with tags.
  func tagged(_ format: TagFormat) -> DecoderKind {
    var kind = self
    kind.tagFormat = format
    return kind
  }

  /// The same with somebody who goes over its packets.
  func walked(
    by walk: @escaping @Sendable (_ reader: ByteReader) throws(IOError) -> any PacketWalker
  ) -> DecoderKind {
    var kind = self
    kind.walk = walk
    return kind
  }
}

/// Bytes that stand at certain places of a file.
struct Signature: Sendable {
  private let parts: [(offset: Int, bytes: [UInt8])]

  init(_ text: String, at offset: Int = 0) { parts = [(offset, Array(text.utf8))] }

  init(_ bytes: [UInt8]) { parts = [(0, bytes)] }

  private init(_ parts: [(offset: Int, bytes: [UInt8])]) { self.parts = parts }

  /// The same with other bytes further on.
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
