import FxFrames
public import FxMedia

/// Takes the bytes of a sound as they come, in pieces of any size, and yields what the sound is, its
/// packets and its audio.
///
/// ```swift
/// let parser = SoundParser(byteCount: size)
/// while let offset = parser.nextOffset, case let bytes = read(from: offset), !bytes.isEmpty {
///   try parser.parse(bytes) { event in … }
/// }
/// try parser.finish { event in … }
/// ```
///
/// Used by one thread at a time. Damaged bytes are passed over and reported.
public final class SoundParser {
  public enum Event: Sendable {
    /// More is known of the sound than before.
    case properties(SoundProperties)
    case packet(SoundPacket)
    /// At this byte something is missing, or is no sound.
    case discontinuity(offset: Int)
    /// Decoded samples from a frame on: channels × frames, full scale at ±1. The encoder's delay and
    /// padding are left out.
    case audio(frame: Int, channels: [[Float]])
    /// What the listener should know although parsing goes on.
    case warning(String)
  }

  /// A place in a sound, in packets, frames and bytes.
  public struct Place: Sendable, Hashable {
    public let packet: Int
    public let frame: Int
    public let offset: Int
    /// True where a packet begins at `offset`; otherwise the place is an estimate.
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
  ///   - name: what messages call the sound.
  ///   - hint: what it is said to be where its bytes leave that open: a name's ending or a MIME type.
  ///   - byteCount: bytes of the whole stream; without it a parser neither seeks nor estimates lengths.
  ///   - decodes: false leaves out the audio.
  public init(
    name: String = "stream", hint: String? = nil, byteCount: Int? = nil, decodes: Bool = true
  ) {
    parser = StreamParser(
      name: name, hint: hint, byteCount: byteCount,
      wishes: decodes ? [.packets, .audio] : .packets)
  }

  /// As much as is known by now; nil before the first bytes.
  public var properties: SoundProperties? { parser.properties }

  /// Where the next bytes have to come from; nil once no more are wanted.
  public var nextOffset: Int? { parser.nextOffset }

  /// Parses the bytes from `nextOffset` on. `handle` is called on the calling thread.
  ///
  /// - Throws: `ChainFailure` of the kind `input`: `notAudio`, `truncated`, `damaged`, `headerAtEnd`.
  public func parse(
    _ bytes: [UInt8], _ handle: (Event) -> Void
  ) throws(ChainFailure) {
    try failing { () throws(IOError) in try parser.parse(bytes) { handle(Event($0)) } }
  }

  /// Says that no bytes follow, and parses what is left.
  public func finish(_ handle: (Event) -> Void) throws(ChainFailure) {
    try failing { () throws(IOError) in try parser.finish { handle(Event($0)) } }
  }

  /// Goes to a frame: audio continues with exactly this one, and no packets are reported any more.
  ///
  /// - Returns: where the next bytes have to come from. A format may ask for more than one place on the
  ///   way: after each piece `nextOffset` has the next one.
  /// - Throws: `ChainFailure` where the stream's length is not known.
  public func seek(
    toFrame frame: Int, _ handle: (Event) -> Void = { _ in }
  ) throws(ChainFailure) -> Int {
    try failing { () throws(IOError) in
      try parser.seek(toFrame: frame) { handle(Event($0)) }
    }
  }

  /// The last place that is known at or before a frame; behind what has been parsed an estimate of where
  /// the frame is. nil before the first packet.
  public func place(ofFrame frame: Int) -> Place? {
    parser.map.place(ofFrame: frame).map(Place.init)
  }

  /// The same for a packet.
  public func place(ofPacket packet: Int) -> Place? {
    parser.map.place(ofPacket: packet).map(Place.init)
  }

  /// The same for a byte of the stream.
  public func place(ofByte offset: Int) -> Place? {
    parser.map.place(ofByte: offset).map(Place.init)
  }

  private func failing<Value>(
    _ body: () throws(IOError) -> Value
  ) throws(ChainFailure) -> Value {
    do throws(IOError) {
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
