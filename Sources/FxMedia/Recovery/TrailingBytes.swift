import FxAudio

/// What the bytes behind the end of a sound are, where its header says that it ends.
enum TrailingBytes: Equatable {
  /// Nothing, padding, tags, or chunks of the file.
  case nothing
  /// Another sound of this kind, which was joined to the first.
  case sound(String)
  /// Anything else: more samples, if the header was written before the end of a recording.
  case unknown

  /// The bytes that decide.
  static let wantedByteCount = 1 << 16

  private static let sounds: [(signature: Signature, name: String)] = [
    (Signature("RIFF"), "WAV"), (Signature("RF64"), "RF64"), (Signature("BW64"), "BW64"),
    (Signature("riff"), "W64"), (Signature("FORM"), "AIFF"), (Signature("caff"), "CAF"),
    (Signature(".snd"), "AU"), (Signature("OggS"), "Ogg"), (Signature("fLaC"), "FLAC"),
  ]

  /// - Parameters:
  ///   - bytes: those behind the end, `wantedByteCount` if there are so many.
  ///   - isBig: the sizes of chunks are big-endian.
  init(_ bytes: [UInt8], isBig: Bool = false) {
    // A byte of padding may come first.
    for rest in [bytes, Array(bytes.dropFirst())] {
      let tag = ID3Tag.byteCount(rest)
      let behind = tag > 0 && tag < rest.count ? Array(rest[tag...]) : rest
      if let sound = TrailingBytes.sounds.first(where: { $0.signature.matches(behind) }) {
        self = .sound(sound.name)
        return
      }
      let framer = MPEGFramer(ByteReader(MemoryStream(behind, name: "")))
      if framer.findFirst() == 0 {
        self = .sound("MPEG audio")
        return
      }
    }
    self = TrailingBytes.isHarmless(bytes, isBig) ? .nothing : .unknown
  }

  private static func isHarmless(_ bytes: [UInt8], _ isBig: Bool) -> Bool {
    guard bytes.contains(where: { $0 != 0 }) else { return true }
    return [bytes[...], bytes.dropFirst()].contains { rest in
      AppendedTag.begins(rest) || Chunks.mayBegin(rest, isBig: isBig)
    }
  }

  /// The warning about bytes that are not read; nil if nothing is lost.
  var warning: String? {
    switch self {
    case .nothing: nil
    case .sound(let name): "another sound follows behind its end and is not read (\(name))"
    case .unknown: "unknown bytes follow behind its end and are not read"
    }
  }
}
