import FxAudio
public import FxMedia

/// Parses the bytes of a sound in pieces of any size, and yields its properties, packets and audio.
///
/// ```swift
/// let parser = SoundParser(byteCount: size)
/// while let offset = parser.nextOffset, case let bytes = read(from: offset), !bytes.isEmpty {
///   try parser.parse(bytes) { event in … }
/// }
/// try parser.finish { event in … }
/// ```
///
/// One thread at a time may use a parser. Damaged bytes are skipped and reported.
public final class SoundParser {
  public enum Event: Sendable {
    /// More properties of the sound are known than before.
    case properties(SoundProperties)
    case packet(SoundPacket)
    /// At this byte, data are missing or are not sound.
    case discontinuity(offset: Int)
    /// Decoded samples from a frame on: channels × frames, full scale at ±1. The encoder's delay
    /// and padding are removed.
    case audio(frame: Int, channels: [[Float]])
    /// A message for the user; parsing continues.
    case warning(String)
  }

  /// A position in a sound, in packets, frames and bytes.
  public struct Place: Sendable, Hashable {
    public let packet: Int
    public let frame: Int
    public let offset: Int
    /// True if a packet begins at `offset`; otherwise the position is an estimate.
    public let isExact: Bool

    init(_ place: PacketMap.Place) {
      packet = place.packet
      frame = place.frame
      offset = place.offset
      isExact = place.isExact
    }
  }

  private let parser: StreamParser

  /// - Parameters:
  ///   - name: the sound's name in messages.
  ///   - hint: a file extension or a MIME type, used if the bytes do not show the format.
  ///   - byteCount: bytes of the whole stream; without it, a parser cannot seek or estimate lengths.
  ///   - decodes: whether audio is decoded and yielded.
  public init(
    name: String = "stream", hint: String? = nil, byteCount: Int? = nil, decodes: Bool = true
  ) {
    parser = StreamParser(
      name: name, hint: hint, byteCount: byteCount,
      wishes: decodes ? [.packets, .audio] : .packets)
  }

  /// The properties known so far; nil before the first bytes.
  public var properties: SoundProperties? { parser.properties }

  /// The offset of the next bytes to parse; nil when no more are needed.
  public var nextOffset: Int? { parser.nextOffset }

  /// Parses the bytes from `nextOffset` on. `handle` is called on the calling thread.
  ///
  /// - Throws: `ChainFailure` of kind `input`: `notAudio`, `truncated`, `damaged`, `headerAtEnd`.
  public func parse(
    _ bytes: [UInt8], _ handle: (Event) -> Void
  ) throws(ChainFailure) {
    try failing { () throws(Failure) in try parser.parse(bytes) { handle(Event($0)) } }
  }

  /// Marks the end of the bytes, and parses the rest.
  public func finish(_ handle: (Event) -> Void) throws(ChainFailure) {
    try failing { () throws(Failure) in try parser.finish { handle(Event($0)) } }
  }

  /// Seeks to a frame: audio continues exactly there, and packets are not reported any more.
  ///
  /// - Returns: the offset of the next bytes to parse. A format may need bytes from several
  ///   offsets: after each piece, `nextOffset` has the next one.
  /// - Throws: `ChainFailure` if the stream's length is not known.
  public func seek(
    toFrame frame: Int, _ handle: (Event) -> Void = { _ in }
  ) throws(ChainFailure) -> Int {
    try failing { () throws(Failure) in
      try parser.seek(toFrame: frame) { handle(Event($0)) }
    }
  }

  /// The last known position at or before a frame; beyond the parsed part, an estimate of the
  /// frame's position. nil before the first packet.
  public func place(ofFrame frame: Int) -> Place? {
    parser.map.place(ofFrame: frame).map(Place.init)
  }

  /// The last known position at or before a packet, or an estimate.
  public func place(ofPacket packet: Int) -> Place? {
    parser.map.place(ofPacket: packet).map(Place.init)
  }

  /// The last known position at or before a byte of the stream, or an estimate.
  public func place(ofByte offset: Int) -> Place? {
    parser.map.place(ofByte: offset).map(Place.init)
  }

  private func failing<Value>(
    _ body: () throws(Failure) -> Value
  ) throws(ChainFailure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}

extension SoundParser.Event {
  init(_ event: ParserEvent) {
    self =
      switch event {
      case .properties(let properties): .properties(properties)
      case .packet(let packet): .packet(packet)
      case .discontinuity(let offset): .discontinuity(offset: offset)
      case .audio(let frame, let channels): .audio(frame: frame, channels: channels)
      case .warning(let text): .warning(text)
      }
  }
}
