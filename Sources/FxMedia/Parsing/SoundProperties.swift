import FxAudio

/// What is known about a sound from the bytes read so far. A parser updates it as it reads.
public struct SoundProperties: Sendable, Hashable, Codable {
  /// How reliable a length is.
  public enum Certainty: String, Sendable, Hashable, Codable, CaseIterable {
    /// Counted, or computed from the size.
    case exact
    /// Declared by the sound's header, tag or last page.
    case declared = "header"
    /// Estimated from the size and the mean of the packets so far.
    case estimated = "estimate"
  }

  public struct BitRate: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// The same for every packet.
      case constant
      /// Packets differ. The value is the mean of the whole sound, declared or counted.
      case variable
      /// The mean that the encoder aimed at, from the header.
      case nominal
      /// The mean of the packets so far.
      case estimated = "estimate"
    }

    /// In bits per second.
    public var value: Double
    public var kind: Kind
  }

  /// A count, and how reliable it is.
  public struct Length: Sendable, Hashable, Codable {
    public var count: Int
    public var certainty: Certainty
  }

  /// The format that holds the packets: `WAV`, `Ogg`, `MPEG audio`.
  public var container: String
  /// The coding of the sound: `PCM`, `MP3`, `FLAC`, `Vorbis`.
  public var codec: String?
  /// In Hz.
  public var sampleRate: Double?
  public var channelCount: Int?
  /// The names of the channels, such as `stereo` or `5.1`.
  public var layout: String?
  /// Bits of a stored sample; nil if the codec has none.
  public var bitsPerSample: Int?
  public var isFloat = false
  public var bitRate: BitRate?
  /// The size of the whole stream in bytes; nil if its end is unknown.
  public var byteCount: Int?
  /// The offset of the first packet.
  public var dataOffset: Int?
  /// Packets of the sound. For PCM each frame is a packet.
  public var packetCount: Length?
  /// Frames that are played, without the encoder's delay and padding.
  public var frameCount: Length?
  /// Frames of each packet; nil if packets differ.
  public var framesPerPacket: Int?
  /// Frames at the start that are not played.
  public var encoderDelay: Int?
  /// Frames at the end that are not played.
  public var encoderPadding: Int?
  /// The gain in the sound's header (Opus), in decibels.
  public var headerGain: Double?
  /// The bytes that a decoder needs besides the packets: the `STREAMINFO` block of FLAC (34 bytes), the identification
  /// header of Opus, the three headers of Vorbis as in Matroska, the `AudioSpecificConfig` of AAC, the `alac` box of ALAC.
  /// nil if there are none.
  public var magicCookie: [UInt8]?
  /// The formats of HE-AAC besides the one that every decoder of AAC gives.
  var richerFormats: [SoundFormat] = []
  /// Places where bytes are missing or are not sound.
  public var discontinuityCount = 0
  /// Further sounds in the same stream: Ogg links, MPEG files that were joined.
  public var laterSoundCount = 0

  init(_ container: String, codec: String? = nil) {
    self.container = container
    self.codec = codec
  }

  /// In seconds; nil if the length is unknown.
  public var duration: Double? {
    guard let frameCount, let sampleRate, sampleRate > 0 else { return nil }
    return Double(frameCount.count) / sampleRate
  }

  mutating func take(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    layout = format.layout.isNamed ? "\(format.layout)" : nil
  }
}
