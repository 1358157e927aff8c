import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  /// The shorthand is the address with its scheme.
  static let url = SourceKind(
    EndpointSpec(
      "url",
      "A sound, a station or a playlist that a web server sends, by its `http://` or `https://` address.",
      .address,
      options: [
        OptionSpec(
          "buffer",
          "Live: seconds that are there before it plays, and again after a gap; default 3.",
          .number(.seconds, StreamSettings.bufferSeconds), default: nil),
        EndpointSpec.layout, RawFormat.spec,
      ], channels: "its own", abilities: [.seek, .loop, .knownLength],
      conflict: { RawFormat.conflict($0) ?? EndpointSpec.layoutConflict($0) }),
    .network
  ) { endpoint, bindings throws(Failure) in
    .sound(
      try FileSource.open(
        endpoint.target, raw: RawFormat(endpoint.options), bindings.monitor,
        isReadTwice: bindings.areReadTwice, bindings.streams))
  }
}
