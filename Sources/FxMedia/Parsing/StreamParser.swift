package import FxAudio

/// An event of a parser.
package enum ParserEvent {
  /// The properties have changed.
  case properties(SoundProperties)
  case packet(SoundPacket)
  /// The bytes at this offset are not a packet, or packets are missing.
  case discontinuity(offset: Int)
  /// Decoded audio, starting at `frame`: one array per channel.
  case audio(frame: Int, channels: [[Float]])
  /// A warning for the user; parsing continues.
  case warning(String)
}

/// Parses the bytes of a sound as they arrive, and reports its properties, packets and audio.
package final class StreamParser {
  /// What a parser should report.
  package struct Wishes: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let packets = Wishes(rawValue: 1)
    package static let audio = Wishes(rawValue: 2)
  }

  /// The properties that are known so far.
  package private(set) var properties: SoundProperties?
  /// The positions of the packets read so far.
  package private(set) var map = PacketMap()
  private let name: String
  private let hint: String?
  private let byteCount: Int?
  private let wishes: Wishes
  private var walker: PushedBytes?
  private var decoder: PushedBytes?
  private var failure: Failure?
  private var isFinished = false

  /// - Parameters:
  ///   - hint: the declared format, if the bytes do not show it: `mp3`, `audio/aac`.
  ///   - byteCount: the size of the whole stream; a parser cannot seek without it.
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

  /// The offset of the next bytes to parse; nil when no more are needed.
  package private(set) var nextOffset: Int? = 0

  /// Parses the bytes starting at `nextOffset`.
  package func parse(_ bytes: [UInt8], _ handle: (ParserEvent) -> Void) throws(Failure) {
    guard let offset = nextOffset, !bytes.isEmpty else { return }
    if walker == nil, decoder == nil { try start(handle) }
    if let walker { run(walker, walker.push(bytes), handle) }
    if let decoder { run(decoder, decoder.push(bytes), handle) }
    try settle(offset + bytes.count)
  }

  /// Signals the end of the stream, and parses the rest.
  package func finish(_ handle: (ParserEvent) -> Void) throws(Failure) {
    guard !isFinished else { return }
    isFinished = true
    nextOffset = nil
    guard walker != nil || decoder != nil else {
      throw Failure(.empty, name, "the file is empty (0 bytes)")
    }
    if let walker { run(walker, walker.finish(), handle) }
    if let decoder { run(decoder, decoder.finish(), handle) }
    if let failure { throw failure }
  }

  /// Seeks to a frame. Audio continues exactly there, and packets are no longer reported. Returns
  /// the offset of the next bytes. Some formats need bytes from several places: after each piece,
  /// read `nextOffset` again.
  package func seek(
    toFrame frame: Int, _ handle: (ParserEvent) -> Void
  ) throws(Failure) -> Int {
    guard let byteCount else {
      throw Failure(.unreadable, name, "cannot seek in a stream whose length is not known")
    }
    walker?.cancel()
    walker = nil
    decoder?.cancel()
    isFinished = false
    failure = nil
    let bytes = PushedBytes(name: name, byteCount: byteCount)
    decoder = bytes
    let hint = hint
    let first = try bytes.start { [weak self] bytes in
      StreamParser.decode(bytes, hint, from: frame) { self?.failure = $0 }
    }
    run(bytes, first, handle)
    try settle(0)
    return nextOffset ?? byteCount
  }

  private func start(_ handle: (ParserEvent) -> Void) throws(Failure) {
    let hint = hint
    if wishes.contains(.packets) {
      let bytes = PushedBytes(name: name, byteCount: nil)
      walker = bytes
      let size = byteCount
      let first = try bytes.start { [weak self] bytes in
        StreamParser.walk(bytes, hint, size) { self?.failure = $0 }
      }
      run(bytes, first, handle)
    }
    if wishes.contains(.audio) {
      let bytes = PushedBytes(name: name, byteCount: nil)
      decoder = bytes
      let first = try bytes.start { [weak self] bytes in
        StreamParser.decode(bytes, hint, from: 0) { self?.failure = $0 }
      }
      run(bytes, first, handle)
    }
  }

  /// Forwards the events of one side until it needs bytes or has ended.
  private func run(
    _ bytes: PushedBytes, _ first: PushedBytes.Pause, _ handle: (ParserEvent) -> Void
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

  private func settle(_ offset: Int) throws(Failure) {
    if let failure { throw failure }
    nextOffset = walker == nil ? decoder?.wantedOffset : offset
  }
}

// MARK: - The reading sides

extension StreamParser {
  private static func walk(
    _ bytes: PushedBytes, _ hint: String?, _ byteCount: Int?, _ fail: (Failure) -> Void
  ) {
    let reader = ByteReader(bytes)
    do throws(Failure) {
      let kind = try DecoderCatalogue.kind(of: reader, hint: hint)
      guard let walker = try kind.walk?(reader) else { return }
      var known: SoundProperties?
      while true {
        var now = walker.properties
        now.byteCount = now.byteCount ?? byteCount
        if now != known {
          known = now
          guard bytes.report(.properties(now)) else { return }
        }
        switch try walker.next() {
        case .packet(let packet): guard bytes.report(.packet(packet)) else { return }
        case .discontinuity(let offset):
          guard bytes.report(.discontinuity(offset: offset)) else { return }
        case .end:
          _ = bytes.report(.properties(walker.properties))
          return
        }
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }

  private static func decode(
    _ bytes: PushedBytes, _ hint: String?, from start: Int, _ fail: (Failure) -> Void
  ) {
    do throws(Failure) {
      let source = try FileSource.open(pushed: bytes, hint: hint)
      if start > 0 { try source.seek(toFrame: start) }
      let block = PlanarBuffer(channelCount: source.format.channelCount, atMost: 4096)
      var frame = start
      while true {
        let count = try source.read(into: block.channels, frameCount: block.frameCount)
        guard count > 0 else { break }
        let channels = (0..<block.channelCount).map {
          Array(UnsafeBufferPointer(start: block[$0], count: count))
        }
        guard bytes.report(.audio(frame: frame, channels: channels)) else { return }
        frame += count
      }
      for warning in source.warnings {
        guard bytes.report(.warning(warning)) else { return }
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }
}
