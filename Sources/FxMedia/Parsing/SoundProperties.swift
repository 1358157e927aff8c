import FxAudio

/// What is known of a sound from its bytes so far. A parser fills it in as it reads.
public struct SoundProperties: Sendable, Hashable {
  /// How a length is known.
  public enum Certainty: String, Sendable, Hashable, CaseIterable {
    /// Counted, or a consequence of the size.
    case exact
    /// Said by the sound's header, tag or last page.
    case declared = "header"
    /// From the size and the mean of the packets so far.
    case estimated = "estimate"
  }

  public struct BitRate: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Every packet has it.
      case constant
      /// Packets differ; the mean of the whole sound, as it is declared or counted.
      case variable
      /// Said by the header as the mean that the encoder aimed at.
      case nominal
      /// The mean of the packets so far.
      case estimated = "estimate"
    }

    /// Bits a second.
    public var value: Double
    public var kind: Kind
  }

  /// Numbers that count with how they are known.
  public struct Length: Sendable, Hashable {
    public var count: Int
    public var certainty: Certainty
  }

  /// What holds the packets: `WAV`, `Ogg`, `MPEG audio`.
  public var container: String
  /// How the sound is coded: `PCM`, `MP3`, `FLAC`, `Vorbis`.
  public var codec: String?
  /// Samples a second.
  public var sampleRate: Double?
  public var channelCount: Int?
  /// The names of the channels, such as `stereo` or `5.1`.
  public var layout: String?
  /// Bits of a stored sample; nil where the codec has none.
  public var bitsPerSample: Int?
  public var isFloat = false
  public var bitRate: BitRate?
  /// Bytes of the whole stream; nil for one whose end is not known.
  public var byteCount: Int?
  /// Where the first packet begins.
  public var dataOffset: Int?
  /// Packets of the sound; of PCM a packet is a frame.
  public var packetCount: Length?
  /// Frames that are heard, without the encoder's delay and padding.
  public var frameCount: Length?
  /// Frames of each packet; nil where packets differ.
  public var framesPerPacket: Int?
  /// Frames in front that are not heard.
  public var encoderDelay: Int?
  /// Frames behind that are not heard.
  public var encoderPadding: Int?
  /// Gains by the sound's header (Opus), in decibels.
  public var headerGain: Double?
  /// Places at which bytes were missing or are no sound.
  public var discontinuityCount = 0
  /// Further sounds in the same stream: Ogg links, MPEG files that were joined.
  public var laterSoundCount = 0

  init(_ container: String, codec: String? = nil) {
    self.container = container
    self.codec = codec
  }

  /// Seconds; nil where the length is not known.
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
