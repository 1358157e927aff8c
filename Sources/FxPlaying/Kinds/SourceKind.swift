package import FxAudio
import FxEngine
package import FxMedia

/// A kind of source, declared once in a file of its own and listed in `SourceKind.all`.
package struct SourceKind: Sendable {
  package let spec: EndpointSpec
  package let nature: SourceNature
  let open: @Sendable (SourceEndpoint, SourceBindings) throws(Failure) -> OpenedSource

  init(
    _ spec: EndpointSpec, _ nature: SourceNature,
    open: @escaping @Sendable (SourceEndpoint, SourceBindings) throws(Failure) -> OpenedSource
  ) {
    self.spec = spec
    self.nature = nature
    self.open = open
  }
}

/// The files, sounds and settings that the caller supplies for the sources of a chain.
package struct SourceBindings: Sendable {
  /// Files by the name of the chain's input; `-` is standard input.
  package var paths: [String: String]
  /// A sound that replaces an unbound input, a stream or a device; nil if there is none.
  package var substitute: @Sendable (SourceEndpoint) -> (any AudioSource)?
  /// True if a pass before the render also reads the sources: a pipe is copied to a file first.
  package var areReadTwice = false
  /// The formats of inputs without a header, by name.
  package var raw: [String: RawFormat] = [:]
  /// How streams are fetched, and who is notified of their events.
  package var streams = StreamSettings()
  /// Records the progress of opening.
  var monitor: OpeningMonitor?

  package init(
    paths: [String: String] = [:],
    substitute: @escaping @Sendable (SourceEndpoint) -> (any AudioSource)? = { _ in nil }
  ) {
    self.paths = paths
    self.substitute = substitute
  }
}

extension SourceBindings {
  /// The file or the address that a source reads; `-` for standard input; nil for other sources.
  package func path(of endpoint: SourceEndpoint) -> String? {
    switch endpoint.nature {
    case .bound: paths[endpoint.target]
    case .file, .network: endpoint.target
    case .stream: endpoint.target.isEmpty ? "-" : nil
    case .device, .generated, .schedule: nil
    }
  }

  /// The format of a source without a header; nil if the content decides. For an input, the
  /// caller's goes before the chain's.
  package func raw(of endpoint: SourceEndpoint) -> RawFormat? {
    (endpoint.nature == .bound ? raw[endpoint.target] : nil) ?? RawFormat(endpoint.options)
  }

  /// The files that a source reads.
  package func paths(of endpoint: SourceEndpoint) -> [String] {
    endpoint.nature == .schedule ? endpoint.paths : path(of: endpoint).map { [$0] } ?? []
  }
}

/// The result of opening a source.
package enum OpenedSource {
  /// A sound with its own format.
  case sound(any AudioSource)
  /// A sound that can be made at any sample rate.
  case generator(SourceGenerator)
  /// The recording of a sound device; `channels` is nil for all channels of the device.
  case recording(channels: Int?)
}

/// Makes a sound at any rate.
package struct SourceGenerator: Sendable {
  package let layout: ChannelLayout
  /// Seconds; nil for a sound without an end.
  package let duration: Double?
  /// The best sample rate to make it at; nil if all are equally good.
  package var sampleRate: Double?
  /// Mistakes in the regions that it plays.
  package var mistakes: [RegionMistake] = []
  /// Makes the sound at a rate; files are converted with the given quality.
  package let make: @Sendable (RateConversion) throws(Failure) -> any AudioSource

  init(
    layout: ChannelLayout, duration: Double?,
    make: @escaping @Sendable (RateConversion) throws(Failure) -> any AudioSource
  ) {
    self.layout = layout
    self.duration = duration
    self.make = make
  }

  /// In the usual layout for this number of channels.
  init(
    channelCount: Int, duration: Double?,
    make: @escaping @Sendable (RateConversion) throws(Failure) -> any AudioSource
  ) {
    self.init(layout: .usual(channelCount), duration: duration, make: make)
  }
}

extension SourceKind {
  /// Every kind that a chain may name, in the order of the reference page.
  package static let all: [SourceKind] = [
    .input, .file, .url, .standardInput, .player, .signal, .silence, .device,
  ]

  /// Opens a source and reads its format.
  ///
  /// - Throws: `Failure` when the source cannot be opened or is not a sound, or when opening takes
  ///   too long or is stopped.
  package static func open(
    _ endpoint: SourceEndpoint, _ bindings: SourceBindings,
    _ limits: OpeningLimits = OpeningLimits()
  ) throws(Failure) -> OpenedSource {
    if let source = bindings.substitute(endpoint) {
      guard !endpoint.isEdited || source.isSeekable else {
        throw Failure(
          .unreadable, source.name,
          "the chain says where it begins, and what is pushed or pulled cannot go back")
      }
      if let cut = SilenceCut(endpoint.options), source.frameCount != nil {
        return try .cut(cut, endpoint, source, again: bindings.substitute)
      }
      return endpoint.regions.isEmpty
        ? .sound(source) : try .piece(of: endpoint, source, again: bindings.substitute)
    }
    guard let kind = all.first(where: { $0.spec.key == endpoint.kind }) else {
      throw Failure(.notFound, endpoint.kind, "there is no such kind of source")
    }
    // A source without a file needs no time limit.
    let path = bindings.path(of: endpoint)
    guard path != nil || endpoint.nature == .schedule else {
      return try kind.open(endpoint, bindings)
    }
    let name =
      path == "-" ? "standard input" : path.map { HTTPAddress($0)?.shown ?? $0 } ?? endpoint.kind
    let monitor = OpeningMonitor()
    var monitored = bindings
    monitored.monitor = monitor
    return try limits.call(monitor) { () throws(Failure) in
      try kind.open(endpoint, monitored)
    } givingUp: {
      limits.failure(name, $0, monitor)
    }
  }
}

extension EndpointCatalog {
  /// The kinds of source and sink that fxrun has.
  package static let all = EndpointCatalog(
    sources: SourceKind.all.map { ($0.spec, $0.nature) },
    sinks: SinkKind.all.map { ($0.spec, $0.nature) })
}
