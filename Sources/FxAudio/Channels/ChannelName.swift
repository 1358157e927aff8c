/// The loudspeaker position of a channel. The raw value is its bit in the channel mask of
/// WAVE_FORMAT_EXTENSIBLE, which also defines the order of channels in a file.
public enum ChannelName: UInt8, Sendable, Hashable, CaseIterable {
  case frontLeft, frontRight, frontCentre, lowFrequency, backLeft, backRight
  case frontLeftOfCentre, frontRightOfCentre, backCentre, sideLeft, sideRight
  case topCentre, topFrontLeft, topFrontCentre, topFrontRight
  case topBackLeft, topBackCentre, topBackRight

  /// The abbreviation in messages and in layouts without a name of their own.
  public var label: String {
    switch self {
    case .frontLeft: "FL"
    case .frontRight: "FR"
    case .frontCentre: "FC"
    case .lowFrequency: "LFE"
    case .backLeft: "BL"
    case .backRight: "BR"
    case .frontLeftOfCentre: "FLC"
    case .frontRightOfCentre: "FRC"
    case .backCentre: "BC"
    case .sideLeft: "SL"
    case .sideRight: "SR"
    case .topCentre: "TC"
    case .topFrontLeft: "TFL"
    case .topFrontCentre: "TFC"
    case .topFrontRight: "TFR"
    case .topBackLeft: "TBL"
    case .topBackCentre: "TBC"
    case .topBackRight: "TBR"
    }
  }

  public enum Side: Sendable { case left, centre, right }

  /// The side of the listener; nil for the low-frequency channel, which has none.
  public var side: Side? {
    switch self {
    case .frontLeft, .backLeft, .frontLeftOfCentre, .sideLeft, .topFrontLeft, .topBackLeft: .left
    case .frontRight, .backRight, .frontRightOfCentre, .sideRight, .topFrontRight, .topBackRight:
      .right
    case .frontCentre, .backCentre, .topCentre, .topFrontCentre, .topBackCentre: .centre
    case .lowFrequency: nil
    }
  }

  fileprivate var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// The channels of a stream and their positions. Named channels are in the order of a WAV file: FL,
/// FR, FC, LFE, BL, BR, FLC, FRC, BC, SL, SR and so on.
public struct ChannelLayout: Sendable, Hashable {
  public let channelCount: Int
  /// One bit per channel, as in WAVE_FORMAT_EXTENSIBLE; 0 where the channels have no names.
  public let mask: UInt32

  private init(channelCount: Int, mask: UInt32) {
    self.channelCount = channelCount
    self.mask = mask
  }

  /// Named channels, in any order; nil for an empty list or a name given twice.
  public init?(_ channels: [ChannelName]) {
    let mask = channels.reduce(0) { $0 | $1.bit }
    guard !channels.isEmpty, mask.nonzeroBitCount == channels.count else { return nil }
    self.init(channelCount: channels.count, mask: mask)
  }

  /// Channels without names.
  public static func discrete(_ channelCount: Int) -> ChannelLayout {
    ChannelLayout(channelCount: channelCount, mask: 0)
  }

  /// The default layout for a number of channels.
  public static func usual(_ channelCount: Int) -> ChannelLayout {
    let name: String? =
      switch channelCount {
      case 1: "mono"
      case 2: "stereo"
      case 4: "quad"
      case 5: "5.0"
      case 6: "5.1"
      case 8: "7.1"
      default: nil
      }
    return name.flatMap { ChannelLayout(named: $0) } ?? discrete(channelCount)
  }

  /// The layout that a file's channel mask describes. A mask of 0 gives the usual layout. A single
  /// channel is mono, whatever the mask. If the mask names fewer channels than there are, the
  /// channels have no names. If it names more, the first ones count, as WAVEFORMATEXTENSIBLE
  /// defines.
  package init(mask: UInt32, channelCount: Int) {
    var known = mask & (1 << UInt32(ChannelName.allCases.count) - 1)
    while known.nonzeroBitCount > max(channelCount, 1) {
      known &= ~(1 << UInt32(31 - known.leadingZeroBitCount))
    }
    if known == 0 || channelCount == 1 {
      self = .usual(channelCount)
    } else if known.nonzeroBitCount == channelCount {
      self.init(channelCount: channelCount, mask: known)
    } else {
      self = .discrete(channelCount)
    }
  }

  public var isNamed: Bool { mask != 0 }

  /// The channels in order; empty where they have no names.
  public var channels: [ChannelName] { ChannelName.allCases.filter { mask & $0.bit != 0 } }
}

extension ChannelLayout: CustomStringConvertible {
  /// The layouts that have names, by number of channels. `5.1` has its surround channels at the
  /// back, `5.1(side)` at the sides.
  package static let named: [(name: String, layout: ChannelLayout)] = [
    ("mono", 0x4), ("stereo", 0x3), ("2.1", 0xb), ("3.0", 0x7), ("3.1", 0xf), ("quad", 0x33),
    ("quad(side)", 0x603), ("4.0", 0x107), ("4.1", 0x10f), ("5.0", 0x37), ("5.0(side)", 0x607),
    ("5.1", 0x3f), ("5.1(side)", 0x60f), ("6.0", 0x707), ("6.1", 0x70f), ("7.0", 0x637),
    ("7.1", 0x63f), ("7.1(wide)", 0xff), ("5.1.2", 0x503f), ("7.1.4", 0x2d63f),
  ].map { name, mask in
    (name, ChannelLayout(channelCount: mask.nonzeroBitCount, mask: UInt32(mask)))
  }

  public init?(named name: String) {
    guard let found = ChannelLayout.named.first(where: { $0.name == name }) else { return nil }
    self = found.layout
  }

  /// `5.1`; `FL+FR+BC` where it has no name; `discrete(3)` where its channels have none.
  public var description: String {
    guard isNamed else { return "discrete(\(channelCount))" }
    return ChannelLayout.named.first { $0.layout == self }?.name
      ?? channels.map(\.label).joined(separator: "+")
  }
}
