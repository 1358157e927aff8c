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
    return file.text(file.count - 128, 3) == "TAG"
      || [32, 32 + 128].contains { file.text(file.count - $0, 8) == "APETAGEX" }
  }

  /// A list of texts, or ID3v2 in a chunk.
  private static func mayBeInWAV(_ file: FileBytes) -> Bool {
    var offset = 12
    for _ in 0..<SoundLayout.chunkLimit where offset < file.count {
      guard let size = file.little(offset + 4, 4) else { return true }
      if ["LIST", "ID3 ", "id3 "].contains(file.text(offset)) { return true }
      offset += 8 + size + size % 2
    }
    return offset != file.count
  }
}
