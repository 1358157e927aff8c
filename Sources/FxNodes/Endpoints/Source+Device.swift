// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// A sound device to record from, such as `default`.
  ///
  /// - Parameters:
  ///   - name: The name of the device.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - channels: How many; default: the device's. (1…256)
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - clock: Whether its clock sets the pace; the other devices are resampled. Default: that of
  ///     the first one that is played on, or else recorded.
  ///   - hardwareLatency: Latency of converters and cables that drivers do not report; it is
  ///     removed from recordings. (0…1 s)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func device(
    _ name: String = "default",
    id: String? = nil,
    channels: Int? = nil,
    layout: LayoutName? = nil,
    clock: Bool? = nil,
    hardwareLatency: Time? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("alsa", name.chainValue, id, fileID, line)
    made.set("channels", channels)
    made.set("layout", layout)
    made.set("clock", clock)
    made.set("hardwareLatency", hardwareLatency)
    return made
  }
}
