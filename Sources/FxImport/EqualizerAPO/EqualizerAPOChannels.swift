import FxAudio
import FxChain

/// The channels of a device, by the names of Equalizer APO.
///
/// A configuration does not say how many there are: two, unless it names others.
struct EqualizerAPOChannels {
  private static let layouts: [[ChannelName]] = [
    [.frontLeft, .frontRight],
    [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight],
    [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .sideLeft, .sideRight],
    [
      .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .sideLeft,
      .sideRight,
    ],
  ]

  private let names: [ChannelName]
  let width: Int

  init(_ members: Set<ChannelSelection.Member>) {
    var named: Set<ChannelName> = []
    var highest = 0
    for member in members {
      switch member {
      case .name(let name): named.insert(name)
      case .number(let number): highest = max(highest, number)
      }
    }
    let fitting = Self.layouts.first { $0.count >= highest && named.isSubset(of: $0) }
    names = fitting ?? Self.layouts[3]
    width = max(names.count, highest)
  }

  /// The channel from 0; nil for one that the device does not have.
  func index(_ member: ChannelSelection.Member) -> Int? {
    switch member {
    case .name(let name): names.firstIndex(of: name)
    case .number(let number): number <= width ? number - 1 : nil
    }
  }
}
