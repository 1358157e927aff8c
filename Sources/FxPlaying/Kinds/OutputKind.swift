import FxGraph

extension SinkKind {
  /// What the caller binds: a file, standard output, or the device where nothing is given.
  static let output = SinkKind(
    EndpointSpec(
      "output", "Bound by the command line; `main` is `-o`.", .name("an output"),
      shorthands: ["output": "main"], channels: "as many as arrive", abilities: []),
    .bound)
}
