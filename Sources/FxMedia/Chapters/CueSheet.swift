package import FxAudio

/// A CUE sheet: the tracks of one or several sound files. Times are `mm:ss:ff`, where 75 frames make
/// a second; at 44.1 kHz such a frame has exactly 588 samples.
///
/// A track begins at its INDEX 01, so that the pause before it (INDEX 00) belongs to the track
/// before. PREGAP and POSTGAP are silence that the files do not have, and are ignored.
///
/// Source: the manual of CDRWIN 3.8, appendix A; commands that it does not name are ignored.
package struct CueSheet: Sendable {
  package struct File: Sendable, Hashable {
    /// The name as the sheet has it.
    package var reference: String
    /// `WAVE`, `BINARY` …, in upper case.
    package var kind: String
    package var line: Int
  }

  package struct Track: Sendable {
    package var number: Int
    /// The index of its file; nil in a sheet within a sound.
    package var file: Int?
    /// Frames of the sheet from the file's start.
    package var start: Int
    /// In lower case: `title`, `artist`, `isrc`.
    package var texts: [String: String]
  }

  package private(set) var files: [File] = []
  package private(set) var tracks: [Track] = []
  /// Tags of the whole, in lower case: `album`, `albumartist`, `artist`, `genre`, `date`.
  package private(set) var texts: [String: String] = [:]

  /// The most bytes of a sheet.
  package static let byteLimit = 1 << 20

  /// - Parameter isEmbedded: the sheet is a tag of the sound, so that it needs no FILE.
  /// - Throws: `Failure` for a sheet that cannot be followed, with the number of the line.
  package init(_ bytes: [UInt8], isEmbedded: Bool = false) throws(Failure) {
    guard bytes.count <= Self.byteLimit else {
      throw Failure(.damaged, "a CUE sheet has \(Self.byteLimit >> 20) MB at most")
    }
    guard let lines = TextLines(bytes) else { throw Failure(.damaged, "it is no text") }
    var open: OpenTrack?
    for line in lines {
      let (command, rest) = Self.split(line.text)
      switch command {
      case "FILE": try addFile(rest, line)
      case "TRACK":
        try close(open)
        open = try OpenTrack(rest, line)
      case "INDEX":
        guard open != nil else { throw line.mistake("INDEX stands before the first TRACK") }
        guard isEmbedded || !files.isEmpty else {
          throw line.mistake("INDEX stands before the first FILE, which names the sound")
        }
        try open?.addIndex(rest, line, file: files.indices.last)
      case "REM":
        let (key, value) = Self.split(rest)
        if ["GENRE", "DATE", "COMPOSER", "DISCNUMBER"].contains(key) { set(key, value, &open) }
      case "TITLE", "PERFORMER", "SONGWRITER", "ISRC": set(command, rest, &open)
      default: continue
      }
    }
    try close(open)
    guard !tracks.isEmpty else { throw Failure(.damaged, "the CUE sheet has no TRACK of sound") }
  }

  /// True for a text with a line that only a CUE sheet has: `FILE "name" WAVE` or `TRACK 01 AUDIO`.
  package static func matches(_ bytes: [UInt8]) -> Bool {
    guard let lines = TextLines(bytes) else { return false }
    return lines.contains { line in
      let (command, rest) = split(line.text)
      let (word, kind) = split(rest)
      return command == "FILE" && rest.hasPrefix("\"")
        || command == "TRACK" && Int(word) != nil && !kind.isEmpty
    }
  }

  private mutating func addFile(_ rest: Substring, _ line: TextLines.Line) throws(Failure) {
    var (name, kind) = (rest, "WAVE")
    if rest.first == "\"", let end = rest.lastIndex(of: "\""), end > rest.startIndex {
      name = rest[...end]
      kind = rest[rest.index(after: end)...].trimmed.uppercased()
    } else if let space = rest.lastIndex(of: " ") {
      name = rest[..<space].trimmed
      kind = rest[space...].trimmed.uppercased()
    }
    let reference = Self.text(name)
    guard !reference.isEmpty else { throw line.mistake("FILE has no name of a sound") }
    files.append(File(reference: reference, kind: kind, line: line.number))
  }

  private mutating func close(_ open: OpenTrack?) throws(Failure) {
    guard let open, open.isAudio else { return }
    guard let (start, file, line) = open.start else {
      throw open.line.mistake("track \(open.number) has no INDEX 01, its beginning")
    }
    if let last = tracks.last, last.file == file, last.start > start {
      throw line.mistake(
        "track \(open.number) begins at \(ChapterTime.sheetText(start)), before track "
          + "\(last.number) (\(ChapterTime.sheetText(last.start)))")
    }
    guard tracks.count < SoundTags.Chapter.countLimit else {
      throw line.mistake(AudacityLabels.excess)
    }
    tracks.append(Track(number: open.number, file: file, start: start, texts: open.texts))
  }

  /// Sets a text of the open track, or of the whole.
  private mutating func set(_ command: String, _ rest: Substring, _ open: inout OpenTrack?) {
    let value = Self.text(rest)
    guard !value.isEmpty else { return }
    if open != nil {
      let keys = [
        "TITLE": "title", "PERFORMER": "artist", "SONGWRITER": "songwriter", "ISRC": "isrc",
      ]
      open?.texts[keys[command] ?? command.lowercased()] = value
      return
    }
    switch command {
    case "TITLE": texts["album"] = value
    case "PERFORMER": (texts["artist"], texts["albumartist"]) = (value, value)
    default: texts[command.lowercased()] = value
    }
  }

  /// The first word of a text in upper case, and the rest.
  fileprivate static func split(_ text: Substring) -> (command: String, rest: Substring) {
    let word = text.prefix { $0 != " " && $0 != "\t" }
    return (word.uppercased(), text[word.endIndex...].trimmed)
  }

  /// A text, which may stand in quotes.
  private static func text(_ rest: Substring) -> String {
    let isQuoted = rest.count > 1 && rest.first == "\"" && rest.last == "\""
    return (isQuoted ? rest.dropFirst().dropLast() : rest).plain
  }
}

