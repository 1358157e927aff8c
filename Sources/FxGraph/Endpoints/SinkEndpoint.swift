package import FxAudio

/// What writing a sink takes, whatever its kind.
package enum SinkNature: Sendable, Hashable {
  /// The caller says what it is: a file, or a device where nothing is given.
  case bound
  /// A file.
  case file
  /// Bytes that somebody else receives.
  case stream
  /// Played on a sound device.
  case device
  /// Rendered and discarded.
  case discarded
}

/// Where a sink node's audio goes.
package struct SinkEndpoint: Sendable, Hashable {
  /// The key of its kind.
  package let kind: String
  package let nature: SinkNature
  /// What stands behind the key: a name, a path, a device; empty where the key says it all.
  package var target: String
  /// Options that were given or have a default.
  package var options: [String: OptionValue]

  package init(
    kind: String, nature: SinkNature, target: String = "", options: [String: OptionValue] = [:]
  ) {
    self.kind = kind
    self.nature = nature
    self.target = target
    self.options = options
  }

  /// An output of the chain, bound by the command line (`--output name=…`) or by the caller of the
  /// library.
  package static func output(_ name: String) -> SinkEndpoint {
    SinkEndpoint(kind: "output", nature: .bound, target: name)
  }

  package static func file(_ path: String, _ encoding: FileEncoding) -> SinkEndpoint {
    SinkEndpoint(kind: "file", nature: .file, target: path, options: encoding.options)
  }

  /// For an output that nothing hears.
  package static let discarded = SinkEndpoint(kind: "null", nature: .discarded)

  /// The name of an output that the caller binds; nil for any other sink.
  package var outputName: String? { nature == .bound ? target : nil }

  /// The file that the chain names; nil for any other sink.
  package var path: String? { nature == .file ? target : nil }

  /// True for a sound device that is to set the pace.
  package var setsPace: Bool { options["clock"] == .flag(true) }

  /// How its samples are written, where they are.
  package var encoding: FileEncoding { FileEncoding(options) }

  /// As goldens name it: an output by its name, a file without its folder.
  package var words: String {
    endpointWords(kind, target, isBound: nature == .bound, isFile: nature == .file)
  }
}
