import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  static let standardInput = SourceKind(
    EndpointSpec(
      "stdin", "Standard input, in any format that a file may have.", .presence,
      shorthands: ["stdin": "", "-": ""], options: [EndpointSpec.layout, RawFormat.spec],
      channels: "its own", abilities: [],
      conflict: { RawFormat.conflict($0) ?? EndpointSpec.layoutConflict($0) }),
    .stream
  ) { endpoint, bindings throws(Failure) in
    .sound(
      try FileSource.open(
        "-", raw: RawFormat(endpoint.options), bindings.monitor,
        isReadTwice: bindings.areReadTwice))
  }
}

extension SinkKind {
  static let standardOutput = SinkKind(
    EndpointSpec(
      "stdout", "WAV on standard output.", .presence, shorthands: ["stdout": "", "-": ""],
      options: FileEncoding.specs, channels: "as many as arrive", abilities: [],
      conflict: FileEncoding.conflict),
    .stream)
}
