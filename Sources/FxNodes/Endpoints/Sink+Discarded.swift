// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// Rendered and discarded.
  ///
  /// - Parameters:
  ///   - id: The id of the node; nil for an automatic one.
  ///   - align: Live: false leaves the alignment out: a device plays as early as it can, and a file
  ///     keeps the round trip. Default true.
  ///   - channels: Channels; default: as many as arrive.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func discarded(
    id: String? = nil,
    align: Bool? = nil,
    channels: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Sink {
    var made = Sink("null", true, id, fileID, line)
    made.set("align", align)
    made.set("channels", channels)
    return made
  }
}
