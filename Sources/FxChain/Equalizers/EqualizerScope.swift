package import FxAudio

/// To what a command of an equalizer text applies: the state that `Device`, `Stage` and `Channel`
/// have left.
package struct EqualizerScope: Equatable, Sendable {
  /// A stage of Equalizer APO. A sound that is played passes `preMix` and then `postMix`; a sound
  /// that is recorded passes `capture`.
  package enum Stage: String, CaseIterable, Sendable {
    case preMix = "pre-mix"
    case postMix = "post-mix"
    case capture
  }

  /// The pattern of a `Device` line; nil for every device.
  package var device: String?
  package var stages: Set<Stage> = [.postMix, .capture]
  package var channels = EqualizerChannels.all

  /// The state at the beginning of a file.
  package init() {}
}

/// The channels that a `Channel` line selects.
package enum EqualizerChannels: Equatable, Sendable {
  case all
  /// In the order of the line, each once.
  case some([ChannelSelection.Member])

  private static let names: [String: ChannelName] = [
    "l": .frontLeft, "left": .frontLeft, "r": .frontRight, "right": .frontRight,
    "c": .frontCentre, "lfe": .lowFrequency, "sub": .lowFrequency, "rl": .backLeft,
    "rr": .backRight, "rc": .backCentre, "sl": .sideLeft, "sr": .sideRight,
  ]

  /// Reads `L R`, `L, R`, `1 2 C` or `all`; throws the word that is no channel.
  package init(_ text: String) throws(Failure) {
    var members: [ChannelSelection.Member] = []
    var isAll = false
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" }) {
      let lower = word.lowercased()
      if lower == "all" {
        isAll = true
        continue
      }
      let member: ChannelSelection.Member
      if let name = Self.names[lower] {
        member = .name(name)
      } else if let number = Int(lower), (1...ChannelSelection.limit).contains(number) {
        member = .number(number)
      } else {
        throw Failure(.usage, "there is no channel '\(word)'")
      }
      if !members.contains(member) { members.append(member) }
    }
    guard isAll || !members.isEmpty else { throw Failure(.usage, "'Channel' names no channel") }
    self = isAll ? .all : .some(members)
  }

  /// The value of the option `channels` of a band. A channel that the sound does not have is left
  /// out, as in Equalizer APO.
  package var option: String {
    switch self {
    case .all: "all"
    case .some(let members): members.map { "\($0.label)?" }.joined(separator: " ")
    }
  }
}
