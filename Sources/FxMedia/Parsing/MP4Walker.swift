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
    let movie = try MP4Box.movie(reader)
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
