import CTags
import FxAudio

/// Writes tags with TagLib.
enum TagWriting {
  /// Replaces the tags of a file that is open for writing. False if that is impossible.
  static func write(_ tags: SoundTags, to descriptor: Int32, _ format: TagFormat) -> Bool {
    let memory = TextMemory()
    let texts = tags.texts.sorted { $0.key < $1.key }.flatMap { key, values in
      values.map {
        fx_tag_text(key: memory.text(key.uppercased()), value: memory.text($0))
      }
    }
    let pictures = tags.pictures.map { picture in
      fx_tag_picture(
        kind: Int32(picture.kind), mime: memory.text(picture.mimeType),
        description: memory.text(picture.description), bytes: memory.bytes(picture.bytes),
        count: picture.bytes.count)
    }
    let chapters = tags.chapters.map { chapter in
      fx_tag_chapter(
        title: memory.text(chapter.title), start: milliseconds(chapter.start),
        end: chapter.end.map(milliseconds) ?? -1)
    }
    return fx_tags_write(
      format.code, "/proc/self/fd/\(descriptor)", texts, texts.count, pictures, pictures.count,
      chapters, chapters.count) != 0
  }

  private static func milliseconds(_ seconds: Double) -> Int64 {
    // NaN fails the comparison.
    seconds > 0 ? Int64((min(seconds, SoundTags.timeLimit) * 1000).rounded()) : 0
  }

  /// Memory for texts, at fixed addresses until everything is written.
  private final class TextMemory {
    private var pieces: [UnsafeMutablePointer<UInt8>] = []

    func text(_ text: String) -> UnsafePointer<CChar> {
      // TagLib would ignore the text after a zero.
      let bytes = bytes(text.utf8.filter { $0 != 0 } + [0])
      return UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    }

    func bytes(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
      let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
      piece.initialize(to: 0)
      piece.update(from: bytes, count: bytes.count)
      pieces.append(piece)
      return UnsafePointer(piece)
    }

    deinit { for piece in pieces { piece.deallocate() } }
  }
}
