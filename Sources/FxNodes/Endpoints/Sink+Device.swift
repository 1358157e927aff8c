// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// A playback device by name, such as `default`.
  ///
  /// - Parameters:
  ///   - name: The name of the device.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - clock: Whether its clock sets the pace; the other devices are resampled. Default: that of
  ///     the first one that is played on, or else recorded.
  ///   - align: Live: false leaves the alignment out: a device plays as early as it can, and a file
  ///     keeps the round trip. Default true.
  ///   - channels: Channels; default: as many as arrive.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func device(
    _ name: String = "default",
    id: String? = nil,
    clock: Bool? = nil,
    align: Bool? = nil,
    channels: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Sink {
    var made = Sink("alsa", name.chainValue, id, fileID, line)
    made.set("clock", clock)
    made.set("align", align)
    made.set("channels", channels)
    return made
  }
}
