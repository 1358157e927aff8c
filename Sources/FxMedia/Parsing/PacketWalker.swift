import FxAudio

/// A packet of a sound: a frame of MPEG audio or FLAC, or a packet of Ogg. For PCM it is a run of
/// frames, and each frame counts as a packet.
public struct SoundPacket: Sendable, Hashable, Codable {
  /// The first is 0.
  public var number: Int
  /// The number of packets in this value: 1, except for PCM.
  public var count = 1
  /// Its offset in the stream; for Ogg, the offset of its page.
  public var offset: Int
  public var byteCount: Int
  /// Its first played frame, counted from the start of the sound.
  public var frame: Int
  /// The number of its frames that are played.
  public var frameCount: Int
  /// Its bytes, if they are wanted. For Ogg they are those of the packet, without pages.
  public var bytes: [UInt8]?
}

/// The next result of a walk over the packets of a stream.
enum PacketStep {
  case packet(SoundPacket)
  /// Bytes that are not a packet, or missing packets. The walk continues after them.
  case discontinuity(offset: Int)
  case end
}

/// Walks over the packets of a sound without decoding them.
protocol PacketWalker: AnyObject {
  /// Everything that is known so far.
  var properties: SoundProperties { get }
  /// True if packets have their bytes.
  var keepsBytes: Bool { get set }
  /// The next step. After `end` the lengths are exact.
  func next() throws(Failure) -> PacketStep
}

extension PacketWalker {
  /// The bytes of a packet, if they are wanted.
  func kept(_ bytes: some Sequence<UInt8>) -> [UInt8]? { keepsBytes ? Array(bytes) : nil }

  /// The mean bit rate of the packets so far, for codecs that do not declare one.
  static func meanBitRate(bytes: Int, frames: Int, rate: Double) -> Double? {
    frames > 0 ? Double(bytes) * 8 * rate / Double(frames) : nil
  }
}
