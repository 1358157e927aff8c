import CVorbisFile
import FxAudio

/// The information that packets of a codec in Ogg give without decoding.
protocol OggPacketCodec: AnyObject {
  var name: String { get }
  var format: StreamFormat { get }
  /// Header packets before the sound.
  var headerCount: Int { get }
  /// Frames at the start that are not played.
  var skippedCount: Int { get }
  /// True if the end may lie before the last packet of the last page. Otherwise decoders only shorten that packet.
  var mayEndEarly: Bool { get }
  var bitsPerSample: Int? { get }
  var framesPerPacket: Int? { get }
  var nominalBitRate: Double? { get }
  var headerGain: Double? { get }
  /// What a decoder needs besides the packets; nil before all of it was received.
  var cookie: [UInt8]? { get }
  /// Receives a header packet after the first one.
  func take(header: [UInt8])
  /// Frames that a packet adds; nil if it holds no sound.
  func frameCount(of packet: [UInt8]) -> Int?
}

extension OggPacketCodec {
  var skippedCount: Int { 0 }
  var mayEndEarly: Bool { false }
  var bitsPerSample: Int? { nil }
  var framesPerPacket: Int? { nil }
  var nominalBitRate: Double? { nil }
  var headerGain: Double? { nil }
  func take(header: [UInt8]) {}
}

enum OggCodecs {
  /// The codec of a stream's first packet; nil if the stream holds no sound.
  static func codec(of packet: [UInt8]) -> (any OggPacketCodec)? {
    OpusPackets(packet) ?? VorbisPackets(packet) ?? OggFLACPackets(packet)
  }
}

/// Opus (RFC 7845, RFC 6716).
private final class OpusPackets: OggPacketCodec {
  let name = "Opus"
  let format: StreamFormat
  let headerCount = 2
  let skippedCount: Int
  let cookie: [UInt8]?
  let mayEndEarly = true
  let headerGain: Double?

  init?(_ packet: [UInt8]) {
    guard packet.count >= 19, packet.starts(with: "OpusHead".utf8), packet[9] > 0 else {
      return nil
    }
    let count = Int(packet[9])
    cookie = packet
    format = StreamFormat(
      sampleRate: 48000,
      layout: packet[18] < 2 ? ChannelOrder.vorbis(count).layout : .discrete(count))
    skippedCount = packet.little(10, 2)
    let gain = Int16(truncatingIfNeeded: packet.little(16, 2))
    headerGain = gain == 0 ? nil : Double(gain) / 256
  }

  func frameCount(of packet: [UInt8]) -> Int? {
    guard let first = packet.first else { return nil }
    let configuration = Int(first >> 3)
    let length =
      configuration < 12
      ? [480, 960, 1920, 2880][configuration & 3]
      : configuration < 16 ? [480, 960][configuration & 1] : 120 << (configuration & 3)
    switch first & 3 {
    case 0: return length
    case 1, 2: return 2 * length
    default: return packet.count > 1 ? Int(packet[1] & 0x3f) * length : nil
    }
  }
}

/// Vorbis. The length of a packet depends on the packet before it, and on a table in the third
/// header.
private final class VorbisPackets: OggPacketCodec {
  let name = "Vorbis"
  let format: StreamFormat
  let headerCount = 3
  let nominalBitRate: Double?
  private let info: UnsafeMutablePointer<vorbis_info>
  private let comment: UnsafeMutablePointer<vorbis_comment>
  private var previous: Int?
  private var headers: [[UInt8]] = []

  /// All three headers, with the lengths of the first two in front, as Matroska stores them.
  var cookie: [UInt8]? {
    guard headers.count == 3 else { return nil }
    let lengths = headers.dropLast().flatMap { header in
      [UInt8](repeating: 255, count: header.count / 255) + [UInt8(header.count % 255)]
    }
    return [2] + lengths + headers.joined()
  }

  init?(_ packet: [UInt8]) {
    guard packet.count >= 30, packet.starts(with: "\u{1}vorbis".utf8), packet[11] > 0 else {
      return nil
    }
    let rate = packet.little(12, 4)
    guard rate > 0, rate < 1 << 31 else { return nil }
    format = StreamFormat(
      sampleRate: Double(rate), layout: ChannelOrder.vorbis(Int(packet[11])).layout)
    let nominal = Int32(truncatingIfNeeded: packet.little(20, 4))
    nominalBitRate = nominal > 0 ? Double(nominal) : nil
    info = .allocate(capacity: 1)
    comment = .allocate(capacity: 1)
    vorbis_info_init(info)
    vorbis_comment_init(comment)
    take(packet, isFirst: true)
  }

  deinit {
    vorbis_comment_clear(comment)
    vorbis_info_clear(info)
    info.deallocate()
    comment.deallocate()
  }

  func take(header: [UInt8]) { take(header, isFirst: false) }

  private func take(_ header: [UInt8], isFirst: Bool) {
    headers.append(header)
    with(header) { packet in
      packet.b_o_s = isFirst ? 1 : 0
      _ = vorbis_synthesis_headerin(info, comment, &packet)
    }
  }

  func frameCount(of packet: [UInt8]) -> Int? {
    guard info.pointee.codec_setup != nil, let first = packet.first, first & 1 == 0 else {
      return nil
    }
    let size = with(packet) { Int(vorbis_packet_blocksize(info, &$0)) }
    guard size > 0 else { return nil }
    defer { previous = size }
    return previous.map { ($0 + size) / 4 } ?? 0
  }

  private func with<Result>(_ bytes: [UInt8], _ body: (inout ogg_packet) -> Result) -> Result {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var packet = ogg_packet()
      packet.packet = buffer.baseAddress
      packet.bytes = buffer.count
      return body(&packet)
    }
  }
}

/// FLAC in Ogg (RFC 9639, section 10.1).
private final class OggFLACPackets: OggPacketCodec {
  let name = "FLAC"
  let format: StreamFormat
  let headerCount: Int
  let bitsPerSample: Int?
  let framesPerPacket: Int?
  let cookie: [UInt8]?

  init?(_ packet: [UInt8]) {
    guard packet.count >= 51, packet.starts(with: "\u{7f}FLAC".utf8),
      let info = FLACStreamInfo(packet[17...])
    else { return nil }
    format = info.format
    cookie = info.bytes
    headerCount = 1 + packet.big(7, 2)
    bitsPerSample = info.bitsPerSample
    framesPerPacket = info.constantBlockSize
  }

  func frameCount(of packet: [UInt8]) -> Int? {
    packet.withUnsafeBufferPointer { FLACFrameHeader($0)?.sampleCount }
  }
}
