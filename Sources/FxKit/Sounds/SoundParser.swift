import FxAudio
public import FxMedia
import Synchronization

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
/// Damaged bytes are skipped and reported. One call at a time is carried out: a call from another thread, or from the closure
/// of a call, throws a `ChainFailure` of kind `request` while the first one runs. Properties and places can be read any time.
public final class SoundParser: @unchecked Sendable {
  // Sendable: `isBusy` lets one call in at a time, and `facts` is behind a lock.

  public typealias Event = SoundEvent
  public typealias Place = SoundPlace
  public typealias Precision = SoundSeekPrecision
  public typealias Seek = SoundSeek

  /// What a parser reports besides properties.
  package struct Wishes: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let packets = Wishes(rawValue: 1)
    package static let audio = Wishes(rawValue: 2)
    /// Packets have their bytes.
    package static let bytes = Wishes(rawValue: 4)
  }

  /// What may be read from any thread.
  struct Facts {
    var properties: SoundProperties?
    var nextOffset: Int? = 0
    /// The positions of the packets read so far.
    var map = PacketMap()
  }

  let facts = Mutex(Facts())
  let isBusy = Atomic<Bool>(false)
  let name: String
  let hint: String?
  let byteCount: Int?
  let wishes: Wishes
  /// Bytes for which a seek does not ask again.
  let kept: KeptBytes?
  var walker: PushedBytes?
  var decoder: PushedBytes?
  var failure: Failure?
  private var isFinished = false
  /// True if bytes are missing before the next ones.
  private var hasHole = false

  /// - Parameters:
  ///   - name: the sound's name in messages.
  ///   - hint: a file extension or a MIME type, used if the bytes do not show the format.
  ///   - byteCount: bytes of the whole stream; without it, a parser cannot seek or estimate lengths.
  ///   - decodes: whether audio is decoded and yielded.
  ///   - packetBytes: whether packets are yielded with their bytes, which are copied.
  public convenience init(
    name: String = "stream", hint: String? = nil, byteCount: Int? = nil, decodes: Bool = true,
    packetBytes: Bool = false
  ) {
    var wishes: Wishes = decodes ? [.packets, .audio] : .packets
    if packetBytes { wishes.insert(.bytes) }
    self.init(name: name, hint: hint, byteCount: byteCount, wishes: wishes)
  }

  package init(name: String, hint: String? = nil, byteCount: Int? = nil, wishes: Wishes) {
    self.name = name
    self.hint = hint
    // Nothing can be read of a stream of no length.
    self.byteCount = byteCount.flatMap { $0 > 0 ? $0 : nil }
    self.wishes = wishes
    kept = self.byteCount.map { KeptBytes(byteCount: $0) }
  }

  deinit {
    walker?.cancel()
    decoder?.cancel()
  }

  /// The properties known so far; nil before the first bytes.
  public var properties: SoundProperties? { facts.withLock { $0.properties } }

  /// The offset of the next bytes to parse; nil when no more are needed.
  public var nextOffset: Int? { facts.withLock { $0.nextOffset } }

  /// The last known position at or before a frame; beyond the parsed part, an estimate of the
  /// frame's position. nil before the first packet.
  public func place(ofFrame frame: Int) -> Place? {
    facts.withLock { $0.map.place(ofFrame: frame) }
  }

  /// The last known position at or before a packet, or an estimate.
  public func place(ofPacket packet: Int) -> Place? {
    facts.withLock { $0.map.place(ofPacket: packet) }
  }

  /// The last known position at or before a byte of the stream, or an estimate.
  public func place(ofByte offset: Int) -> Place? {
    facts.withLock { $0.map.place(ofByte: offset) }
  }

  /// Parses the bytes from `nextOffset` on. `handle` is called on the calling thread. Does nothing if no more bytes are needed,
  /// as after `finish`.
  ///
  /// - Parameters:
  ///   - bytes: the next bytes; any number.
  ///   - isDiscontinuous: bytes are missing before these. Offsets count the bytes that were parsed.
  ///     Parsing continues with the next packet; samples without packets continue with the first of
  ///     these bytes.
  ///   - handle: receives the events.
  /// - Throws: `ChainFailure` of kind `input`: `not-audio`, `truncated`, `damaged`, `header-at-end`.
  public func parse(
    _ bytes: [UInt8], isDiscontinuous: Bool = false, _ handle: (Event) -> Void
  ) throws(ChainFailure) {
    try alone { () throws(ChainFailure) in
      hasHole = hasHole || isDiscontinuous
      guard let offset = nextOffset, !bytes.isEmpty else { return }
      let isLate = hasHole && offset > 0
      hasHole = false
      if walker == nil, decoder == nil { try begin(handle) }
      // Nothing else reports it.
      if isLate, walker?.hasEnded != false { handle(.discontinuity(offset: offset)) }
      if let walker { run(walker, walker.push(bytes, isDiscontinuous: isLate), handle) }
      if let decoder { run(decoder, decoder.push(bytes, isDiscontinuous: isLate), handle) }
      kept?.add(bytes, at: offset, dataOffset: properties?.dataOffset)
      try settle(offset + bytes.count)
    }
  }

  /// Marks the end of the bytes, and parses the rest. A second call does nothing.
  ///
  /// - Throws: `ChainFailure` of kind `input`, `empty` if no byte was parsed.
  public func finish(_ handle: (Event) -> Void) throws(ChainFailure) {
    try alone { () throws(ChainFailure) in
      guard !isFinished else { return }
      isFinished = true
      facts.withLock { $0.nextOffset = nil }
      guard walker != nil || decoder != nil else {
        throw ChainFailure(Failure(.empty, name, "the file is empty (0 bytes)"), .input)
      }
      if let walker { run(walker, walker.finish(), handle) }
      if let decoder { run(decoder, decoder.finish(), handle) }
      try fail()
    }
  }

  /// Makes the parser continue at a frame.
  func restart(_ target: SeekTarget, _ handle: (Event) -> Void) throws(ChainFailure) -> Seek {
    walker?.cancel()
    walker = nil
    decoder?.cancel()
    isFinished = false
    hasHole = false
    failure = nil
    let started = try decoding(target, handle)
    decoder = started
    try settle(0)
    return Seek(
      offset: nextOffset ?? byteCount ?? 0, frame: target.frame, isExact: !started.isEstimated)
  }

  private func begin(_ handle: (Event) -> Void) throws(ChainFailure) {
    if wishes.contains(.packets) {
      let (hint, size, keepsBytes) = (hint, byteCount, wishes.contains(.bytes))
      let bytes = PushedBytes(name: name, byteCount: nil)
      try start(bytes, handle) { [weak self] bytes in
        StreamReading.walk(bytes, hint: hint, byteCount: size, keepsBytes: keepsBytes) {
          self?.failure = $0
        }
      }
      walker = bytes
    }
    if wishes.contains(.audio) { decoder = try decoding(nil, handle) }
  }

  private func decoding(
    _ target: SeekTarget?, _ handle: (Event) -> Void
  ) throws(ChainFailure) -> PushedBytes {
    let hint = hint
    let bytes = PushedBytes(
      name: name, byteCount: target == nil ? nil : byteCount, kept: target == nil ? nil : kept)
    try start(bytes, handle) { [weak self] bytes in
      StreamReading.decode(bytes, hint: hint, target) { self?.failure = $0 }
    }
    return bytes
  }

  /// Starts one reading side.
  private func start(
    _ bytes: PushedBytes, _ handle: (Event) -> Void, _ body: @escaping (PushedBytes) -> Void
  ) throws(ChainFailure) {
    do throws(Failure) {
      run(bytes, try bytes.start(body), handle)
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  /// Forwards the events of one side until it needs bytes or has ended.
  private func run(
    _ bytes: PushedBytes, _ first: PushedBytes.Pause, _ handle: (Event) -> Void
  ) {
    var pause = first
    while case .event(let event) = pause {
      switch event {
      case .properties(let properties): facts.withLock { $0.properties = properties }
      case .packet(let packet): facts.withLock { $0.map.add(packet) }
      default: break
      }
      handle(event)
      pause = bytes.resume()
    }
  }

  private func settle(_ offset: Int) throws(ChainFailure) {
    try fail()
    let next = walker == nil ? decoder.flatMap { $0.hasEnded ? nil : $0.wantedOffset } : offset
    facts.withLock { $0.nextOffset = next }
  }

  private func fail() throws(ChainFailure) {
    if let failure { throw ChainFailure(failure, .input) }
  }

  /// Carries out a call, if no other one is running.
  func alone<Result>(
    _ body: () throws(ChainFailure) -> Result
  ) throws(ChainFailure) -> Result {
    guard !isBusy.exchange(true, ordering: .acquiring) else {
      throw ChainFailure(
        .request, code: .usage,
        "'\(name)' is being parsed by another call: use a parser from one thread at a time, and not from the closure of a call",
        path: name)
    }
    defer { isBusy.store(false, ordering: .releasing) }
    return try body()
  }
}
