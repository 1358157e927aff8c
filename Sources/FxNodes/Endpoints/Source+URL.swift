// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// A sound, a station or a playlist that a web server sends, by its `http://` or `https://`
  /// address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - buffer: Live: seconds that are there before it plays, and again after a gap; default 3.
  ///     (0.1…60 s)
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - raw: Samples without a header: their coding, sample rate and channels, `"s16le,48000,2"`;
  ///     also the name of a layout, and `offset=` bytes to skip.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func url(
    _ address: String,
    id: String? = nil,
    buffer: Time? = nil,
    layout: LayoutName? = nil,
    raw: String? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("url", address.chainValue, id, fileID, line)
    made.set("buffer", buffer)
    made.set("layout", layout)
    made.set("raw", raw)
    return made
  }
}
