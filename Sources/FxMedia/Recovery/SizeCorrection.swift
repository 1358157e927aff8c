/// What to read in place of the sizes in a file's header, where the file has more sound than they say:
/// its writer was killed, or could not go back to fill them in.
struct SizeCorrection {
  let patches: [FilePatch]
  /// Frames up to the end of the file.
  let frameCount: Int
  let warning: String
  /// True where the header has no room for so great a size.
  let isTooLong: Bool

  /// nil where the header is right, or says more than there is.
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
      guard size > 0, size < layout.dataByteCount, !layout.isFollowedByChunks,
        let end = layout.declaredEnd, saysTooLittle(layout, size, end, file)
      else { return nil }
      return
        "the sound goes on behind the \(clockSeconds(size / layout.frameByteCount, layout.sampleRate)) "
        + "that the header says"
    }
  }

  /// True where the header is one from before the end of a recording: it ends where its samples do, and
  /// what follows is neither a part of the file by its own account nor filling.
  private static func saysTooLittle(
    _ layout: SoundLayout, _ size: Int, _ end: Int, _ file: FileBytes
  ) -> Bool {
    // Sizes of 32 bits have gone round.
    if (layout.dataByteCount - size) % (1 << 32) == 0 { return true }
    let dataEnd = layout.dataOffset + size
    guard end <= dataEnd + 1, layout.dataByteCount - size >= layout.frameByteCount else {
      return false
    }
    return file.bytes(at: dataEnd, 1 << 16).contains { $0 != 0 }
  }
}
