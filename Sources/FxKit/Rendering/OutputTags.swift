import FxFrames
import FxGraph
import FxMedia
import Glibc

/// The tags of outputs: those of the main input, replaced by requested tags.
final class OutputTags {
  /// The input files.
  let inputs: [String]
  private let request: RenderRequest
  /// The main input.
  let input: String?
  /// Converts its chapter times to times of the render.
  private let times: ChapterTimes
  /// The tags of the main input, its chapters at their times in it.
  private var read: SoundTags?
  private var cover: SoundTags.Picture?
  /// Tags about the input's encoding and loudness, which do not apply to the output.
  private static let forgotten = [
    "encoder", "encoding", "encodedby", "length", "tlen", "itunnorm", "itunsmpb", "itunpgap",
    "cuesheet", "wavedformatextensible_channel_mask", "waveformatextensible_channel_mask",
  ]

  init(_ request: RenderRequest, input: String?, _ inputs: [String], _ times: ChapterTimes) {
    self.request = request
    self.times = times
    self.input = input
    self.inputs = inputs
  }

  /// The tags for a file.
  ///
  /// - Throws: `IOError` for a cover or chapters that the file cannot hold.
  func tags(of path: String, _ encoding: FileEncoding) throws(IOError) -> SoundTags {
    guard FileFormat(encoding, path: path)?.hasTags == true else {
      let isAsked = request.cover != nil || !request.chapters.isEmpty
      guard !isAsked else {
        throw IOError(
          .unsupportedFormat, path,
          "this format has no tags; write .mp3, .flac, .ogg, .opus, .wav or .aiff")
      }
      return SoundTags()
    }
    var tags = request.carriesTags ? carried() : SoundTags()
    if request.carriesTags || !request.chapters.isEmpty { tags.chapters = chapters(encoding) }
    for (key, text) in encoding.tags { tags.set(key, to: text) }
    if let cover { tags.pictures = [cover] }
    return tags
  }

  /// The tags for the parts of a split output; nil if they get no tags.
  func tagsOfParts(_ path: String, _ encoding: FileEncoding) throws(IOError) -> SoundTags? {
    guard FileFormat(path: path)?.hasTags == true else { return nil }
    let tags = try tags(of: path, encoding)
    return tags.isEmpty && !request.carriesTags ? nil : tags
  }

  /// The chapters for a file, whatever its format. Requested chapters are at times of the file,
  /// including silence before the sound.
  func chapters(_ encoding: FileEncoding) -> [SoundTags.Chapter] {
    guard request.chapters.isEmpty else { return ownChapters }
    return times.moved(carried().chapters, padding: encoding.shape.padStart)
  }

  /// The setting that drops the input's chapters; nil if it has none or keeps them.
  var chapterObstacle: String? { carried().chapters.isEmpty ? nil : times.obstacle }

  private func carried() -> SoundTags {
    if let read { return read }
    var tags = input.map { SoundInspector.tags(of: $0) } ?? SoundTags()
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
    let sorted = request.chapters.sorted { $0.start < $1.start }
    return sorted.enumerated().map { index, chapter in
      SoundTags.Chapter(
        title: chapter.title, start: chapter.start,
        end: index + 1 < sorted.count ? sorted[index + 1].start : nil)
    }
  }

  /// Reads the cover picture.
  ///
  /// - Throws: `IOError` for a file that cannot be read or is not a picture.
  func readCover() throws(IOError) {
    guard let path = request.cover else { return }
    let bytes: [UInt8]
    do throws(IOError) {
      bytes = try FileSource.bytes(path, limit: 1 << 24)
    } catch {
      guard error.code == .isDirectory else { throw error }
      throw IOError(.isDirectory, path, "this is a folder; name a picture in it")
    }
    guard let type = OutputTags.pictureType(bytes) else {
      throw IOError(
        .unsupportedFormat, path,
        "this is no picture that a tag can hold: take a JPEG, PNG, GIF or WebP file")
    }
    cover = SoundTags.Picture(mimeType: type, bytes: bytes)
  }

  private static func pictureType(_ bytes: [UInt8]) -> String? {
    let types: [(start: [UInt8], type: String)] = [
      ([0xff, 0xd8, 0xff], "image/jpeg"), ([0x89, 0x50, 0x4e, 0x47], "image/png"),
      (Array("GIF8".utf8), "image/gif"),
    ]
    if let type = types.first(where: { bytes.starts(with: $0.start) })?.type { return type }
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP ? "image/webp" : nil
  }
}
