import FxAudio

/// The packets of a sound in Ogg: Vorbis, Opus or FLAC. Other streams in the file are ignored.
final class OggWalker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  private let reader: ByteReader
  private let pages: OggPageReader
  private var codec: any OggPacketCodec
  private var serial: Int
  /// Packets of pages that were read, not returned yet.
  private var ready: [SoundPacket] = []
  private var open: (bytes: [UInt8], offset: Int)?
  /// The number of the next page of the link; nil before its second page.
  private var nextSequence: Int?
  /// Where bytes are missing or are no page; reported before the next packet.
  private var loss: Int?
  private var headersLeft: Int
  private var number = 0
  /// Frames of the packets so far, in the codec's units, including those at the start that are not
  /// played.
  private var position = 0
  /// Frames of the latest packet.
  private var latestCount = 0
  /// Played frames of the earlier links, at the sample rate of the first.
  private var earlier = 0
  /// The first link's sample rate, divided by that of this link.
  private var ratio = 1.0
  /// The granule of the last page of the link.
  private var lastGranule: Int?
  private var byteTotal = 0
  private var hasEnded = false
  /// The frame after the last packet that was returned.
  private var reached = 0
  /// A limit above any real length: a page with a larger value is damaged.
  static let granuleLimit = 1 << 56

  @Sendable
  static func walk(_ reader: ByteReader) throws(Failure) -> any PacketWalker {
    try OggWalker(reader)
  }

  /// - Throws: `damaged` if no sound stream begins here.
  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    pages = OggPageReader(reader)
    var found: (page: OggPage, codec: any OggPacketCodec)?
    while found == nil, case .page(let page, _, let pieces) = pages.next(), page.isFirst {
      if let packet = pieces.first, let codec = OggCodecs.codec(of: packet) {
        found = (page, codec)
      }
    }
    guard let found else {
      if reader.hasFailed { throw reader.error }
      throw Failure(.damaged, reader.name, "the header is damaged: no sound in this Ogg stream")
    }
    codec = found.codec
    serial = found.page.serial
    headersLeft = codec.headerCount - 1
    properties = SoundProperties("Ogg", codec: codec.name)
    properties.take(codec.format)
    properties.bitsPerSample = codec.bitsPerSample
    properties.byteCount = reader.byteCount
    properties.framesPerPacket = codec.framesPerPacket
    properties.headerGain = codec.headerGain
    properties.magicCookie = codec.cookie
    properties.encoderDelay = codec.skippedCount > 0 ? codec.skippedCount : nil
    if let rate = codec.nominalBitRate { properties.bitRate = .init(value: rate, kind: .nominal) }
  }

  func next() throws(Failure) -> PacketStep {
    while ready.isEmpty {
      guard !hasEnded else { return .end }
      switch pages.next() {
      case .page(let page, let offset, let pieces):
        if page.serial == serial, !page.isFirst { follow(page.sequence, offset) }
        if page.isFirst, headersLeft == 0, let packet = pieces.first,
          let next = OggCodecs.codec(of: packet)
        {
          begin(next, page)
        } else if page.serial == serial {
          take(page, offset, pieces)
        }
      case .gap(let offset):
        open = nil
        loss = loss ?? offset
      case .end:
        if reader.hasFailed { throw reader.error }
        end()
        hasEnded = true
        if let place = takeLoss() { return .discontinuity(offset: place) }
      }
    }
    if let place = takeLoss() { return .discontinuity(offset: place) }
    let packet = ready.removeFirst()
    reached = packet.frame + packet.frameCount
    return .packet(packet)
  }

  private func takeLoss() -> Int? {
    guard let place = loss else { return nil }
    loss = nil
    properties.discontinuityCount += 1
    return place
  }

  /// Compares the number of a page with that of the page before. Some writers do not count.
  private func follow(_ sequence: Int, _ offset: Int) {
    if let next = nextSequence, sequence > next {
      loss = loss ?? offset
      open = nil
    }
    nextSequence = sequence + 1
  }

  /// Starts the next link of a chained stream.
  private func begin(_ codec: any OggPacketCodec, _ page: OggPage) {
    earlier = max(earlier + scaled(heard), reached)
    if let rate = properties.sampleRate { ratio = rate / codec.format.sampleRate }
    self.codec = codec
    serial = page.serial
    headersLeft = codec.headerCount - 1
    position = 0
    lastGranule = nil
    open = nil
    nextSequence = nil
    properties.laterSoundCount += 1
  }

  private func take(_ page: OggPage, _ offset: Int, _ pieces: [[UInt8]]) {
    let start = position
    if !page.isContinued { open = nil }
    var packets: [(bytes: [UInt8], offset: Int)] = []
    for (index, piece) in pieces.enumerated() {
      var packet = (bytes: piece, offset: offset)
      if index == 0, page.isContinued {
        // The beginning of this packet is lost.
        guard let open else { continue }
        packet = (open.bytes + piece, open.offset)
      }
      if page.endsOpen, index == pieces.count - 1 {
        open = packet
      } else {
        packets.append(packet)
      }
    }
    if !page.endsOpen { open = nil }
    for packet in packets {
      if headersLeft > 0 {
        codec.take(header: packet.bytes)
        headersLeft -= 1
        if headersLeft == 0 { properties.magicCookie = codec.cookie ?? properties.magicCookie }
        if headersLeft == 0 { properties.dataOffset = properties.dataOffset ?? pages.window.offset }
        continue
      }
      add(packet.bytes, packet.offset)
    }
    if properties.bitRate?.kind ?? .estimated == .estimated, number > 0 {
      let mean = OggWalker.meanBitRate(
        bytes: byteTotal, frames: earlier + scaled(position), rate: properties.sampleRate ?? 1)
      properties.bitRate = mean.map { .init(value: $0, kind: .estimated) }
    }
    // A granule is plausible only if all links together stay below the limit.
    if page.granule >= 0, page.granule < OggWalker.granuleLimit - earlier, headersLeft == 0 {
      if follow(page, from: start) { loss = loss ?? offset }
    } else if page.isLast {
      lastGranule = nil
    }
  }

  private func add(_ bytes: [UInt8], _ offset: Int) {
    guard let count = codec.frameCount(of: bytes) else { return }
    let start = max(0, position - codec.skippedCount)
    let end = max(0, position + count - codec.skippedCount)
    ready.append(
      SoundPacket(
        number: number, offset: offset, byteCount: bytes.count, frame: earlier + scaled(start),
        frameCount: scaled(end) - scaled(start), bytes: kept(bytes)))
    number += 1
    position += count
    latestCount = count
    byteTotal += bytes.count
  }

  /// Corrects the position with the page's granule. Frames after the end of the sound are cut, but only those of this page.
  /// True if packets are missing before those of the page.
  private func follow(_ page: OggPage, from start: Int) -> Bool {
    // No sound ends before its last page begins.
    lastGranule = page.isLast && page.granule < start ? nil : page.granule
    if page.granule > position {
      // The first page may start later without a gap.
      let hasGap = number > ready.count
      for index in ready.indices where hasGap {
        ready[index].frame += scaled(page.granule - position)
      }
      position = page.granule
      return hasGap
    } else if page.isLast, page.granule < position {
      let earliest = codec.mayEndEarly ? start : max(start, position - latestCount)
      properties.encoderPadding = position - max(page.granule, earliest)
      position = max(page.granule, earliest)
      let end = earlier + scaled(max(0, position - codec.skippedCount))
      for index in ready.indices {
        let frame = min(ready[index].frame, end)
        ready[index].frameCount = min(ready[index].frameCount, end - frame)
        ready[index].frame = frame
      }
    }
    return false
  }

  /// Frames at the sample rate of the first link.
  private func scaled(_ frameCount: Int) -> Int {
    ratio == 1 ? frameCount : Int((Double(frameCount) * ratio).rounded())
  }

  /// At the sample rate of this link.
  private var heard: Int { max(0, min(position, lastGranule ?? position) - codec.skippedCount) }

  private func end() {
    properties.packetCount = .init(count: number, certainty: .exact)
    let total = earlier + scaled(heard)
    properties.frameCount = .init(count: total, certainty: .exact)
    guard let rate = properties.sampleRate else { return }
    let mean = OggWalker.meanBitRate(bytes: byteTotal, frames: total, rate: rate)
    properties.bitRate = mean.map { .init(value: $0, kind: .variable) }
  }
}
