import Glibc

/// Repairs a truncated sound file: its writer was killed, or the disk was full.
enum SoundRepair {
  enum Outcome: Equatable {
    case sound(frameCount: Int, sampleRate: Double)
    /// Only a header.
    case nothing
    /// The content is not recognized.
    case unknown
  }

  /// Truncates a file after its last complete frame, and writes the new length into its header. The
  /// file must be open for reading and writing.
  static func repair(_ descriptor: Int32) -> Outcome {
    guard let file = FileBytes(descriptor) else { return .unknown }
    if let layout = SoundLayout(file) {
      guard layout.frameCount > 0 else { return .nothing }
      return cut(
        descriptor, layout.dataOffset + layout.dataByteCount, layout.patches(layout.dataByteCount),
        .sound(frameCount: layout.frameCount, sampleRate: layout.header.sampleRate),
        padding: layout.paddingByteCount)
    }
    if let tail = FLACTail(file) {
      return cut(
        descriptor, tail.byteCount, [tail.patch],
        .sound(frameCount: tail.frameCount, sampleRate: tail.sampleRate))
    }
    if let tail = OggTail(file) {
      return cut(
        descriptor, tail.byteCount, [tail.patch],
        .sound(frameCount: tail.frameCount, sampleRate: tail.sampleRate))
    }
    // Stream headers may be longer. A file shorter than a page or a frame cannot be decoded.
    let isStream = ["fLaC", "OggS"].contains(file.bytes(at: 0, 4).text(0))
    return file.count < (isStream ? 1 << 16 : 4096) ? .nothing : .unknown
  }

  private static func cut(
    _ descriptor: Int32, _ byteCount: Int, _ patches: [FilePatch], _ outcome: Outcome,
    padding: Int = 0
  ) -> Outcome {
    guard ftruncate(descriptor, off_t(byteCount)) == 0,
      patches.allSatisfy({ $0.write(to: descriptor) })
    else { return .unknown }
    if padding > 0 { _ = FilePatch(byteCount, [0]).write(to: descriptor) }
    return outcome
  }
}
