/// Tags of every format, and pictures: whatever the bytes are, reading ends within its budget.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let formats: [TagFormat] = [
    .mpeg, .flac, .oggFLAC, .vorbis, .opus, .wav, .aiff, .mp4, .asf, .ape, .wavPack,
  ]
  let content = Array(bytes.dropFirst())
  let reader = ByteReader(MemoryStream(content, name: "fuzz"))
  let tags = TagReading.tags(reader, formats[Int(first) % formats.count])
  // A text of Latin 1 doubles in UTF-8, and several forms of a tag may have the same text.
  let pictures = tags.pictures.reduce(0) { $0 + $1.bytes.count }
  let texts = tags.texts.values.joined().reduce(0) { $0 + $1.utf8.count }
  precondition(pictures <= SoundTags.byteLimit && texts <= 4 * SoundTags.byteLimit)
  for chapter in tags.chapters { precondition(!chapter.start.isNaN) }
  _ = tags.gains
  if let kind = PictureKind(content), kind.isWhole(content) { precondition(content.count >= 16) }
  return 0
}
