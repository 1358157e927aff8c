/// The channels of all inputs or outputs of a configuration.
///
/// A structure names channels, and may lead several of them to one channel of its device.
struct BruteFIRChannels {
  struct Channel {
    let name: String
    /// The channel of the sound, from 1.
    let place: Int
    /// Frames.
    let delay: Int
    let isMuted: Bool
  }

  private(set) var channels: [Channel] = []
  /// Channels of the sound.
  private(set) var width = 0

  /// - Parameter sections: the structures `input` or `output`.
  init(_ sections: [BruteFIRParser.Section]) {
    for section in sections { add(section) }
  }

  /// A channel by its name or number.
  subscript(name: String) -> Channel? {
    channels.first { $0.name == name }
      ?? Int(name).flatMap { channels.indices.contains($0) ? channels[$0] : nil }
  }

  /// True if each channel is one of the sound, and passes as it is.
  var isPlain: Bool {
    channels.count == width && channels.allSatisfy { $0.delay == 0 && !$0.isMuted }
  }

  /// The channels of links by their delay, the shortest first; those that are muted or silent are left out.
  ///
  /// - Parameters:
  ///   - links: the channels that a filter names.
  ///   - refusing: is called for a channel that there is not.
  func groups(
    of links: [BruteFIRLink], refusing: (String) -> Void
  ) -> [(delay: Int, members: [(link: BruteFIRLink, place: Int)])] {
    var groups: [Int: [(link: BruteFIRLink, place: Int)]] = [:]
    for link in links {
      guard let channel = self[link.name] else {
        refusing("no channel '\(link.name)'")
        continue
      }
      guard !channel.isMuted, link.factor != 0 else { continue }
      groups[channel.delay, default: []].append((link, channel.place))
    }
    return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private mutating func add(_ section: BruteFIRParser.Section) {
    let source = section.source
    let used = Self.used(source["channels"]) ?? section.names.count
    let mapping = Self.numbers(source["mapping"])
    let delays = Self.numbers(source["delay"])
    let mutes = BruteFIRParser.elements(source["mute"]?.text ?? "")
    for (index, name) in section.names.enumerated() {
      let place = mapping.count > index ? mapping[index] : index
      guard (0..<used).contains(place) else {
        source.turn(.notPossible("the channel '\(name)' is none of the device"))
        continue
      }
      channels.append(
        Channel(
          name: name, place: width + place + 1,
          delay: delays.count > index ? min(max(delays[index], 0), 100_000_000) : 0,
          isMuted: mutes.count > index && mutes[index] == "true"))
    }
    width += used
    readOthers(source, isInput: section.kind == "input")
  }

  /// The used channels of a device: those after the slash of `26/24,25`, or all.
  private static func used(_ source: SourceValue?) -> Int? {
    guard let source, let text = source.text else { return nil }
    let parts = BruteFIRParser.split(text, at: "/")
    guard parts.count == 2 else {
      let count = parts.first.flatMap { Int($0) }
      guard let count, (1...256).contains(count) else {
        source.turn(.notPossible("1 to 256 channels are expected here"))
        return 0
      }
      return count
    }
    source.turn(.translated("the chain has the channels that are used, in their order"))
    return BruteFIRParser.elements(parts[1]).count
  }

  private static func numbers(_ source: SourceValue?) -> [Int] {
    guard let source, let text = source.text else { return [] }
    let numbers = BruteFIRParser.elements(text).map { Int($0) }
    guard !numbers.contains(nil) else {
      source.turn(.notPossible("whole numbers are expected here"))
      return []
    }
    return numbers.compactMap { $0 }
  }

  private func readOthers(_ source: SourceValue, isInput: Bool) {
    source["device"]?.settle(
      .translated("the command line of fxrun names input and output, or \"source\" and \"sink\""))
    source["sample"]?.settle(.translated("fxrun reads the format from the file or the device"))
    for key in ["maxdelay", "individual_maxdelay", "merge"] {
      source[key]?.settle(.translated("for changes while BruteFIR runs"))
    }
    if let delay = source["subdelay"], let text = delay.text {
      let isSet = BruteFIRParser.elements(text).contains { abs(Int($0) ?? 0) < 100 && Int($0) != 0 }
      if isSet { delay.turn(.notPossible("fxrun delays by whole frames")) }
    }
    if source["dither"]?.flag == true {
      source["dither"]?.turn(
        .approximated("fxrun adds dither where it writes 16 bits: \"dither\" of the sink"))
    }
  }
}
