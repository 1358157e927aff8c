import FxAudio
import FxEngine

extension SinkKind {
  /// The output that the caller binds: a file or standard output; without a binding, the device.
  static let output = SinkKind(
    EndpointSpec(
      "output", "Bound by the command line; `main` is `-o`.", .name("an output"),
      shorthands: ["output": "main"], channels: "as many as arrive", abilities: []),
    .bound)
}
