package import FxAudio

/// The labels of Audacity: on each line a start and an end in seconds and a title, separated by tabs.
/// A label at a point has two equal times. A line that begins with `\` has the frequencies of the
/// label before it.
///
/// Source: the manual of Audacity, "Importing and Exporting Labels".
package struct AudacityLabels {
  package let chapters: [SoundTags.Chapter]
  package let warnings: [String]

  /// - Throws: `Failure` for a line that is no label, with its number.
  package init(_ bytes: [UInt8]) throws(Failure) {
    guard let lines = TextLines(bytes) else { throw Failure(.damaged, "it is no text") }
    var chapters: [SoundTags.Chapter] = []
    var commas = 0
    for line in lines where line.text.first != "\\" {
      let fields = line.text.split(
        separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard let start = Self.number(fields[0], &commas) else {
        throw line.mistake(
          "a label is a start and an end in seconds and a title, with tabs between them, and not "
            + "'\(line.shown)'")
      }
      // Versions before 1.3 had no end.
      let end = fields.count > 1 ? Self.number(fields[1], &commas) : nil
      let title = fields.dropFirst(end == nil ? 1 : 2).map(\.plain).joined(separator: " ")
      for time in [start, end ?? start] where !(0..<SoundTags.timeLimit).contains(time) {
        throw line.mistake(
          "\(fields[0]) to \(fields.count > 1 ? fields[1] : "") is no time of a sound")
      }
      guard end ?? start >= start else {
        throw line.mistake("the label ends at \(fields[1]), before it begins (\(fields[0]))")
      }
      chapters.append(
        SoundTags.Chapter(title: title, start: start, end: end.flatMap { $0 > start ? $0 : nil }))
      guard chapters.count <= SoundTags.Chapter.countLimit else { throw line.mistake(Self.excess) }
    }
    self.chapters = chapters.inOrder
    warnings =
      commas == 0
      ? []
      : [
        "\(commas) of its times have a decimal comma, which Audacity does not write; it is read as a point"
      ]
  }

  static let excess = "a sound has \(SoundTags.Chapter.countLimit) chapters at most"

  /// True for a text whose first line is a label.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    var commas = 0
    return TextLines(bytes)?.first { $0.text.first != "\\" }.map { line in
      let fields = line.text.split(separator: "\t", omittingEmptySubsequences: false)
      return fields.count > 1 && number(fields[0], &commas) != nil
    } ?? false
  }

  private static func number(_ field: Substring, _ commas: inout Int) -> Double? {
    let text = field.trimmed
    let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,eE".utf8.contains($0) }
    guard isNumber, !text.isEmpty else { return nil }
    guard text.contains(",") else { return Double(text) }
    let number = Double(text.replacing(",", with: "."))
    if number != nil { commas += 1 }
    return number
  }

  /// The text for chapters: the end of the last is that of the sound, unless it has one.
  package static func text(_ chapters: [SoundTags.Chapter], duration: Double) -> String {
    chapters.map { chapter in
      let end = max(chapter.end ?? duration, chapter.start)
      let times = "\(ChapterTime.decimal(chapter.start))\t\(ChapterTime.decimal(end))"
      return "\(times)\t\(chapter.title[...].plain)\n"
    }.joined()
  }
}
