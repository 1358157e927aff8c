/// The position of the samples in a file, and their size as the header declares it: WAV, RF64 and
/// BW64, AIFF, CAF, W64 and AU.
struct SoundLayout {
  /// The declared size of the samples.
  enum Declared: Equatable {
    case bytes(Int)
    /// The writer did not know the size, and left a marker.
    case unknown
  }

  let sampleRate: Double
  let frameByteCount: Int
  let dataOffset: Int
  let declared: Declared
  /// The end of the file as its header declares it; nil if the header does not.
  let declaredEnd: Int?
  let fileByteCount: Int
  /// True if chunks or a tag may follow the samples, and do.
  let isFollowedByChunks: Bool
  /// The header patches for this many bytes of samples.
  let patches: (_ dataByteCount: Int) -> [FilePatch]

  /// nil for another format and for a damaged header.
  init?(_ file: FileBytes) {
    guard let layout = SoundLayout.reading(file), layout.frameByteCount > 0,
      layout.sampleRate.isFinite, layout.sampleRate > 0
    else { return nil }
    self = layout
  }

  init(
    sampleRate: Double, frameByteCount: Int, dataOffset: Int, declared: Declared,
    declaredEnd: Int? = nil, fileByteCount: Int, isFollowedByChunks: Bool = false,
    patches: @escaping (_ dataByteCount: Int) -> [FilePatch]
  ) {
    self.sampleRate = sampleRate
    self.frameByteCount = frameByteCount
    self.dataOffset = dataOffset
    self.declared = declared
    self.declaredEnd = declaredEnd
    self.fileByteCount = fileByteCount
    self.isFollowedByChunks = isFollowedByChunks
    self.patches = patches
  }

  /// Whole frames between the header and the end of the file.
  var frameCount: Int { max(fileByteCount - dataOffset, 0) / frameByteCount }

  /// The size of these frames in bytes.
  var dataByteCount: Int { frameCount * frameByteCount }

  private static func reading(_ file: FileBytes) -> SoundLayout? {
    switch file.text(0) {
    case "RIFF", "RF64", "BW64": wav(file)
    case "FORM": aiff(file)
    case "caff": caf(file)
    case "riff": w64(file)
    case ".snd": au(file)
    default: nil
    }
  }

  /// The most chunks that are read: zeros look like an endless chain of empty chunks.
  static let chunkLimit = 4096
}
