package import FxAudio

extension CueSheet {
  /// The text of a sheet for a sound file.
  ///
  /// - Throws: `Failure` for more tracks than a sheet can have, and for a name that it cannot have.
  package static func text(
    _ chapters: [SoundTags.Chapter], sound: String, _ tags: SoundTags
  ) throws(Failure) -> String {
    guard chapters.count <= trackLimit else {
      throw Failure(
        .outOfRange,
        "a CUE sheet has \(trackLimit) tracks at most, and the sound \(chapters.count) chapters; "
          + "write .json or .txt")
    }
    guard !sound.contains("\""), !sound.contains(where: \.isNewline) else {
      throw Failure(
        .outOfRange,
        "a CUE sheet cannot name the sound '\(ForeignText.visible(sound))'; write .json or .txt, or give the "
          + "output another name")
    }
    var lines: [String] = []
    for key in ["genre", "date"] {
      if let text = tags[key] { lines.append("REM \(key.uppercased()) \(quoted(text))") }
    }
    if let artist = tags["albumartist"] ?? tags["artist"] {
      lines.append("PERFORMER \(quoted(artist))")
    }
    if let album = tags["album"] ?? tags["title"] { lines.append("TITLE \(quoted(album))") }
    let format = FileFormat(path: sound)
    let kind = format == .mp3 ? "MP3" : format == .aiff ? "AIFF" : "WAVE"
    lines.append("FILE \(quoted(sound)) \(kind)")
    for (index, chapter) in chapters.enumerated() {
      lines.append("  TRACK \(index < 9 ? "0" : "")\(index + 1) AUDIO")
      if !chapter.title.isEmpty { lines.append("    TITLE \(quoted(chapter.title))") }
      if let artist = chapter.texts["artist"] { lines.append("    PERFORMER \(quoted(artist))") }
      if let code = chapter.texts["isrc"] { lines.append("    ISRC \(code[...].plain)") }
      let start = ChapterTime.sheetFrames(chapter.start)
      if index == 0, start > 0 { lines.append("    INDEX 00 00:00:00") }
      lines.append("    INDEX 01 \(ChapterTime.sheetText(start))")
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  /// The most tracks of a sheet that is written.
  private static let trackLimit = 99

  /// A sheet has no way to write a quote in a text.
  private static func quoted(_ text: String) -> String {
    "\"\(text[...].plain.replacing("\"", with: "'"))\""
  }
}