/// A track whose lines are read.
private struct OpenTrack {
  let number: Int
  let isAudio: Bool
  let line: TextLines.Line
  var texts: [String: String] = [:]
  private(set) var start: (frames: Int, file: Int?, line: TextLines.Line)?

  init(_ rest: Substring, _ line: TextLines.Line) throws(Failure) {
    let (number, kind) = CueSheet.split(rest)
    guard number.utf8.count <= 4, let value = Int(number), value >= 0, !kind.isEmpty else {
      throw line.mistake("TRACK has a number and a kind, as in TRACK 01 AUDIO, not '\(line.shown)'")
    }
    self.number = value
    self.line = line
    isAudio = kind.uppercased() == "AUDIO"
  }

  mutating func addIndex(
    _ rest: Substring, _ line: TextLines.Line, file: Int?
  ) throws(Failure) {
    let (number, time) = CueSheet.split(rest)
    guard let index = Int(number), (0...99).contains(index) else {
      throw line.mistake("INDEX has a number from 00 to 99 and a time, not '\(line.shown)'")
    }
    guard let frames = ChapterTime.sheetFrames(time) else {
      throw line.mistake(
        "'\(ForeignText.visible(ForeignText.shortened(String(time), to: 40)))' is no time: it is "
          + "mm:ss:ff, where 60 seconds make a minute and 75 frames a second")
    }
    if index == 1, start == nil { start = (frames, file, line) }
  }
}

extension CueSheet {
  /// The tracks as chapters.
  ///
  /// - Parameter starts: the place of each file in the sound, in seconds; empty for one sound.
  package func chapters(fileStarts starts: [Double] = []) -> [SoundTags.Chapter] {
    chapters(of: tracks, fileStarts: starts)
  }

  /// The tracks of one file as its chapters.
  package func chapters(ofFile file: Int) -> [SoundTags.Chapter] {
    chapters(of: tracks.filter { $0.file == file })
  }

  private func chapters(
    of tracks: [Track], fileStarts starts: [Double] = []
  ) -> [SoundTags.Chapter] {
    tracks.map { track in
      let origin = track.file.flatMap { starts.indices.contains($0) ? starts[$0] : nil } ?? 0
      var chapter = SoundTags.Chapter(
        title: track.texts["title"] ?? "",
        start: origin + Double(track.start) / Double(ChapterTime.sheetRate))
      chapter.texts = track.texts
      chapter.texts["title"] = nil
      chapter.texts["tracknumber"] = "\(track.number)"
      return chapter
    }.inOrder
  }
}
