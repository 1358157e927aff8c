import FxAudio

extension TagFormat {
  /// False if the file's beginning or end shows that it has no tags of this format. Then TagLib
  /// need not be loaded.
  func mayBeIn(_ reader: ByteReader) -> Bool {
    guard let file = reader.file else { return true }
    return switch self {
    case .mpeg: TagFormat.mayBeInMPEG(file)
    case .wav: TagFormat.mayBeInWAV(file)
    default: true
    }
  }

  /// ID3v2 at the start; APE and ID3v1 at the end, in this order if both exist.
  private static func mayBeInMPEG(_ file: FileBytes) -> Bool {
    let start = file.bytes(at: 0, 2)
    guard start.count == 2, start[0] == 0xff, start[1] >= 0xe0 else { return true }
    return AppendedTag.byteCount(atEndOf: file.bytes(at: max(file.count - 160, 0), 160)) > 0
  }

  /// A list of texts, or ID3v2 in a chunk.
  private static func mayBeInWAV(_ file: FileBytes) -> Bool {
    var chunks = Chunks(HeaderBytes(file), .riff(isBig: false), from: 12)
    while let chunk = try? chunks.next() {
      if ["LIST", "ID3 ", "id3 "].contains(chunk.id) { return true }
    }
    return chunks.offset != file.count
  }
}
