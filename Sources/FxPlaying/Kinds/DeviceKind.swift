import FxAudio
import FxEngine

extension SourceKind {
  static let device = SourceKind(
    EndpointSpec(
      "alsa", "A sound device to record from, such as `default`.", .text(usual: "default"),
      shorthands: ["alsa": "default"],
      options: [
        OptionSpec(
          "channels", "How many; default: the device's.", .integer(EndpointSpec.channelCounts),
          default: nil),
        EndpointSpec.layout, EndpointSpec.clock,
        OptionSpec(
          "hardwareLatency",
          "Latency of converters and cables that drivers do not report; it is removed from recordings.",
          .number(.seconds, 0...1), default: nil),
      ], channels: "`channels`, or the device's", abilities: [.live, .paced],
      conflict: EndpointSpec.layoutConflict),
    .device
  ) { endpoint, _ throws(Failure) in
    .recording(channels: endpoint.channels)
  }
}

extension SinkKind {
  static let device = SinkKind(
    EndpointSpec(
      "alsa", "A playback device by name, such as `default`.", .text(usual: "default"),
      shorthands: ["alsa": "default"], options: [EndpointSpec.clock],
      channels: "as many as arrive, at least 2",
      abilities: [.live, .paced]),
    .device)
}

extension EndpointSpec {
  static let clock = OptionSpec(
    "clock",
    "Whether its clock sets the pace; the other devices are resampled. Default: that of the first one that is played on, or else recorded.",
    .flag, default: nil)
}
