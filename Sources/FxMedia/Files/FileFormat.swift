import CSndFile
package import FxAudio
import Glibc

/// A file format that fxrun can write, chosen by the file name extension.
package enum FileFormat: String, Sendable, Hashable, CaseIterable {
  case wav, flac, aiff, caf, w64, rf64, au, ogg, opus, mp3, raw

  /// nil when the extension is unknown.
  package init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "wav", "wave": self = .wav
    case "flac": self = .flac
    case "aif", "aiff", "aifc": self = .aiff
    case "caf": self = .caf
    case "w64": self = .w64
    case "rf64": self = .rf64
    case "au", "snd": self = .au
    case "ogg", "oga": self = .ogg
    case "opus": self = .opus
    case "mp3": self = .mp3
    case "raw", "pcm": self = .raw
    default: return nil
    }
  }

  /// The format of the encoding, or else that of the extension; nil if neither gives one.
  package init?(_ encoding: FileEncoding, path: String) {
    let named = encoding.format.map { FileFormat(rawValue: $0) } ?? FileFormat(path: path)
    guard let named else { return nil }
    self = named
  }

  /// The format for a path, or an error that says what to do.
  static func writing(_ path: String, _ encoding: FileEncoding) throws(Failure) -> FileFormat {
    if let format = FileFormat(encoding, path: path) { return format }
    guard !path.isEmpty else {
      throw Failure(.unwritable, path, "an empty text is not a file name")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .writing(path, errno: EISDIR) }
      // A pipe or a device.
      return .wav
    }
    throw Failure(
      .unsupportedFormat, path,
      "the name does not end in a format that can be written; end it in .wav or .flac "
        + "(also .mp3, .ogg, .opus, .aiff, .caf, .w64, .rf64, .au, .raw)")
  }

  /// The most frames of a whole file in formats with 32-bit sizes; nil where there is no limit.
  func frameLimit(_ format: StreamFormat, bytesPerSample: Int) -> Int? {
    switch self {
    // Leaves some room for headers.
    case .aiff, .au: (0xffff_ffff - 65536) / (bytesPerSample * max(format.channelCount, 1))
    case .wav, .flac, .caf, .w64, .rf64, .ogg, .opus, .mp3, .raw: nil
    }
  }

  /// True when the encoder chooses the bits by itself.
  package var isLossy: Bool { self == .ogg || self == .opus || self == .mp3 }

  /// The default depth: 24 bits for FLAC, which has no floats, otherwise 32-bit float.
  var defaultDepth: FileEncoding.Depth { self == .flac ? .int24 : .float32 }

  /// True if the format supports this depth. A lossy one ignores it.
  func holds(_ depth: FileEncoding.Depth) -> Bool {
    self != .flac || !depth.isFloat && depth != .int32
  }

  /// libsndfile's code for the format with this depth; nil if libsndfile does not write it.
  func code(_ depth: FileEncoding.Depth) -> Int? {
    guard holds(depth) else { return nil }
    let container: Int
    switch self {
    case .wav: container = SF_FORMAT_WAV
    case .flac: container = SF_FORMAT_FLAC
    case .aiff: container = SF_FORMAT_AIFF
    case .caf: container = SF_FORMAT_CAF
    case .w64: container = SF_FORMAT_W64
    case .rf64: container = SF_FORMAT_RF64
    case .au: container = SF_FORMAT_AU
    case .ogg: return SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .opus: return SF_FORMAT_OGG | SF_FORMAT_OPUS
    case .mp3: return nil
    case .raw: container = SF_FORMAT_RAW | SF_ENDIAN_LITTLE
    }
    switch depth {
    case .int8: return container | (hasUnsignedBytes ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8)
    case .int16: return container | SF_FORMAT_PCM_16
    case .int24: return container | SF_FORMAT_PCM_24
    case .int32: return container | SF_FORMAT_PCM_32
    case .float32: return container | SF_FORMAT_FLOAT
    case .float64: return container | SF_FORMAT_DOUBLE
    }
  }

  /// True if 8-bit samples are unsigned.
  private var hasUnsignedBytes: Bool {
    self == .wav || self == .w64 || self == .rf64 || self == .raw
  }

  /// The sample layout that the encoder receives.
  func layout(_ depth: FileEncoding.Depth) -> SampleLayout {
    if isLossy { return .float32 }
    return switch depth {
    case .int8: self == .wav ? .uint8 : .int8High
    case .int16: .int16
    case .int24: self == .wav ? .int24Packed : .int24High
    case .int32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }

  /// True if the format is written from start to end, so that it can go into a pipe.
  var streams: Bool {
    switch self {
    case .wav, .flac, .ogg, .opus, .mp3, .raw: true
    case .aiff, .caf, .w64, .rf64, .au: false
    }
  }

  package var hasTags: Bool { tagFormat != nil }

  /// How tags are written in this format; nil if they are not.
  var tagFormat: TagFormat? {
    switch self {
    case .wav: .wav
    case .flac: .flac
    case .aiff: .aiff
    case .ogg: .vorbis
    case .opus: .opus
    case .mp3: .mpeg
    case .caf, .w64, .rf64, .au, .raw: nil
    }
  }
}
