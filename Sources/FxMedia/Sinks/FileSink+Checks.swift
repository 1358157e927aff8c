package import FxAudio

extension FileSink {
  /// Refuses what a format cannot hold, before anything is written.
  static func check(
    _ format: StreamFormat, _ fileFormat: FileFormat, _ encoding: FileEncoding, _ path: String
  ) throws(Failure) {
    guard (1...1024).contains(format.channelCount), format.sampleRate.isFinite,
      (1...4_294_967_295).contains(format.sampleRate)
    else {
      throw Failure(
        .unsupportedFormat, path,
        "\(format.channelCount) channels at \(format.sampleRate) Hz cannot be written")
    }
    if fileFormat == .opus, ![8000, 12000, 16000, 24000, 48000].contains(format.sampleRate) {
      throw Failure(
        .unsupportedFormat, path,
        "Opus takes 48000 Hz, not \(Int(format.sampleRate)); "
          + "render with --sample-rate 48000, or write .ogg")
    }
    if fileFormat == .ogg, format.sampleRate > 200_000 {
      throw Failure(
        .unsupportedFormat, path,
        "Vorbis takes 200000 Hz at most, not \(Int(format.sampleRate)); "
          + "render with --sample-rate 192000, or write .flac")
    }
    if fileFormat.isLossy, format.channelCount > 255 {
      throw Failure(
        .unsupportedFormat, path,
        "\(fileFormat == .opus ? "Opus" : "Vorbis") takes 255 channels, "
          + "not \(format.channelCount); write .wav, or mix down before")
    }
    if fileFormat.isLossy, format.layout.isNamed,
      case let stored = ChannelOrder.vorbis(format.channelCount).layout,
      stored.isNamed, format.layout.withBackSurround != stored.withBackSurround
    {
      throw Failure(
        .unsupportedFormat, path,
        "\(fileFormat == .opus ? "Opus" : "Vorbis") has \(stored) for \(format.channelCount) "
          + "channels, not \(format.layout); write .wav or .flac")
    }
    if fileFormat == .flac, format.channelCount > 8 {
      throw Failure(
        .unsupportedFormat, path,
        "FLAC takes 8 channels, not \(format.channelCount); write .wav, or mix down before")
    }
    try check(fileFormat, encoding, path)
    let depth = encoding.depth ?? fileFormat.defaultDepth
    if encoding.shapesNoise, depth.bits <= 16,
      !NoiseShaper.sampleRates.contains(format.sampleRate)
    {
      throw Failure(
        .unsupportedFormat, path,
        "noise shaping is made for 44100 and 48000 Hz, not \(Int(format.sampleRate)); leave it out")
    }
    if fileFormat == .mp3 {
      guard format.channelCount <= 2 else {
        let other = format.channelCount <= 8 ? ".opus or .flac" : ".wav"
        throw Failure(
          .unsupportedFormat, path,
          "MP3 takes 2 channels, not \(format.channelCount); write \(other), or mix down before")
      }
      guard
        [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000].contains(format.sampleRate)
      else {
        throw Failure(
          .unsupportedFormat, path,
          "MP3 takes no \(Int(format.sampleRate)) Hz; render with --sample-rate 48000")
      }
    }
    try checkBitRate(format, fileFormat, encoding, path)
  }

  /// Refuses a name without a known format, an encoding that the format never supports, and options
  /// that a format without samples ignores.
  package static func check(_ path: String, _ encoding: FileEncoding) throws(Failure) {
    let fileFormat = try FileFormat.writing(path, encoding)
    try check(fileFormat, encoding, path)
    if fileFormat.isLossy, let option = encoding.roundingOption {
      throw Failure(
        .unsupportedFormat, path,
        "\(option) goes with formats of samples, and .\(fileFormat.rawValue) has none; leave it out, or give "
          + (fileFormat == .ogg ? "a quality" : "a bit rate"))
    }
  }

  private static func check(
    _ fileFormat: FileFormat, _ encoding: FileEncoding, _ path: String
  ) throws(Failure) {
    let depth = encoding.depth ?? fileFormat.defaultDepth
    guard fileFormat.holds(depth) else { throw noFloats(path) }
    if encoding.kilobits != nil, fileFormat != .mp3, fileFormat != .opus {
      throw Failure(
        .unsupportedFormat, path,
        "a bit rate goes with .mp3 and .opus, not with .\(fileFormat.rawValue)"
          + (fileFormat == .ogg ? "; give a quality" : ""))
    }
    if encoding.quality != nil, fileFormat != .mp3, fileFormat != .ogg {
      throw Failure(
        .unsupportedFormat, path,
        "a quality goes with .mp3 and .ogg, not with .\(fileFormat.rawValue)"
          + (fileFormat == .opus ? "; give a bit rate" : ""))
    }
    if encoding.compression != nil, fileFormat != .flac {
      throw Failure(
        .unsupportedFormat, path,
        "a compression goes with .flac, not with .\(fileFormat.rawValue)")
    }
    if !encoding.tags.isEmpty || encoding.tagsLoudness, !fileFormat.hasTags {
      throw Failure(
        .unsupportedFormat, path,
        ".\(fileFormat.rawValue) files have no tags; write .mp3, .flac, .ogg, .opus, .wav or .aiff")
    }
  }

  private static func checkBitRate(
    _ format: StreamFormat, _ fileFormat: FileFormat, _ encoding: FileEncoding, _ path: String
  ) throws(Failure) {
    guard let kilobits = encoding.kilobits,
      let range = EncoderSettings.bitRates(fileFormat, format)
    else { return }
    guard range.contains(kilobits) else {
      let channels = format.channelCount == 1 ? "1 channel" : "\(format.channelCount) channels"
      throw Failure(
        .unsupportedFormat, path,
        "\(fileFormat == .opus ? "Opus" : "MP3") takes \(range.lowerBound) to \(range.upperBound) kbit/s "
          + (fileFormat == .opus ? "for \(channels)" : "at \(Int(format.sampleRate)) Hz")
          + ", not \(kilobits)")
    }
  }

  static func noFloats(_ path: String) -> Failure {
    Failure(
      .unsupportedFormat, path, "FLAC stores 8, 16 or 24 bits, not floats; use .wav for those")
  }
}
