package import FxAudio

/// What reading a source takes, whatever its kind.
package enum SourceNature: Sendable, Hashable {
  /// The caller says what it is: a file, a pipe, or a device where nothing is given.
  case bound
  /// A file.
  case file
  /// Bytes that somebody else sends: a length that shows at the end, and no way back.
  case stream
  /// Fetched from a server.
  case network
  /// Recorded from a sound device.
  case device
  /// Made by fxrun, at any rate.
  case generated
  /// Pieces of files, put together at any rate.
  case schedule
}

/// Where a source node's audio comes from.
package struct SourceEndpoint: Sendable, Hashable {
  /// The key of its kind.
  package let kind: String
  package let nature: SourceNature
  /// What stands behind the key: a name, a path, a device; empty where the key says it all.
  package var target: String
  /// Options that were given or have a default.
  package var options: [String: OptionValue]
  /// What a player plays; of a file or an input the one region that it is, where the chain says more
  /// than its name.
  package var regions: [PlayerRegion] = []

  package init(
    kind: String, nature: SourceNature, target: String = "", options: [String: OptionValue] = [:]
  ) {
    self.kind = kind
    self.nature = nature
    self.target = target
    self.options = options
  }

  /// An input of the chain, bound by the command line (`--input name=…`) or by the caller of the
  /// library.
  package static func input(_ name: String) -> SourceEndpoint {
    SourceEndpoint(kind: "input", nature: .bound, target: name)
  }

  package static func file(_ path: String) -> SourceEndpoint {
    SourceEndpoint(kind: "file", nature: .file, target: path)
  }

  /// True where the chain says more of the sound than where it is.
  package var isEdited: Bool { !regions.isEmpty || options["cutSilence"] != nil }

  /// The name of an input that the caller binds; nil for any other source.
  package var inputName: String? { nature == .bound ? target : nil }

  /// The file that the chain names; nil for any other source.
  package var path: String? { nature == .file ? target : nil }

  /// The files that the chain names here.
  package var paths: [String] {
    nature == .schedule ? regions.map(\.file) : path.map { [$0] } ?? []
  }

  /// Channels that the chain asks for; nil where the source has its own.
  package var channels: Int? {
    // A layout without names has any number of channels.
    if let layout = options.layout(of: 0), layout.isNamed { return layout.channelCount }
    return options.integer("channels")
  }

  /// True for a sound device that is to set the pace.
  package var setsPace: Bool { options["clock"] == .flag(true) }

  /// What the chain says that so many channels are for; nil where it does not.
  package func layout(of channelCount: Int) -> ChannelLayout? { options.layout(of: channelCount) }

  /// As goldens name it: an input by its name, a file without its folder.
  package var words: String {
    endpointWords(kind, target, isBound: nature == .bound, isFile: nature == .file)
  }
}

extension [String: OptionValue] {
  package func number(_ key: String) -> Double? {
    if case .number(let number)? = self[key] { number } else { nil }
  }

  package func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0) } }

  /// The layout that is chosen for so many channels; nil for none.
  package func layout(of channelCount: Int) -> ChannelLayout? {
    guard case .text(let name)? = self["layout"] else { return nil }
    return ChannelLayout(named: name) ?? .discrete(channelCount)
  }

  package func text(_ key: String) -> String? {
    if case .text(let text)? = self[key] { text } else { nil }
  }

  package func flag(_ key: String) -> Bool? {
    if case .flag(let flag)? = self[key] { flag } else { nil }
  }
}

func endpointWords(_ kind: String, _ target: String, isBound: Bool, isFile: Bool) -> String {
  if isBound { return target }
  if isFile { return "\(kind) \(target.split(separator: "/").last ?? "")" }
  return target.isEmpty ? kind : "\(kind) \(target)"
}
