import FxAudio

/// Opens a sound in the middle: its decoder reads the header of the stream, and then the packets from an estimated offset on.
/// FLAC frames and Ogg pages have their position in the sound.
enum SplicedSound {
  /// Asks for the bytes at the estimated offset. nil if the sound cannot be opened there.
  ///
  /// - Returns: the sound, and its first frame.
  static func open(
    _ bytes: PushedBytes, _ target: SeekTarget, _ kind: DecoderKind
  ) throws(Failure) -> (source: any AudioSource, frame: Int)? {
    guard target.frame > 0, let known = target.properties, known.laterSoundCount == 0,
      let dataOffset = known.dataOffset, let size = bytes.byteCount, size > dataOffset,
      let head = bytes.kept?.beginning(upTo: dataOffset),
      let start = try place(head, kind.name, bytes.name)
    else { return nil }
    let place = target.places.place(ofFrame: Int(Double(target.frame) * start.ratio))
    let offset: Int
    if let place, place.isExact {
      offset = place.offset
    } else if let count = known.frameCount?.count, count > 0 {
      let share = min(Double(target.frame) * start.ratio / Double(count), 1)
      offset = dataOffset + Int(share * Double(size - dataOffset - 1))
    } else {
      return nil
    }
    bytes.noteEstimate()
    let reader = ByteReader(bytes)
    guard reader.seek(to: offset) else { return nil }
    let window = ByteWindow(reader)
    guard let found = start.find(window) else {
      throw reader.hasFailed
        ? reader.error : Failure(.damaged, bytes.name, "no packet of sound from byte \(offset) on")
    }
    let stream = SplicedStream(reader, head, window, found.isOgg ? start.nextSequence : nil)
    let source = try FileSource.open(ByteReader(stream), kind)
    return (source, max(Int(Double(found.frame) / start.ratio), 0))
  }

  /// Finds the first whole packets in a window, and their position.
  private struct Start {
    /// Frames of the packets for each decoded frame.
    var ratio = 1.0
    /// The number of the first page behind the header.
    var nextSequence = 0
    let find: (ByteWindow) -> (frame: Int, isOgg: Bool)?
  }

  private static func place(
    _ head: [UInt8], _ kind: String, _ name: String
  ) throws(Failure) -> Start? {
    switch kind {
    case "FLAC":
      // A tag in front would have to be removed.
      guard head.starts(with: "fLaC".utf8) else { return nil }
      let info = try FLACHeader(HeaderBytes(head, name: name)).info
      return Start { window in
        let frames = FLACFrameFinder(window, info)
        while let found = frames.next(at: nil) {
          if case .frame(let header, _, _) = found { return (header.start(in: info), false) }
        }
        return nil
      }
    case "Ogg Vorbis", "Opus": return try oggPlace(head, name)
    default: return nil
    }
  }

  private static func oggPlace(_ head: [UInt8], _ name: String) throws(Failure) -> Start? {
    let pages = OggPageReader(ByteReader(MemoryStream(head, name: name)))
    var codec: (any OggPacketCodec)?
    var serial = 0
    var rate = 48000
    var sequence = 0
    var open: [UInt8] = []
    while case .page(let page, _, let pieces) = pages.next() {
      for (index, piece) in pieces.enumerated() {
        open += piece
        if page.endsOpen, index == pieces.count - 1 { continue }
        if let codec {
          codec.take(header: open)
        } else {
          codec = OggCodecs.codec(of: open)
          serial = page.serial
          rate = open.little(12, 4)
        }
        open = []
      }
      sequence = page.sequence + 1
    }
    guard let codec else { return nil }
    let isLow = codec.name == "Opus" && [8000, 12000, 16000, 24000].contains(rate)
    return Start(ratio: isLow ? 48000 / Double(rate) : 1, nextSequence: sequence) { window in
      guard let page = OggPage.next(window, serial) else { return nil }
      var packets = page.pieces(window.bytes())[...]
      if page.isContinued { packets.removeFirst() }
      if page.endsOpen, !packets.isEmpty { packets.removeLast() }
      let count = packets.reduce(0) { $0 + (codec.frameCount(of: $1) ?? 0) }
      return (page.granule - count, true)
    }
  }
}

extension OggPage {
  /// Moves a window to the next whole page of a stream in which a packet ends; nil at the end.
  fileprivate static func next(_ window: ByteWindow, _ serial: Int) -> OggPage? {
    while window.has(1) {
      guard let page = OggPage(window), page.isWhole(window.bytes()) else {
        window.skip(1)
        continue
      }
      if page.serial == serial, (0..<OggWalker.granuleLimit).contains(page.granule) { return page }
      window.skip(page.byteCount)
    }
    return nil
  }
}

/// The header of a stream, and then the bytes of a window. Pages of Ogg get the numbers that follow those of the header.
private final class SplicedStream: DerivedStream {
  let reader: ByteReader
  private let window: ByteWindow
  private var ready: [UInt8]
  private var place = 0
  private var sequence: Int?

  init(_ reader: ByteReader, _ head: [UInt8], _ window: ByteWindow, _ sequence: Int?) {
    self.reader = reader
    self.window = window
    self.sequence = sequence
    ready = head
  }

  var byteCount: Int? { nil }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    if place == ready.count { refill() }
    let part = min(count, ready.count - place)
    guard part > 0 else { return reader.hasFailed ? -1 : 0 }
    ready.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      target.copyMemory(from: start + place, byteCount: part)
    }
    place += part
    return part
  }

  func seek(to offset: Int) -> Bool { false }

  private func refill() {
    place = 0
    guard window.has(1) || window.passHole() && window.has(1) else { return ready = [] }
    if let number = sequence, let page = OggPage(window), page.isWhole(window.bytes()) {
      ready = Array(window.bytes()[..<page.byteCount])
      OggPage.change(&ready, sequence: number)
      sequence = number + 1
    } else {
      // Damaged pages are left to the decoder.
      ready = Array(window.bytes().prefix(sequence == nil ? 1 << 14 : 1))
    }
    window.skip(ready.count)
  }
}
