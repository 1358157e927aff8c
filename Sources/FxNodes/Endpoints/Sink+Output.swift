// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// Bound by the command line; `main` is `-o`.
  ///
  /// - Parameters:
  ///   - name: The name; `main` is the usual one.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - align: Live: false leaves the alignment out: a device plays as early as it can, and a file
  ///     keeps the round trip. Default true.
  ///   - channels: Channels; default: as many as arrive.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func output(
    _ name: String = "main",
    id: String? = nil,
    align: Bool? = nil,
    channels: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Sink {
    var made = Sink("output", name.chainValue, id, fileID, line)
    made.set("align", align)
    made.set("channels", channels)
    return made
  }
}
