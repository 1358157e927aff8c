import FxAudio
import FxMedia

/// A file of chapters. Its content decides the format: a CUE sheet, the chapters of a podcast in
/// JSON, labels of Audacity, or a sound file with chapters.
struct ChapterFile {
  private(set) var chapters: [SoundTags.Chapter] = []
  /// Tags of the whole sound, from a CUE sheet.
  private(set) var texts: [String: String] = [:]
  private(set) var warnings: [String] = []

  /// The most bytes of a file.
  private static let byteLimit = 16 << 20

  /// - Parameter input: the sound to which the chapters belong, for a sheet of several files.
  /// - Throws: `Failure` for a file that cannot be read, with the line of the mistake.
  init(_ path: String, for input: String?, _ limits: OpeningLimits) throws(Failure) {
    if let chapters = SoundInspector.chapters(ofSound: path) {
      guard !chapters.isEmpty else {
        throw Failure(.unsupportedFormat, path, "this sound has no chapters")
      }
      self.chapters = chapters
      return
    }
    var file = GuardedFile(path, limits)
    file.byteLimit = Self.byteLimit
    file.takesPipes = true
    file.folderHint = "name the file of chapters in it"
    let bytes = try file.bytes()
    do throws(Failure) {
      try read(bytes, path, input)
    } catch {
      throw error.path.isEmpty ? Failure(error.code, path, error.message) : error
    }
    guard !chapters.isEmpty else { throw Failure(.damaged, path, "there is no chapter in it") }
  }

  private mutating func read(
    _ bytes: [UInt8], _ path: String, _ input: String?
  ) throws(Failure) {
    guard let text = TextEncoding.text(bytes) else {
      throw Failure(
        .unsupportedFormat, path, "it is no text, and no sound with chapters; \(Self.forms)")
    }
    let first = text.first { !$0.isWhitespace }
    if first == "{" || first == "[" {
      chapters = try PodcastChapters.read(bytes, path: path)
    } else if CueSheet.matches(bytes) {
      try read(try CueSheet(bytes, isEmbedded: true), path, input)
    } else if AudacityLabels.begins(bytes) {
      let labels = try AudacityLabels(bytes)
      (chapters, warnings) = (labels.chapters, labels.warnings.map { "\(path): \($0)" })
    } else {
      throw Failure(
        .unsupportedFormat, path,
        first == nil ? "the file is empty" : "this is no list of chapters; \(Self.forms)")
    }
  }

  private static let forms =
    "give a CUE sheet, chapters of a podcast (JSON), labels of Audacity, or a sound that has chapters"

  /// Of a sheet of several files, the tracks of the one that is the input.
  private mutating func read(
    _ sheet: CueSheet, _ path: String, _ input: String?
  ) throws(Failure) {
    texts = sheet.texts
    guard sheet.files.count > 1 else {
      chapters = sheet.chapters()
      return
    }
    let name = input.map(Self.baseName)
    guard let file = sheet.files.firstIndex(where: { Self.baseName($0.reference) == name }) else {
      throw Failure(
        .unsupportedFormat, path,
        "the sheet has \(sheet.files.count) files, and none has the name of the input; "
          + "give the sheet itself as the input")
    }
    chapters = sheet.chapters(ofFile: file)
  }

  /// A file's name without its folder and its extension, in lower case.
  private static func baseName(_ path: String) -> String {
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    return (name.lastIndex(of: ".").map { name[..<$0] } ?? name).lowercased()
  }
}
