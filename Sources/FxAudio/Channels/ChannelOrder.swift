/// The order in which a file format keeps its channels, where that is not the order of WAV.
package struct ChannelOrder: Sendable, Hashable {
  package let layout: ChannelLayout
  /// By channel of the layout: its number in the file.
  package let places: [Int]

  /// Channels in the order of the file; nil where one is named twice or none is.
  package init?(_ channels: [ChannelName]) {
    guard let layout = ChannelLayout(channels) else { return nil }
    self.layout = layout
    places = layout.channels.compactMap { channels.firstIndex(of: $0) }
  }

  /// Channels that stay where they are.
  package init(_ layout: ChannelLayout) {
    self.layout = layout
    places = Array(0..<layout.channelCount)
  }

  package var isStraight: Bool { places.indices.allSatisfy { places[$0] == $0 } }

  /// Ogg Vorbis and Opus of mapping family 1 (Vorbis I, section 4.3.9; RFC 7845, section 5.1.1.2).
  /// More than eight channels have no names.
  package static func vorbis(_ channelCount: Int) -> ChannelOrder {
    let channels: [ChannelName]? =
      switch channelCount {
      case 3: [.frontLeft, .frontCentre, .frontRight]
      case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
      case 5: [.frontLeft, .frontCentre, .frontRight, .backLeft, .backRight]
      case 6: [.frontLeft, .frontCentre, .frontRight, .backLeft, .backRight, .lowFrequency]
      case 7:
        [
          .frontLeft, .frontCentre, .frontRight, .sideLeft, .sideRight, .backCentre, .lowFrequency,
        ]
      case 8:
        [
          .frontLeft, .frontCentre, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight,
          .lowFrequency,
        ]
      default: nil
      }
    if let order = channels.flatMap({ ChannelOrder($0) }) { return order }
    return ChannelOrder(channelCount < 3 ? .usual(channelCount) : .discrete(channelCount))
  }
}

extension ChannelLayout {
  /// The layout that so many channels have in FLAC (RFC 9639, section 9.1.3).
  package static func flac(_ channelCount: Int) -> ChannelLayout {
    let name: String? =
      switch channelCount {
      case 3: "3.0"
      case 7: "6.1"
      default: nil
      }
    return name.flatMap { ChannelLayout(named: $0) } ?? .usual(channelCount)
  }

  /// The same with the surround channels at the back where they are at the side and none is at the
  /// back: a format that has one pair means either.
  package var withBackSurround: ChannelLayout {
    let (back, side): (Set<ChannelName>, [ChannelName]) = (
      [.backLeft, .backRight, .backCentre], [.sideLeft, .sideRight]
    )
    let channels = channels
    guard side.allSatisfy(channels.contains), back.isDisjoint(with: channels) else { return self }
    let moved = channels.map { name -> ChannelName in
      switch name {
      case .sideLeft: .backLeft
      case .sideRight: .backRight
      default: name
      }
    }
    return ChannelLayout(moved) ?? self
  }
}
