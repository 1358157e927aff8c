// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// WAV on standard output.
  ///
  /// - Parameters:
  ///   - id: The id of the node; nil for an automatic one.
  ///   - format: The format, if the name does not choose one; default on standard output `wav`.
  ///   - bits: Bits per sample: 8, 16, 24, 32 (float) or 64 (float). (8…64)
  ///   - integer: With 32 bits: whole numbers in place of floats.
  ///   - dither: For 8 and 16 bits: triangular dither. (default true)
  ///   - noiseShaping: For 8 and 16 bits: noise shaping, which moves the noise to where it is heard
  ///     less.
  ///   - normalize: Level of the highest peak, by one gain: the whole sound is measured first, so
  ///     not live. (-100…0 dB)
  ///   - bitRate: Bit rate in kbit/s: .mp3 and .opus. (6…512)
  ///   - quality: From 0, small, to 1, good: .mp3 and .ogg; default 0.6. (0…1)
  ///   - compression: From 0, fast, to 8, small: .flac; default 5. (0…8)
  ///   - loudnessTags: Writes the loudness into tags, for players: ReplayGain, or R128 in Opus.
  ///   - tags: Tags such as `title`, `artist`, `album`, added to those of the main input.
  ///   - fadeIn: Fades the beginning in. (0…300 s)
  ///   - fadeOut: Fades the end out. (0…300 s)
  ///   - padStart: Silence before the sound. (0…86400 s)
  ///   - padEnd: Silence after the sound. (0…86400 s)
  ///   - align: Live: false leaves the alignment out: a device plays as early as it can, and a file
  ///     keeps the round trip. Default true.
  ///   - channels: Channels; default: as many as arrive.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func standardOutput(
    id: String? = nil,
    format: Sink.Format? = nil,
    bits: Int? = nil,
    integer: Bool? = nil,
    dither: Bool? = nil,
    noiseShaping: Bool? = nil,
    normalize: Level? = nil,
    bitRate: Int? = nil,
    quality: Double? = nil,
    compression: Int? = nil,
    loudnessTags: Bool? = nil,
    tags: [String: String]? = nil,
    fadeIn: Time? = nil,
    fadeOut: Time? = nil,
    padStart: Time? = nil,
    padEnd: Time? = nil,
    align: Bool? = nil,
    channels: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Sink {
    var made = Sink("stdout", true, id, fileID, line)
    made.set("format", format)
    made.set("bits", bits)
    made.set("integer", integer)
    made.set("dither", dither)
    made.set("noiseShaping", noiseShaping)
    made.set("normalize", normalize)
    made.set("bitRate", bitRate)
    made.set("quality", quality)
    made.set("compression", compression)
    made.set("loudnessTags", loudnessTags)
    made.set("tags", tags)
    made.set("fadeIn", fadeIn)
    made.set("fadeOut", fadeOut)
    made.set("padStart", padStart)
    made.set("padEnd", padEnd)
    made.set("align", align)
    made.set("channels", channels)
    return made
  }
}
