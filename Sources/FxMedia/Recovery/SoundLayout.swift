/// Where the samples of a file lie that its header counts, and what the header says of their number:
/// WAV, RF64 and BW64, AIFF, CAF, W64 and AU.
struct SoundLayout {
  /// What the size of the samples in a header means.
  enum Declared: Equatable {
    case bytes(Int)
    /// The writer could not know it, and says so.
    case unknown
  }

  let sampleRate: Double
  let frameByteCount: Int
  let dataOffset: Int
  let declared: Declared
  /// Where the file ends by its header; nil where it says nothing of it.
  let declaredEnd: Int?
  let fileByteCount: Int
  /// True where something else can follow the samples, and does.
  let isFollowedByChunks: Bool
  /// What the header has to be like for so many bytes of samples.
  let patches: (_ dataByteCount: Int) -> [FilePatch]

  /// nil for another format and for a header that is damaged.
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

  /// Bytes of those.
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

  /// So many chunks of a file are looked at: zeros look like a chain of empty ones.
  static let chunkLimit = 4096
}
