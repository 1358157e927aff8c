import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  /// The input that the caller binds: a file, an address or standard input; without a binding, the
  /// device.
  static let input = SourceKind(
    EndpointSpec(
      "input", "Bound by the command line; `main` is the first argument.", .name("an input"),
      shorthands: ["input": "main"],
      options: [EndpointSpec.layout, RawFormat.spec] + SilenceCut.specs,
      channels: "its file's", abilities: [.seek, .loop, .knownLength], isRegion: true,
      conflict: { RawFormat.conflict($0) ?? SilenceCut.conflict($0) }),
    .bound
  ) { endpoint, bindings throws(Failure) in
    guard let path = bindings.paths[endpoint.target] else { return .recording(channels: nil) }
    guard !path.isEmpty else {
      throw Failure(
        .notFound, path, "the name of the file for the input '\(endpoint.target)' is empty")
    }
    guard !endpoint.isEdited else { return try .piece(of: path, endpoint, bindings) }
    return .sound(
      try FileSource.open(
        path, raw: bindings.raw(of: endpoint), bindings.monitor,
        isReadTwice: bindings.areReadTwice, bindings.streams))
  }
}
