import FxFrames
import FxGraph
import FxMedia

extension SourceKind {
  static let standardInput = SourceKind(
    EndpointSpec(
      "stdin", "Standard input, in any format that a file may have.", .presence,
      shorthands: ["stdin": "", "-": ""], options: [EndpointSpec.layout], channels: "its own",
      abilities: []),
    .stream
  ) { _, bindings throws(IOError) in
    .sound(try FileSource.open("-", bindings.monitor, isReadTwice: bindings.areReadTwice))
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
