/// How a sink is written, whatever its kind.
package enum SinkNature: Sendable, Hashable {
  /// The caller chooses: a file, or a device if nothing is given.
  case bound
  /// A file.
  case file
  /// Bytes for another program to receive.
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
  /// The value of the kind's key: a name, a path, a device; empty if the key is enough.
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

  /// An output of the chain, set on the command line (`--output name=…`) or by the caller of the
  /// library.
  package static func output(_ name: String) -> SinkEndpoint {
    SinkEndpoint(kind: "output", nature: .bound, target: name)
  }

  package static func file(_ path: String, _ encoding: FileEncoding) -> SinkEndpoint {
    SinkEndpoint(kind: "file", nature: .file, target: path, options: encoding.options)
  }

  /// For an output whose samples are dropped.
  package static let discarded = SinkEndpoint(kind: "null", nature: .discarded)

  /// The name of an output that the caller sets; nil for any other sink.
  package var outputName: String? { nature == .bound ? target : nil }

  /// The file named in the chain; nil for any other sink.
  package var path: String? { nature == .file ? target : nil }

  /// True for a sound device that the chain chooses as the clock.
  package var setsPace: Bool { options["clock"] == .flag(true) }

  /// The encoding of its samples.
  package var encoding: FileEncoding { FileEncoding(options) }

  /// The name in goldens: an output's name, a file without its folder.
  package var words: String {
    endpointWords(kind, target, isBound: nature == .bound, isFile: nature == .file)
  }
}
