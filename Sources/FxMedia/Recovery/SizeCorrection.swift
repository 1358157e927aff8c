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
  init?(_ layout: SoundLayout, _ file: FileBytes) {
    guard layout.frameCount > 0, let reason = SizeCorrection.reason(layout, file) else {
      return nil
    }
    frameCount = layout.frameCount
    patches = layout.patches(layout.dataByteCount)
    isTooLong =
      layout.dataByteCount >= 0xffff_ff00 && layout.header.container == "WAV"
      && !patches.contains(FilePatch(0, "RF64"))
    let seconds = clockSeconds(frameCount, layout.header.sampleRate)
    warning = "\(reason); reading to the end of the file, \(seconds)"
  }

  private static func reason(_ layout: SoundLayout, _ file: FileBytes) -> String? {
    guard let size = layout.declaredByteCount else {
      return "the header does not say how long the sound is"
    }
    guard !layout.isFollowedByChunks else { return nil }
    if size == 0 {
      return "the header says that there is no sound, as that of a recording that was cut short"
    }
    let frames = size / layout.frameByteCount
    guard frames < layout.frameCount, saysTooLittle(layout, size, file) else { return nil }
    return LossLog.goesOn(behind: frames, layout.header.sampleRate)
  }

  /// True if the header was written before the end of a recording. Then the declared file ends with
  /// the samples, and the bytes after it are neither chunks of the file nor padding.
  private static func saysTooLittle(
    _ layout: SoundLayout, _ size: Int, _ file: FileBytes
  ) -> Bool {
    guard layout.header.declaredEnd != nil else { return false }
    // A 32-bit size has wrapped around.
    if (layout.dataByteCount - size) % (1 << 32) == 0 { return true }
    return layout.header.endsWithSamples
      && TrailingBytes(file.bytes(at: layout.dataOffset + size, TrailingBytes.wantedByteCount))
        == .unknown
  }
}
