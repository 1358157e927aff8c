import FxAudio
package import FxFrames

/// What a parser has found.
package enum ParserEvent {
  /// More is known of the sound.
  case properties(SoundProperties)
  case packet(SoundPacket)
  /// Bytes at this place are no packet, or packets are missing.
  case discontinuity(offset: Int)
  /// Decoded sound, from a frame on: one array a channel.
  case audio(frame: Int, channels: [[Float]])
  /// What the listener should know although parsing goes on.
  case warning(String)
}

/// Takes the bytes of a sound as they come, and yields what it is, its packets and its audio.
package final class StreamParser {
  /// What a parser is to yield.
  package struct Wishes: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let packets = Wishes(rawValue: 1)
    package static let audio = Wishes(rawValue: 2)
  }

  /// As much as is known by now.
  package private(set) var properties: SoundProperties?
  /// Where packets seen so far begin.
  package private(set) var map = PacketMap()
  private let name: String
  private let hint: String?
  private let byteCount: Int?
  private let wishes: Wishes
  private var walker: PushedBytes?
  private var decoder: PushedBytes?
  private var failure: IOError?
  private var isFinished = false

  /// - Parameters:
  ///   - hint: what the sound is said to be, where its bytes leave that open: `mp3`, `audio/aac`.
  ///   - byteCount: bytes of the whole stream; without it a parser cannot seek.
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

  /// Where the next bytes have to come from; nil once no more are wanted.
  package private(set) var nextOffset: Int? = 0

  /// Parses the bytes from `nextOffset` on.
  package func parse(_ bytes: [UInt8], _ handle: (ParserEvent) -> Void) throws(IOError) {
    guard let offset = nextOffset, !bytes.isEmpty else { return }
    if walker == nil, decoder == nil { try start(handle) }
    if let walker { run(walker, walker.push(bytes), handle) }
    if let decoder { run(decoder, decoder.push(bytes), handle) }
    try settle(offset + bytes.count)
  }

  /// Says that no bytes follow, and parses what is left.
  package func finish(_ handle: (ParserEvent) -> Void) throws(IOError) {
    guard !isFinished else { return }
    isFinished = true
    nextOffset = nil
    guard walker != nil || decoder != nil else {
      throw IOError(.empty, name, "the file is empty (0 bytes)")
    }
    if let walker { run(walker, walker.finish(), handle) }
    if let decoder { run(decoder, decoder.finish(), handle) }
    if let failure { throw failure }
  }

  /// Goes to a frame: audio continues with exactly this one, and packets are not reported any more.
  /// Returns where the next bytes have to come from. Formats may ask for more than one place on the way:
  /// after each piece `nextOffset` has the next one.
  package func seek(
    toFrame frame: Int, _ handle: (ParserEvent) -> Void
  ) throws(IOError) -> Int {
    guard let byteCount else {
      throw IOError(.unreadable, name, "cannot seek in a stream whose length is not known")
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

  private func start(_ handle: (ParserEvent) -> Void) throws(IOError) {
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

  /// Hands on what a side has to say until it wants bytes or has ended.
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

  private func settle(_ offset: Int) throws(IOError) {
    if let failure { throw failure }
    nextOffset = walker == nil ? decoder?.wantedOffset : offset
  }
}

// MARK: - The reading sides

extension StreamParser {
  private static func walk(
    _ bytes: PushedBytes, _ hint: String?, _ byteCount: Int?, _ fail: (IOError) -> Void
  ) {
    let reader = ByteReader(bytes)
    do throws(IOError) {
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
    _ bytes: PushedBytes, _ hint: String?, from start: Int, _ fail: (IOError) -> Void
  ) {
    do throws(IOError) {
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
