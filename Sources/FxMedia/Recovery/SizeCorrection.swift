/// Corrections for the sizes in a header, if the file has more sound than they declare. The writer
/// was killed, or could not seek back to fill them in.
struct SizeCorrection {
  let patches: [FilePatch]
  /// Whole frames up to the end of the file.
  let frameCount: Int
  let warning: String
  /// True if the header cannot hold so large a size.
  let isTooLong: Bool

  /// nil if the header is right, or declares more than the file holds.
  init?(_ stream: ByteReader) {
    guard stream.isSeekable, let file = stream.file,
      let layout = SoundLayout(file), layout.frameCount > 0,
      let reason = SizeCorrection.reason(layout, file)
    else { return nil }
    frameCount = layout.frameCount
    patches = layout.patches(layout.dataByteCount)
    isTooLong =
      layout.dataByteCount >= 0xffff_ff00 && file.text(0) == "RIFF"
      && !patches.contains(FilePatch(0, "RF64"))
    let seconds = clockSeconds(frameCount, layout.sampleRate)
    warning = "\(reason); reading to the end of the file, \(seconds)"
  }

  private static func reason(_ layout: SoundLayout, _ file: FileBytes) -> String? {
    switch layout.declared {
    case .unknown:
      return "the header does not say how long the sound is"
    case .bytes(0) where !layout.isFollowedByChunks:
      return "the header says that there is no sound, as that of a recording that was cut short"
    case .bytes(let size):
      guard size > 0, size / layout.frameByteCount < layout.frameCount, !layout.isFollowedByChunks,
        let end = layout.declaredEnd, saysTooLittle(layout, size, end, file)
      else { return nil }
      return LossLog.goesOn(behind: size / layout.frameByteCount, layout.sampleRate)
    }
  }

  /// True if the header was written before the end of a recording. Then the declared file ends with
  /// the samples, and the bytes after it are neither chunks of the file nor padding.
  private static func saysTooLittle(
    _ layout: SoundLayout, _ size: Int, _ end: Int, _ file: FileBytes
  ) -> Bool {
    // A 32-bit size has wrapped around.
    if (layout.dataByteCount - size) % (1 << 32) == 0 { return true }
    let dataEnd = layout.dataOffset + size
    guard end <= dataEnd + 1 else { return false }
    return TrailingBytes(file.bytes(at: dataEnd, TrailingBytes.wantedByteCount)) == .unknown
  }
}
