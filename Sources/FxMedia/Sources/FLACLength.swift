import FxAudio

/// The length of a FLAC stream: the header's, if the bytes agree. libFLAC stops at the length that
/// the header declares, so a wrong one is replaced in the bytes that it reads.
struct FLACLength {
  /// 0 if it is unknown.
  let frameCount: Int
  private(set) var warning: String?

  /// nil if the header is not as expected. Corrects the reader's bytes.
  init?(_ reader: ByteReader) throws(Failure) {
    guard let header = FLACHeader(start: try reader.peek(FLACHeader.startByteCount)) else {
      return nil
    }
    let declared = header.info.sampleCount
    guard let file = reader.file, let tail = FLACTail(file) else {
      // The end is only known when it is reached.
      reader.patch([header.patch(frameCount: 0)])
      frameCount = declared
      return
    }
    if let name = tail.following { warning = TrailingBytes.sound(name).warning }
    guard declared != tail.frameCount, declared != tail.begunCount else {
      frameCount = declared
      return
    }
    frameCount = tail.frameCount
    reader.patch([tail.patch])
    guard declared > 0 else { return }
    let rate = tail.sampleRate
    warning =
      declared < tail.frameCount
      ? LossLog.goesOn(behind: declared, rate)
      : "truncated at \(clockSeconds(tail.frameCount, rate)): the sound should last "
        + clockSeconds(declared, rate)
  }
}
