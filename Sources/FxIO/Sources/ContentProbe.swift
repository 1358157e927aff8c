/// What a file's first bytes say it is; its name is not asked.
enum Content: Equatable {
  /// MPEG audio, layers I to III.
  case mpeg
  case wav
  /// A container of which the library tells the kind: FLAC, Ogg, AIFF, CAF, AU, W64 …
  case known(String)
  /// A format with audio in it that nothing here decodes.
  case foreign(String)
  case unknown

  /// Bytes that are enough for a verdict, apart from those after an ID3 tag.
  static let probeLength = 64

  /// Judges the first bytes of a file.
  init(_ bytes: [UInt8]) {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      let wanted = Array(text.utf8)
      return bytes.count >= offset + wanted.count
        && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
    }
    if has("RIFF") || has("RF64") || has("RIFX") {
      self = has("AVI ", at: 8) ? .foreign("an AVI video") : .wav
    } else if has("fLaC") {
      self = .known("FLAC")
    } else if has("OggS") {
      self = .known("Ogg")
    } else if has("FORM") {
      self = .known("AIFF")
    } else if has("caff") {
      self = .known("CAF")
    } else if has(".snd") || has("dns.") {
      self = .known("AU")
    } else if has("riff") {
      self = .known("W64")
    } else if has("ftyp", at: 4) {
      self = .foreign("an MP4 file (AAC or ALAC)")
    } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
      self = .foreign("a Matroska or WebM file")
    } else if bytes.starts(with: [0x30, 0x26, 0xb2, 0x75]) {
      self = .foreign("a WMA file")
    } else if has("ADIF") || Content.isADTS(bytes) {
      self = .foreign("an AAC file")
    } else if has("MAC ") {
      self = .foreign("a Monkey's Audio file")
    } else if has("wvpk") {
      self = .foreign("a WavPack file")
    } else if has("MThd") {
      self = .foreign("a MIDI file")
    } else if has("ID3") || Content.isMPEG(bytes) {
      self = .mpeg
    } else {
      self = .unknown
    }
  }

  /// Bytes that an ID3v2 tag at the start takes; 0 when there is none.
  static func tagLength(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 10, bytes.starts(with: Array("ID3".utf8)) else { return 0 }
    guard bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return 0 }
    let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
  }

  /// A frame header of MPEG audio: sync, a version, a layer, a rate that exists.
  private static func isMPEG(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0 else { return false }
    return bytes[1] & 0x18 != 0x08 && bytes[1] & 0x06 != 0 && bytes[2] & 0xf0 != 0xf0
      && bytes[2] & 0x0c != 0x0c
  }

  private static func isADTS(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes[0] == 0xff && bytes[1] & 0xf6 == 0xf0 && bytes[2] & 0x3c < 0x34
  }
}
