import Glibc

/// Makes a sound file that was cut off say what is in it: its writer was killed, or had no room left.
enum SoundRepair {
  enum Outcome: Equatable {
    case sound(frameCount: Int, sampleRate: Double)
    /// A header and no more.
    case nothing
    /// What is in it is not known.
    case unknown
  }

  /// Cuts a file behind its last whole frame and writes that length into its header. The file is open
  /// for reading and writing.
  static func repair(_ descriptor: Int32) -> Outcome {
    guard let file = FileBytes(descriptor) else { return .unknown }
    if let layout = SoundLayout(file) {
      guard layout.frameCount > 0 else { return .nothing }
      return cut(
        descriptor, layout.dataOffset + layout.dataByteCount, layout.patches(layout.dataByteCount),
        .sound(frameCount: layout.frameCount, sampleRate: layout.sampleRate),
        padding: file.text(0) == "caff" || file.text(0) == ".snd" ? 0 : layout.dataByteCount % 2)
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
    // The headers of streams are longer, and what is shorter than a page or a frame cannot be decoded.
    let isStream = ["fLaC", "OggS"].contains(file.text(0))
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
