// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// A file to write, relative to the current folder.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
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
  ///   - split: Writes several files, and names them by `{n}` and `{title}`: `silence`, `chapters`,
  ///     every `"10 min"`, at most `"100 MB"`, or at times, `"1:30, 4:05"`.
  ///   - silenceLevel: A sound is silent while no sample is above this level; default -50 dB.
  ///     (-120…0 dB)
  ///   - silenceTime: How long a pause between two sounds has to be to count as silence; default
  ///     0.5 s. (0.01…30 s)
  ///   - silenceKeep: How much of a silence is kept, half on either side; default: all of it with a
  ///     split, 0.2 s with a cut. (0…30 s)
  ///   - record: `level` records while the sound is loud, `manual` between start and stop of `fxrun
  ///     control … record`; default: everything is written.
  ///   - startLevel: With `level`: writing starts when a sample is this loud; default -40 dB.
  ///     (-120…0 dB)
  ///   - stopLevel: With `level`: writing stops when the sound has stayed below this; default 10 dB
  ///     below `startLevel`. (-120…0 dB)
  ///   - stopTime: With `level`: how long the sound has to stay below `stopLevel`; default 2 s.
  ///     (0.01…3600 s)
  ///   - preRoll: With `record`: how much sound from before a start is written as well. (0…600 s)
  ///   - align: Live: false leaves the alignment out: a device plays as early as it can, and a file
  ///     keeps the round trip. Default true.
  ///   - channels: Channels; default: as many as arrive.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func file(
    _ path: String,
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
    split: String? = nil,
    silenceLevel: Level? = nil,
    silenceTime: Time? = nil,
    silenceKeep: Time? = nil,
    record: Sink.Record? = nil,
    startLevel: Level? = nil,
    stopLevel: Level? = nil,
    stopTime: Time? = nil,
    preRoll: Time? = nil,
    align: Bool? = nil,
    channels: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Sink {
    var made = Sink("file", path.chainValue, id, fileID, line)
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
    made.set("split", split)
    made.set("silenceLevel", silenceLevel)
    made.set("silenceTime", silenceTime)
    made.set("silenceKeep", silenceKeep)
    made.set("record", record)
    made.set("startLevel", startLevel)
    made.set("stopLevel", stopLevel)
    made.set("stopTime", stopTime)
    made.set("preRoll", preRoll)
    made.set("align", align)
    made.set("channels", channels)
    return made
  }
}
