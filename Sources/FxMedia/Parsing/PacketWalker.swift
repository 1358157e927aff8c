import FxFrames

/// A packet of a sound: a frame of MPEG audio or FLAC, a packet of Ogg. Of PCM a run of frames, each of
/// which counts as a packet.
public struct SoundPacket: Sendable, Hashable {
  /// The first is 0.
  public var number: Int
  /// Packets that it stands for: 1, but for PCM.
  public var count = 1
  /// Where it begins in the stream; of a packet of Ogg, where its page does.
  public var offset: Int
  public var byteCount: Int
  /// The first frame that is heard of it, counted from the sound's start.
  public var frame: Int
  /// Frames that are heard of it.
  public var frameCount: Int
}

/// What a walk over the packets of a stream meets next.
enum PacketStep {
  case packet(SoundPacket)
  /// Bytes that are no packet, or packets that are missing, and more follows.
  case discontinuity(offset: Int)
  case end
}

/// Goes over the packets of a sound without decoding them.
protocol PacketWalker: AnyObject {
  /// As much as is known by now.
  var properties: SoundProperties { get }
  /// After `end` the lengths are exact.
  func next() throws(IOError) -> PacketStep
}

extension PacketWalker {
  /// Mean bit rate of packets so far, for those that do not know better.
  static func meanBitRate(bytes: Int, frames: Int, rate: Double) -> Double? {
    frames > 0 ? Double(bytes) * 8 * rate / Double(frames) : nil
  }
}
