import FxAudio
import FxEngine
import FxMedia

/// The tags of outputs: those of the main input, replaced by requested tags.
final class OutputTags {
  /// The input files.
  let inputs: [String]
  private let request: RenderRequest
  /// The main input.
  let input: String?
  /// True if it has no header, and so no tags.
  private let isRaw: Bool
  /// Converts its chapter times to times of the render.
  private let times: ChapterTimes
  /// The tags of the main input, its chapters at their times in it.
  private var read: SoundTags?
  private var cover: SoundTags.Picture?
  /// The chapters that replace those of the input.
  private var given: ChapterFile?
  /// Tags of the input that the outputs do not get.
  private(set) var warnings: [String] = []
  /// Tags about the input's encoding and loudness, which do not apply to the output.
  private static let forgotten = [
    "encoder", "encoding", "encodedby", "length", "tlen", "itunnorm", "itunsmpb", "itunpgap",
    "cuesheet", "wavedformatextensible_channel_mask", "waveformatextensible_channel_mask",
  ]

  init(
    _ request: RenderRequest, input: String?, isRaw: Bool = false, _ inputs: [String],
    _ times: ChapterTimes
  ) {
    self.request = request
    self.isRaw = isRaw
    self.times = times
    self.input = input
    self.inputs = inputs
  }

  /// The tags for a file.
  ///
  /// - Throws: `Failure` for a cover or chapters that the file cannot hold.
  func tags(of path: String, _ encoding: FileEncoding) throws(Failure) -> SoundTags {
    guard FileFormat(encoding, path: path)?.hasTags == true else {
      let hasChapters = !request.chapters.isEmpty || request.chapterFile != nil
      guard request.cover == nil, !hasChapters || request.chapterTarget != nil else {
        throw Failure(
          .unsupportedFormat, path,
          "this format has no tags; write .mp3, .flac, .ogg, .opus, .wav or .aiff")
      }
      return SoundTags()
    }
    var tags = texts(encoding)
    if request.carriesTags || !request.chapters.isEmpty || given != nil {
      tags.chapters = chapters(encoding).listed
    }
    if let cover { tags.pictures = [cover] }
    return tags
  }

  /// The tags for any file, without its chapters.
  func texts(_ encoding: FileEncoding) -> SoundTags {
    var tags = request.carriesTags ? carried() : SoundTags()
    for (key, text) in given?.texts ?? [:] where tags[key] == nil { tags.set(key, to: text) }
    for (key, text) in encoding.tags { tags.set(key, to: text) }
    tags.chapters = []
    return tags
  }

  /// The tags for the parts of a split output; nil if they get no tags.
  func tagsOfParts(_ path: String, _ encoding: FileEncoding) throws(Failure) -> SoundTags? {
    guard FileFormat(path: path)?.hasTags == true else { return nil }
    let tags = try tags(of: path, encoding)
    return tags.isEmpty && !request.carriesTags ? nil : tags
  }

  /// The chapters for a file, whatever its format. Requested chapters are at times of the file,
  /// including silence before the sound.
  func chapters(_ encoding: FileEncoding) -> [SoundTags.Chapter] {
    guard request.chapters.isEmpty else { return ownChapters }
    return times.moved(inputChapters, padding: encoding.shape.padStart)
  }

  /// At times of the input: those of a file of chapters, or those of the input itself.
  private var inputChapters: [SoundTags.Chapter] { given?.chapters ?? carried().chapters }

  /// The setting that drops the input's chapters; nil if it has none or keeps them.
  var chapterObstacle: String? { inputChapters.isEmpty ? nil : times.obstacle }

  /// Reads the file of chapters.
  ///
  /// - Throws: `Failure` for a file that cannot be read, and for a setting that drops its chapters.
  func readChapters(_ limits: OpeningLimits = OpeningLimits()) throws(Failure) {
    guard let path = request.chapterFile else { return }
    let file = try ChapterFile(path, for: input, limits)
    warnings += file.warnings
    given = file
    if let obstacle = times.obstacle {
      throw Failure(
        .unsupportedFormat, path,
        "\(obstacle) leaves chapters out, because their places move; leave out one of them")
    }
  }

  /// The piece of the main input, in seconds, for a piece of a file; nil if they do not correspond.
  ///
  /// - Parameter length: the seconds of the input, if they are known.
  func sourceSpan(
    _ start: Double, _ end: Double, _ encoding: FileEncoding, length: Double?
  ) -> (start: Double, end: Double)? {
    guard input != nil else { return nil }
    return times.source(start, end, padding: encoding.shape.padStart, length: length)
  }

  private func carried() -> SoundTags {
    if let read { return read }
    var tags = isRaw ? SoundTags() : input.map { SoundInspector.tags(of: $0) } ?? SoundTags()
    if let input, let warning = tags.warning { warnings.append("\(input): \(warning)") }
    for key in tags.texts.keys
    where OutputTags.forgotten.contains(key) || key.hasPrefix("replaygain_")
      || key.hasPrefix("r128_")
    {
      tags.texts[key] = nil
    }
    read = tags
    return tags
  }

  /// The requested chapters; each lasts until the next.
  private var ownChapters: [SoundTags.Chapter] {
    request.chapters.map { SoundTags.Chapter(title: $0.title, start: $0.start) }.inOrder
  }

  /// Reads the cover picture.
  ///
  /// - Throws: `Failure` for a file that cannot be read or is not a whole picture.
  func readCover(_ limits: OpeningLimits = OpeningLimits()) throws(Failure) {
    guard let path = request.cover else { return }
    var file = GuardedFile(path, limits)
    file.byteLimit = SoundTags.byteLimit
    file.folderHint = "name a picture in it"
    let bytes = try file.bytes()
    guard let kind = PictureKind(bytes) else {
      throw Failure(
        .unsupportedFormat, path,
        "this is no picture that a tag can hold: take a JPEG, PNG, GIF or WebP file")
    }
    guard kind.isWhole(bytes) else {
      throw Failure(
        .truncated, path,
        "this picture is cut short: it lacks the end of a \(kind.rawValue) file; take a whole one")
    }
    cover = SoundTags.Picture(mimeType: kind.mimeType, bytes: bytes)
  }
}
