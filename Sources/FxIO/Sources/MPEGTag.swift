import Glibc

/// What the information frame at the start of MPEG audio (Xing's and LAME's) says of the file's
/// size.
struct MPEGTag {
  /// Where the frame begins, within a few bytes.
  private let offset: Int
  /// Bytes from there to the end of the audio.
  private let byteCount: Int

  /// nil when there is none, or none that says it. Leaves the stream somewhere.
  init?(_ stream: ByteStream) {
    guard stream.seek(0, SEEK_SET) == 0, let start = try? stream.peek(10) else { return nil }
    let audio = Content.tagLength(start)
    guard stream.seek(audio, SEEK_SET) == audio, let bytes = try? stream.peek(4096) else {
      return nil
    }
    let names = [Array("Xing".utf8), Array("Info".utf8)]
    guard bytes.count > 20,
      let place = (0..<(bytes.count - 16)).first(where: {
        names.contains(Array(bytes[$0..<$0 + 4]))
      })
    else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    // Flags: 1 says that the count of frames follows, 2 that then the count of bytes does.
    let flags = number(place + 4)
    guard flags & 2 != 0 else { return nil }
    byteCount = number(place + (flags & 1 != 0 ? 12 : 8))
    offset = max(0, audio + place - 40)
  }

  /// Bytes that a file of this size lacks; nil when it is whole.
  func missingByteCount(of size: Int) -> Int? {
    let missing = offset + byteCount - size
    // Encoders count one frame more or less.
    return missing > 2048 ? missing : nil
  }
}
