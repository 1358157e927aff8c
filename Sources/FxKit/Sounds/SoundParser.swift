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
  public typealias Event = SoundEvent
  public typealias Place = SoundPlace

  /// What a parser reports besides properties.
  package struct Wishes: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let packets = Wishes(rawValue: 1)
    package static let audio = Wishes(rawValue: 2)
  }

  /// The properties known so far; nil before the first bytes.
  public private(set) var properties: SoundProperties?
  /// The offset of the next bytes to parse; nil when no more are needed.
  public private(set) var nextOffset: Int? = 0
  /// The positions of the packets read so far.
  private var map = PacketMap()
  private let name: String
  private let hint: String?
  private let byteCount: Int?
  private let wishes: Wishes
  private var walker: PushedBytes?
  private var decoder: PushedBytes?
  private var failure: Failure?
  private var isFinished = false
  /// True if bytes are missing before the next ones.
  private var hasHole = false

  /// - Parameters:
  ///   - name: the sound's name in messages.
  ///   - hint: a file extension or a MIME type, used if the bytes do not show the format.
  ///   - byteCount: bytes of the whole stream; without it, a parser cannot seek or estimate lengths.
  ///   - decodes: whether audio is decoded and yielded.
  public convenience init(
    name: String = "stream", hint: String? = nil, byteCount: Int? = nil, decodes: Bool = true
  ) {
    self.init(
      name: name, hint: hint, byteCount: byteCount, wishes: decodes ? [.packets, .audio] : .packets)
  }

  package init(name: String, hint: String? = nil, byteCount: Int? = nil, wishes: Wishes) {
    self.name = name
    self.hint = hint
    self.byteCount = byteCount
    self.wishes = wishes
  }

  deinit {
    walker?.cancel()
    decoder?.cancel()
  }

  /// Parses the bytes from `nextOffset` on. `handle` is called on the calling thread.
  ///
  /// - Parameter isDiscontinuous: bytes are missing before these. Offsets count the bytes that were parsed. Parsing
  ///   continues with the next packet; samples without packets continue with the first of these bytes.
  /// - Throws: `ChainFailure` of kind `input`: `notAudio`, `truncated`, `damaged`, `headerAtEnd`.
  public func parse(
    _ bytes: [UInt8], isDiscontinuous: Bool = false, _ handle: (Event) -> Void
  ) throws(ChainFailure) {
    hasHole = hasHole || isDiscontinuous
    guard let offset = nextOffset, !bytes.isEmpty else { return }
    let isLate = hasHole && offset > 0
    hasHole = false
    if walker == nil, decoder == nil { try begin(handle) }
    // Nothing else reports it.
    if isLate, walker?.hasEnded != false { handle(.discontinuity(offset: offset)) }
    if let walker { run(walker, walker.push(bytes, isDiscontinuous: isLate), handle) }
    if let decoder { run(decoder, decoder.push(bytes, isDiscontinuous: isLate), handle) }
    try settle(offset + bytes.count)
  }

  /// Marks the end of the bytes, and parses the rest.
  public func finish(_ handle: (Event) -> Void) throws(ChainFailure) {
    guard !isFinished else { return }
    isFinished = true
    nextOffset = nil
    guard walker != nil || decoder != nil else {
      throw ChainFailure(Failure(.empty, name, "the file is empty (0 bytes)"), .input)
    }
    if let walker { run(walker, walker.finish(), handle) }
    if let decoder { run(decoder, decoder.finish(), handle) }
    try fail()
  }

  /// Seeks to a frame: audio continues exactly there, and packets are not reported any more.
  ///
  /// - Returns: the offset of the next bytes to parse. A format may need bytes from several
  ///   offsets: after each piece, `nextOffset` has the next one.
  /// - Throws: `ChainFailure` if the stream's length is not known.
  public func seek(
    toFrame frame: Int, _ handle: (Event) -> Void = { _ in }
  ) throws(ChainFailure) -> Int {
    guard let byteCount else {
      throw ChainFailure(
        Failure(.unreadable, name, "cannot seek in a stream whose length is not known"), .input)
    }
    walker?.cancel()
    walker = nil
    decoder?.cancel()
    isFinished = false
    failure = nil
    decoder = try decoding(from: frame, byteCount: byteCount, handle)
    try settle(0)
    return nextOffset ?? byteCount
  }

  /// The last known position at or before a frame; beyond the parsed part, an estimate of the
  /// frame's position. nil before the first packet.
  public func place(ofFrame frame: Int) -> Place? { map.place(ofFrame: frame) }

  /// The last known position at or before a packet, or an estimate.
  public func place(ofPacket packet: Int) -> Place? { map.place(ofPacket: packet) }

  /// The last known position at or before a byte of the stream, or an estimate.
  public func place(ofByte offset: Int) -> Place? { map.place(ofByte: offset) }

  private func begin(_ handle: (Event) -> Void) throws(ChainFailure) {
    if wishes.contains(.packets) {
      let (hint, size) = (hint, byteCount)
      walker = try reading(nil, handle) { [weak self] bytes in
        StreamReading.walk(bytes, hint: hint, byteCount: size) { self?.failure = $0 }
      }
    }
    if wishes.contains(.audio) { decoder = try decoding(from: 0, byteCount: nil, handle) }
  }

  private func decoding(
    from frame: Int, byteCount: Int?, _ handle: (Event) -> Void
  ) throws(ChainFailure) -> PushedBytes {
    let hint = hint
    return try reading(byteCount, handle) { [weak self] bytes in
      StreamReading.decode(bytes, hint: hint, from: frame) { self?.failure = $0 }
    }
  }

  /// Starts one reading side.
  private func reading(
    _ byteCount: Int?, _ handle: (Event) -> Void, _ body: @escaping (PushedBytes) -> Void
  ) throws(ChainFailure) -> PushedBytes {
    let bytes = PushedBytes(name: name, byteCount: byteCount)
    do throws(Failure) {
      run(bytes, try bytes.start(body), handle)
    } catch {
      throw ChainFailure(error, .input)
    }
    return bytes
  }

  /// Forwards the events of one side until it needs bytes or has ended.
  private func run(
    _ bytes: PushedBytes, _ first: PushedBytes.Pause, _ handle: (Event) -> Void
  ) {
    var pause = first
    while case .event(let event) = pause {
      switch event {
      case .properties(let properties): self.properties = properties
      case .packet(let packet): map.add(packet)
      default: break
      }
      handle(event)
      pause = bytes.resume()
    }
  }

  private func settle(_ offset: Int) throws(ChainFailure) {
    try fail()
    nextOffset = walker == nil ? decoder?.wantedOffset : offset
  }

  private func fail() throws(ChainFailure) {
    if let failure { throw ChainFailure(failure, .input) }
  }
}
