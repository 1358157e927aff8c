import FxAudio
import FxFrames

/// The samples of the first sound track of an MP4 file (ISO/IEC 14496-12 and 14496-14), as M4A and video
/// files have it.
final class MP4Walker: PacketWalker {
  private(set) var properties: SoundProperties
  private let track: MP4Track
  private var following = 0
  private var position = 0

  /// - Throws: `headerAtEnd` for a stream whose table of packets stands behind the packets.
  init(_ reader: ByteReader) throws(IOError) {
    let window = ByteWindow(reader, limit: 1 << 28)
    var movie: MP4Box?
    var hasData = false
    while movie == nil, window.has(8) {
      var size = MP4Box.number(window.bytes(), 4)
      let kind = MP4Box.text(window.bytes(at: 4))
      var head = 8
      if size == 1, window.has(16) {
        size = MP4Box.number(window.bytes(at: 8), 8)
        head = 16
      }
      if size == 0 { size = (reader.byteCount ?? Int.max) - window.offset }
      guard size >= head else {
        throw IOError(.damaged, reader.name, "the header is damaged: a part of \(size) bytes")
      }
      if kind == "moov" {
        guard size <= 1 << 28, window.has(size) else { break }
        movie = MP4Box(kind: kind, content: Array(window.bytes(at: head)[..<(size - head)])[...])
      } else {
        hasData = hasData || kind == "mdat"
        guard !hasData || reader.isSeekable else {
          throw IOError(
            .headerAtEnd, reader.name,
            "its table of packets is behind the sound, so that it cannot be read as a stream; "
              + "save it as a file first, or write it with: ffmpeg -movflags +faststart")
        }
        guard window.skip(size) else { break }
      }
    }
    if reader.hasFailed { throw reader.error }
    guard let movie, let track = MP4Track.first(in: movie) else {
      throw IOError(
        .damaged, reader.name,
        movie == nil
          ? "the header is damaged: no table of packets" : "there is no sound in this MP4 file")
    }
    self.track = track
    properties = SoundProperties("MP4", codec: track.codec)
    properties.take(
      StreamFormat(sampleRate: Double(track.timescale), channelCount: track.channelCount))
    properties.bitsPerSample = track.bitsPerSample
    properties.byteCount = reader.byteCount
    properties.dataOffset = track.offset(of: 0)
    properties.framesPerPacket = track.constantDuration
    properties.packetCount = .init(count: track.packetCount, certainty: .declared)
    properties.frameCount = .init(count: track.heardCount, certainty: .declared)
    properties.encoderDelay = track.delay > 0 ? track.delay : nil
    let padding = track.frameCount - track.delay - track.heardCount
    properties.encoderPadding = padding > 0 ? padding : nil
    let mean = MP4Walker.meanBitRate(
      bytes: track.byteCount, frames: track.frameCount, rate: Double(track.timescale))
    properties.bitRate = mean.map { .init(value: $0, kind: .variable) }
  }

  func next() throws(IOError) -> PacketStep {
    guard following < track.packetCount, let offset = track.offset(of: following) else {
      properties.packetCount?.certainty = .exact
      return .end
    }
    let number = following
    let count = track.duration(of: number)
    defer {
      following += 1
      position += count
    }
    let start = min(max(position - track.delay, 0), track.heardCount)
    let end = min(max(position + count - track.delay, 0), track.heardCount)
    return .packet(
      SoundPacket(
        number: number, offset: offset, byteCount: track.size(of: number), frame: start,
        frameCount: end - start))
  }
}

/// A part of an MP4 file and what it holds.
struct MP4Box {
  let kind: String
  let content: ArraySlice<UInt8>

  /// The parts inside, from a place on.
  func children(from offset: Int = 0) -> [MP4Box] {
    var boxes: [MP4Box] = []
    var place = content.startIndex + offset
    while content.endIndex - place >= 8 {
      let bytes = content[place...]
      var size = MP4Box.number(bytes, 4)
      var head = 8
      if size == 1, bytes.count >= 16 {
        size = MP4Box.number(bytes.dropFirst(8), 8)
        head = 16
      }
      guard size >= head, size <= content.endIndex - place else { break }
      boxes.append(
        MP4Box(
          kind: MP4Box.text(bytes.dropFirst(4)), content: content[(place + head)..<(place + size)]))
      place += size
    }
    return boxes
  }

  /// The first part under a path of kinds.
  func child(_ path: String...) -> MP4Box? {
    path.reduce(Optional(self)) { box, kind in box?.children().first { $0.kind == kind } }
  }

  /// A big-endian number at a place of the content; 0 behind its end.
  func number(_ offset: Int, _ width: Int) -> Int {
    guard offset >= 0, offset + width <= content.count else { return 0 }
    return MP4Box.number(content.dropFirst(offset), width)
  }

  static func number(_ bytes: some Collection<UInt8>, _ width: Int) -> Int {
    guard bytes.count >= width else { return 0 }
    let value = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }

  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.prefix(4), as: UTF8.self)
  }
}
