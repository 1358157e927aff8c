import FxAudio
package import FxFrames
package import FxGraph
package import FxMedia

/// A kind of source, declared once in a file of its own and listed in `SourceKind.all`.
package struct SourceKind: Sendable {
  package let spec: EndpointSpec
  package let nature: SourceNature
  let open: @Sendable (SourceEndpoint, SourceBindings) throws(IOError) -> OpenedSource

  init(
    _ spec: EndpointSpec, _ nature: SourceNature,
    open: @escaping @Sendable (SourceEndpoint, SourceBindings) throws(IOError) -> OpenedSource
  ) {
    self.spec = spec
    self.nature = nature
    self.open = open
  }
}

/// What the caller gives for the sources of a chain.
package struct SourceBindings: Sendable {
  /// Files by the name of the chain's input; `-` is standard input.
  package var paths: [String: String]
  /// A sound in place of an unbound input, a stream or a device; nil where there is none.
  package var substitute: @Sendable (SourceEndpoint) -> (any AudioSource)?
  /// True where a pass before the render reads them too: a pipe is copied to a file first.
  package var areReadTwice = false
  /// How streams are fetched, and who hears of them.
  package var streams = StreamSettings()
  /// Records how far opening is.
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
  /// The file or the address that a source reads, `-` for standard input; nil for any other.
  package func path(of endpoint: SourceEndpoint) -> String? {
    switch endpoint.nature {
    case .bound: paths[endpoint.target]
    case .file, .network: endpoint.target
    case .stream: endpoint.target.isEmpty ? "-" : nil
    case .device, .generated: nil
    }
  }
}

/// What opening a source gives.
package enum OpenedSource {
  /// A sound with a format of its own.
  case sound(any AudioSource)
  /// A sound that is made at whatever rate the chain has.
  case generator(SourceGenerator)
  /// What a sound device records while it plays; so many channels, or as many as the device has.
  case recording(channels: Int?)
}

/// Makes a sound at any rate.
package struct SourceGenerator: Sendable {
  package let channelCount: Int
  /// Seconds; nil for a sound without an end.
  package let duration: Double?
  /// The sound at so many frames a second.
  package let make: @Sendable (_ sampleRate: Double) throws(IOError) -> any AudioSource
}

extension SourceKind {
  /// Every kind that a chain may name, in the order of the reference page.
  package static let all: [SourceKind] = [
    .input, .file, .url, .standardInput, .signal, .silence, .device,
  ]

  /// Opens a source and reads its format.
  ///
  /// - Throws: `IOError` when it cannot be opened or is no sound, or when it is given up.
  package static func open(
    _ endpoint: SourceEndpoint, _ bindings: SourceBindings,
    _ limits: OpeningLimits = OpeningLimits()
  ) throws(IOError) -> OpenedSource {
    if let source = bindings.substitute(endpoint) { return .sound(source) }
    guard let kind = all.first(where: { $0.spec.key == endpoint.kind }) else {
      throw IOError(.notFound, endpoint.kind, "there is no such kind of source")
    }
    // What reads no file does not wait.
    guard let path = bindings.path(of: endpoint) else { return try kind.open(endpoint, bindings) }
    let name = path == "-" ? "standard input" : HTTPAddress(path)?.shown ?? path
    let monitor = OpeningMonitor()
    var monitored = bindings
    monitored.monitor = monitor
    return try limits.call(monitor) { () throws(IOError) in
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
