/// Channels of a signal by position or by number, as a text: `FL FR`, `3`, `LFE?`.
///
/// A channel with a question mark may be missing in the signal.
package struct ChannelSelection: Sendable, Hashable {
  package enum Member: Sendable, Hashable {
    case name(ChannelName)
    /// From 1.
    case number(Int)
  }

  package struct Entry: Sendable, Hashable {
    package let member: Member
    package let mayBeMissing: Bool
  }

  package let entries: [Entry]

  /// The highest number of a channel.
  package static let limit = 256

  /// nil for a text without a channel, or with a word that is none.
  package init?(_ text: String) {
    var entries: [Entry] = []
    for word in text.split(separator: " ") {
      let mayBeMissing = word.hasSuffix("?")
      let plain = mayBeMissing ? word.dropLast() : word
      let member: Member
      if let name = ChannelName.allCases.first(where: { $0.label == plain.uppercased() }) {
        member = .name(name)
      } else if let number = Int(plain), (1...Self.limit).contains(number) {
        member = .number(number)
      } else {
        return nil
      }
      entries.append(Entry(member: member, mayBeMissing: mayBeMissing))
    }
    guard !entries.isEmpty else { return nil }
    self.entries = entries
  }

  /// The channels of a layout, ascending and each once, and the entries that it does not have.
  package func resolved(in layout: ChannelLayout) -> (channels: [Int], missing: [Entry]) {
    var channels: Set<Int> = []
    var missing: [Entry] = []
    for entry in entries {
      if let channel = channel(entry.member, in: layout) {
        channels.insert(channel)
      } else {
        missing.append(entry)
      }
    }
    return (channels.sorted(), missing)
  }

  private func channel(_ member: Member, in layout: ChannelLayout) -> Int? {
    switch member {
    case .number(let number): return number <= layout.channelCount ? number - 1 : nil
    case .name(let name):
      if layout.channelCount == 1 {
        // The left and the right side together are the whole of a mono signal.
        let names = Set(entries.map(\.member))
        let isWhole = names.isSuperset(of: [.name(.frontLeft), .name(.frontRight)])
        return name == .frontCentre || isWhole && name.isFrontSide ? 0 : nil
      }
      // Channels without names are those of the usual layout, if their number has one.
      let named = layout.isNamed ? layout : .usual(layout.channelCount)
      let channels = named.channels
      return channels.firstIndex(of: name)
        ?? name.otherSurround.flatMap { channels.firstIndex(of: $0) }
    }
  }
}

extension ChannelSelection.Member {
  /// `FL`, `3`.
  package var label: String {
    switch self {
    case .name(let name): name.label
    case .number(let number): "\(number)"
    }
  }
}

extension ChannelName {
  fileprivate var isFrontSide: Bool { self == .frontLeft || self == .frontRight }

  /// Where a signal has only one pair of surround channels, back and side mean the same.
  fileprivate var otherSurround: ChannelName? {
    switch self {
    case .backLeft: .sideLeft
    case .backRight: .sideRight
    case .sideLeft: .backLeft
    case .sideRight: .backRight
    default: nil
    }
  }
}
