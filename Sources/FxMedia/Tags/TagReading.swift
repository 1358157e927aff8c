import CTags

/// Reads tags with TagLib.
enum TagReading {
  /// The tags of a reader's content; empty if they cannot be read. The reader's position changes.
  static func tags(_ reader: ByteReader, _ format: TagFormat) -> SoundTags {
    guard let size = reader.byteCount, format.mayBeIn(reader) else { return SoundTags() }
    let collector = Collector(reader)
    let context = Unmanaged.passUnretained(collector).toOpaque()
    let source = fx_tag_stream(
      context: context, length: Int64(size),
      read: { context, target, count in
        max(0, TagReading.collector(context)?.reader.readFully(target, count) ?? 0)
      },
      seek: { context, offset in
        TagReading.collector(context)?.reader.seek(to: Int(offset))
      })
    let visitor = fx_tag_visitor(
      context: context,
      text: { context, text in
        let key = String(cString: text.pointee.key).lowercased()
        TagReading.collector(context)?.tags.texts[key, default: []]
          .append(String(cString: text.pointee.value))
      },
      picture: { context, picture in
        let picture = picture.pointee
        TagReading.collector(context)?.tags.pictures.append(
          SoundTags.Picture(
            kind: Int(picture.kind), mimeType: String(cString: picture.mime),
            description: String(cString: picture.description),
            bytes: Array(UnsafeBufferPointer(start: picture.bytes, count: picture.count))))
      },
      chapter: { context, chapter in
        let chapter = chapter.pointee
        TagReading.collector(context)?.tags.chapters.append(
          SoundTags.Chapter(
            title: String(cString: chapter.title), start: Double(chapter.start) / 1000,
            end: chapter.end < 0 ? nil : Double(chapter.end) / 1000))
      })
    var isPartial: Int32 = 0
    fx_tags_read(format.code, source, visitor, &isPartial)
    collector.tags.isPartial = isPartial != 0
    collector.tags.extractChapters()
    if case .mp4 = format { collector.tags.chapters = MP4Chapters.read(reader) }
    if collector.tags.chapters.isEmpty { collector.tags.chapters = sheet(collector.tags) }
    if collector.tags.chapters.isEmpty, case .flac = format {
      collector.tags.chapters = FLACCueSheet.read(reader)
    }
    return collector.tags
  }

  /// The tracks of a CUE sheet that is a tag. One of several files is no sheet of this sound.
  private static func sheet(_ tags: SoundTags) -> [SoundTags.Chapter] {
    guard let text = tags["cuesheet"],
      let sheet = try? CueSheet(Array(text.utf8), isEmbedded: true), sheet.files.count < 2
    else { return [] }
    return sheet.chapters()
  }

  private static func collector(_ context: UnsafeMutableRawPointer?) -> Collector? {
    context.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
  }

  private final class Collector {
    let reader: ByteReader
    var tags = SoundTags()
    init(_ reader: ByteReader) { self.reader = reader }
  }
}
