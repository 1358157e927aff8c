// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// Standard input, in any format that a file may have.
  ///
  /// - Parameters:
  ///   - id: The id of the node; nil for an automatic one.
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - raw: Samples without a header: their coding, sample rate and channels, `"s16le,48000,2"`;
  ///     also the name of a layout, and `offset=` bytes to skip.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func standardInput(
    id: String? = nil,
    layout: LayoutName? = nil,
    raw: String? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("stdin", true, id, fileID, line)
    made.set("layout", layout)
    made.set("raw", raw)
    return made
  }
}
