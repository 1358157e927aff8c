// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// A schedule of regions: pieces of files, after one another or at their times.
  ///
  /// - Parameters:
  ///   - regions: The pieces of files.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - endless: True for silence behind the last region, without an end: regions may be queued
  ///     while it plays.
  ///   - channels: How many; default: as many as the widest region has. (1…256)
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func player(
    _ regions: [Region],
    id: String? = nil,
    endless: Bool? = nil,
    channels: Int? = nil,
    layout: LayoutName? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("player", regions.chainValue, id, fileID, line)
    made.set("endless", endless)
    made.set("channels", channels)
    made.set("layout", layout)
    return made
  }
}
