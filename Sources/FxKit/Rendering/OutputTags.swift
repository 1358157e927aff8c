import FxFrames
import FxGraph
import FxMedia
import Glibc

/// The tags that outputs get: those of the main input, with what is asked for in their place.
final class OutputTags {
  /// The files that are read.
  let inputs: [String]
  private let request: RenderRequest
  /// The main input.
  let input: String?
  /// Where its chapters are in the render.
  private let times: ChapterTimes
  /// The tags of the main input, its chapters at their times in it.
  private var read: SoundTags?
  /// What a render makes untrue: how the input was encoded, and how loud it was.
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

  /// What a file is to say of its sound.
  ///
  /// - Throws: `IOError` for a cover that cannot be read, or that the file cannot hold.
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
    if let cover = request.cover { tags.pictures = [try picture(cover)] }
    return tags
  }

  /// What parts of the sound are made of; nil where they are to have no tags.
  func tagsOfParts(_ path: String, _ encoding: FileEncoding) throws(IOError) -> SoundTags? {
    guard FileFormat(path: path)?.hasTags == true else { return nil }
    let tags = try tags(of: path, encoding)
    return tags.isEmpty && !request.carriesTags ? nil : tags
  }

  /// The chapters that a file would have, whatever its format. Those of the request are at times of the
  /// file, silence before the sound included.
  func chapters(_ encoding: FileEncoding) -> [SoundTags.Chapter] {
    guard request.chapters.isEmpty else { return ownChapters }
    return times.moved(carried().chapters, padding: encoding.shape.padStart)
  }

  /// The setting that leaves the chapters of the input out; nil where it has none or keeps them.
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

  /// Each lasts until the next.
  private var ownChapters: [SoundTags.Chapter] {
    let sorted = request.chapters.sorted { $0.start < $1.start }
    return sorted.enumerated().map { index, chapter in
      SoundTags.Chapter(
        title: chapter.title, start: chapter.start,
        end: index + 1 < sorted.count ? sorted[index + 1].start : nil)
    }
  }

  private func picture(_ path: String) throws(IOError) -> SoundTags.Picture {
    let bytes = try FileSource.bytes(path, limit: 1 << 24)
    let types: [(start: [UInt8], type: String)] = [
      ([0xff, 0xd8, 0xff], "image/jpeg"), ([0x89, 0x50, 0x4e, 0x47], "image/png"),
      (Array("GIF8".utf8), "image/gif"), (Array("RIFF".utf8), "image/webp"),
    ]
    guard let type = types.first(where: { bytes.starts(with: $0.start) })?.type else {
      throw IOError(
        .unsupportedFormat, path, "this is no picture that a tag can hold: take a JPEG or PNG file")
    }
    return SoundTags.Picture(mimeType: type, bytes: bytes)
  }
}
