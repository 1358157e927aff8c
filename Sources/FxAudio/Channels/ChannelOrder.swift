/// The channel order of a file format, where it differs from WAV.
package struct ChannelOrder: Sendable, Hashable {
  package let layout: ChannelLayout
  /// For each channel of the layout, its index in the file.
  package let places: [Int]

  /// Channels in the order of the file; nil for an empty list or a name given twice.
  package init?(_ channels: [ChannelName]) {
    guard let layout = ChannelLayout(channels) else { return nil }
    self.layout = layout
    places = layout.channels.compactMap { channels.firstIndex(of: $0) }
  }

  /// The order of WAV.
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
  /// The layout of this number of channels in FLAC (RFC 9639, section 9.1.3).
  package static func flac(_ channelCount: Int) -> ChannelLayout {
    let name: String? =
      switch channelCount {
      case 3: "3.0"
      case 7: "6.1"
      default: nil
      }
    return name.flatMap { ChannelLayout(named: $0) } ?? .usual(channelCount)
  }

  /// The same layout with side surrounds moved to the back, if it has no back channels: a format
  /// with one surround pair uses the two positions interchangeably.
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
