import FxAudio

/// The samples of the first sound track of an MP4 file (ISO/IEC 14496-12 and 14496-14), such as M4A
/// and video files.
final class MP4Walker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  let movie: MP4Box
  let track: MP4Track
  private var packets: MP4Packets
  /// nil if all packets are in one table.
  private var fragments: MP4Fragments?
  private var following = 0
  private var position = 0
  private let reader: ByteReader
  private let boxes: MP4BoxReader
  /// True if the packets arrive one after another, and are reported when they are there.
  private let isStream: Bool
  private var isCut = false

  /// - Throws: `headerAtEnd` for a stream whose table of packets comes after the packets.
  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    boxes = MP4BoxReader(reader)
    isStream = !reader.isSeekable
    let movie = try boxes.movie()
    guard let movie, let track = MP4Track.first(in: movie) else {
      throw Failure(
        .damaged, reader.name,
        movie == nil
          ? "the header is damaged: no table of packets" : "there is no sound in this MP4 file")
    }
    self.movie = movie
    self.track = track
    packets = track.packets
    fragments = MP4Fragments(movie, track: track.number, boxes)
    properties = SoundProperties("MP4", codec: track.codec)
    properties.take(
      StreamFormat(sampleRate: Double(track.timescale), channelCount: track.channelCount))
    properties.bitsPerSample = track.bitsPerSample
    properties.magicCookie = track.cookie
    if track.codec == "AAC", let cookie = track.cookie {
      properties.richerFormats = AudioSpecificConfig(cookie)?.richerFormats ?? []
    }
    properties.byteCount = reader.byteCount
    properties.encoderDelay = track.delay > 0 ? track.delay : nil
    guard fragments == nil else {
      try measureFragments(reader, movie)
      return
    }
    var first = packets
    properties.dataOffset = first.next()?.offset
    properties.framesPerPacket = track.constantDuration
    properties.packetCount = .init(count: track.packetCount, certainty: .declared)
    properties.frameCount = .init(count: track.heardCount, certainty: .declared)
    let padding = track.frameCount - track.delay - track.heardCount
    properties.encoderPadding = padding > 0 ? padding : nil
    let mean = MP4Walker.meanBitRate(
      bytes: track.byteCount, frames: track.frameCount, rate: Double(track.timescale))
    properties.bitRate = mean.map { .init(value: $0, kind: .variable) }
  }

  /// Counts the packets of all fragments of a file.
  private func measureFragments(_ reader: ByteReader, _ movie: MP4Box) throws(Failure) {
    func fromStart() -> MP4Fragments? {
      guard reader.seek(to: 0) else { return nil }
      return MP4Fragments(movie, track: track.number, MP4BoxReader(reader))
    }
    guard reader.isLocal, var all = fromStart() else { return }
    var total = (packets: 0, frames: 0, bytes: 0)
    while let packet = all.next(), packet.offset < properties.byteCount ?? Int.max {
      properties.dataOffset = properties.dataOffset ?? packet.offset
      total = (
        total.packets + 1, total.frames &+ packet.frameCount, total.bytes &+ packet.size
      )
    }
    fragments = fromStart()
    if reader.hasFailed { throw reader.error }
    properties.packetCount = .init(count: total.packets, certainty: .declared)
    properties.frameCount = .init(
      count: max(total.frames - track.delay, 0), certainty: .declared)
    let mean = MP4Walker.meanBitRate(
      bytes: total.bytes, frames: total.frames, rate: Double(track.timescale))
    properties.bitRate = mean.map { .init(value: $0, kind: .variable) }
  }

  private var heardCount: Int { fragments == nil ? track.heardCount : Int.max }

  func next() throws(Failure) -> PacketStep {
    guard !isCut else { return .end }
    // A packet has at least one byte, so a file cannot hold more packets than bytes.
    let found = fragments == nil ? packets.next() : fragments?.next()
    guard let packet = found, packet.offset < properties.byteCount ?? Int.max else {
      properties.packetCount = .init(count: following, certainty: .exact)
      return .end
    }
    var bytes: [UInt8]?
    if fragments == nil, keepsBytes || isStream {
      guard let packet = boxes.packet(at: packet.offset, packet.size) else {
        if reader.hasFailed { throw reader.error }
        return cut(packet.offset)
      }
      bytes = kept(packet)
    }
    let number = following
    let count = packet.frameCount
    defer {
      following += 1
      position += count
    }
    let start = min(max(position - track.delay, 0), heardCount)
    let end = min(max(position + count - track.delay, 0), heardCount)
    return .packet(
      SoundPacket(
        number: number, offset: packet.offset, byteCount: packet.size, frame: start,
        frameCount: end - start, bytes: bytes))
  }

  /// The end, where packets of the table are missing.
  private func cut(_ offset: Int) -> PacketStep {
    properties.packetCount = .init(count: following, certainty: .exact)
    isCut = true
    properties.discontinuityCount += 1
    return .discontinuity(offset: offset)
  }
}
