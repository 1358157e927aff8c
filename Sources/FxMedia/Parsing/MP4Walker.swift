import FxAudio
import FxFrames

/// The samples of the first sound track of an MP4 file (ISO/IEC 14496-12 and 14496-14), such as M4A
/// and video files.
final class MP4Walker: PacketWalker {
  private(set) var properties: SoundProperties
  private let track: MP4Track
  private var packets: MP4Packets
  private var following = 0
  private var position = 0

  /// - Throws: `headerAtEnd` for a stream whose table of packets comes after the packets.
  init(_ reader: ByteReader) throws(IOError) {
    let movie = try MP4Box.movie(reader)
    guard let movie, let track = MP4Track.first(in: movie) else {
      throw IOError(
        .damaged, reader.name,
        movie == nil
          ? "the header is damaged: no table of packets" : "there is no sound in this MP4 file")
    }
    self.track = track
    packets = track.packets
    properties = SoundProperties("MP4", codec: track.codec)
    properties.take(
      StreamFormat(sampleRate: Double(track.timescale), channelCount: track.channelCount))
    properties.bitsPerSample = track.bitsPerSample
    properties.byteCount = reader.byteCount
    var first = packets
    properties.dataOffset = first.next()?.offset
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
    // A packet has at least one byte, so a file cannot hold more packets than bytes.
    guard let packet = packets.next(), packet.offset < properties.byteCount ?? Int.max else {
      properties.packetCount = .init(count: following, certainty: .exact)
      return .end
    }
    let number = following
    let count = packet.frameCount
    defer {
      following += 1
      position += count
    }
    let start = min(max(position - track.delay, 0), track.heardCount)
    let end = min(max(position + count - track.delay, 0), track.heardCount)
    return .packet(
      SoundPacket(
        number: number, offset: packet.offset, byteCount: packet.size, frame: start,
        frameCount: end - start))
  }
}
