import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  static let silence = SourceKind(
    EndpointSpec(
      "null", "Silence without an end.", .presence, shorthands: ["null": ""],
      options: [
        OptionSpec(
          "channels", "How many; default 2.", .integer(EndpointSpec.channelCounts),
          default: .number(2)),
        EndpointSpec.layout,
      ], channels: "`channels`, 2 by default", abilities: [.seek],
      conflict: EndpointSpec.layoutConflict),
    .generated
  ) { endpoint, _ throws(Failure) in
    let channels = endpoint.channels ?? 2
    return .generator(
      SourceGenerator(channelCount: channels, duration: nil) { conversion throws(Failure) in
        NullSource(format: StreamFormat(sampleRate: conversion.rate, channelCount: channels))
      })
  }
}

extension SinkKind {
  static let discarded = SinkKind(
    EndpointSpec(
      "null", "Rendered and discarded.", .presence, shorthands: ["null": ""],
      channels: "as many as arrive", abilities: []),
    .discarded)
}
