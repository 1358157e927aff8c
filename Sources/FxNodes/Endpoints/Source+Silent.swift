// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// Silence without an end.
  ///
  /// - Parameters:
  ///   - id: The id of the node; nil for an automatic one.
  ///   - channels: How many; default 2. (1…256; default 2)
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func silent(
    id: String? = nil,
    channels: Int? = nil,
    layout: LayoutName? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("null", true, id, fileID, line)
    made.set("channels", channels)
    made.set("layout", layout)
    return made
  }
}
