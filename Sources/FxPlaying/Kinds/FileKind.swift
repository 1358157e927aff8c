import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  static let file = SourceKind(
    EndpointSpec(
      "file", "An audio file, a playlist or a CUE sheet, relative to the chain's folder.", .path,
      options: [EndpointSpec.layout, RawFormat.spec] + SilenceCut.specs, channels: "its own",
      abilities: [.seek, .loop, .knownLength], isRegion: true,
      conflict: { RawFormat.conflict($0) ?? SilenceCut.conflict($0) }),
    .file
  ) { endpoint, bindings throws(Failure) in
    guard !endpoint.isEdited else {
      return try .piece(of: endpoint.target, endpoint, bindings)
    }
    return .sound(
      try FileSource.open(
        endpoint.target, raw: RawFormat(endpoint.options), bindings.monitor, bindings.streams))
  }
}

extension SinkKind {
  static let file = SinkKind(
    EndpointSpec(
      "file", "A file to write, relative to the current folder.", .path,
      options: FileEncoding.specs + SplitRule.specs + RecordingRule.specs,
      channels: "as many as arrive",
      abilities: [],
      conflict: { FileEncoding.conflict($0) ?? RecordingRule.conflict($0) }),
    .file)
}
